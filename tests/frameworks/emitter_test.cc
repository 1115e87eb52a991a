// Every row of every table is written by every framework, or declared unsupported with a reason;
// what is written reads like a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

class EveryFramework : public testing::TestWithParam<std::string> {
 protected:
  const Framework& framework() const { return *FindFramework(GetParam()); }
};

TEST_P(EveryFramework, WritesEverySample) {
  for (const std::string& text : SampleTexts()) {
    TestCase test = Parse(text);
    Repair(framework().capabilities(), &test);
    for (const Numbers numbers : {Numbers::kDrawn, Numbers::kFloat64, Numbers::kPerturbed}) {
      const Program program = framework().Emit(test, numbers);
      const std::string source = Text(program);
      EXPECT_EQ(program.steps.size(), test.steps.size());
      // A placeholder that nothing filled stands in braces; dictionaries hold quotes.
      EXPECT_THAT(source, testing::Not(testing::ContainsRegex("[{][a-z0-9.:-]+[}]"))) << source;
      EXPECT_THAT(source, testing::Not(testing::HasSubstr("reprise")));
    }
  }
}

TEST_P(EveryFramework, WritesAnyLegalCase) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const TestCase test = RandomCase(framework().capabilities(), seed, 10);
    for (const bool wide : {false, true}) {
      EXPECT_NO_THROW({
        const Program program =
            wide ? framework().Emit(test, Numbers::kFloat64) : framework().Emit(test);
        EXPECT_EQ(program.steps.size(), test.steps.size());
      }) << Print(test);
    }
  }
}

TEST_P(EveryFramework, GivesAReasonForWhatItLacks) {
  for (const auto& [row, reason] : framework().capabilities().unsupported) {
    EXPECT_GT(reason.size(), 10u) << row;
    EXPECT_THAT(row, testing::MatchesRegex("[a-z]+:[a-z0-9_]+"));
  }
}

TEST_P(EveryFramework, LacksOnlyRowsThatExist) {
  for (const auto& [row, reason] : framework().capabilities().unsupported) {
    const std::vector<std::string> parts = absl::StrSplit(row, ':');
    const std::string &kind = parts[0], &name = parts[1];
    const bool exists =
        (kind == "op" && FindOperator(name)) || (kind == "step" && FindStep(name)) ||
        (kind == "home" && FindHome(name)) || (kind == "layout" && FindLayout(name)) ||
        (kind == "predicate" && FindPredicate(name)) || (kind == "type" && ParseType(name)) ||
        (kind == "context" && FindContext(name)) || (kind == "flag" && FindFlag(name)) ||
        (kind == "mark" && FindMark(name)) || (kind == "form" && FindCallableForm(name)) ||
        kind == "compile" || kind == "argument";
    EXPECT_TRUE(exists) << row;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryFramework, testing::ValuesIn(FrameworkNames()),
                         [](const auto& info) { return info.param; });

TEST(PyTorchProgram, ReadsAsWrittenByHand) {
  TestCase test = Parse(
      "compile backend=eager\nslot scale attr float 1.5\ninput x f32 [n,8]\nop h linear x "
      "out=4\nop m mul h scale\n"
      "op y branch m on=training then=relu else=tanh\nreturn y\ncall x=[2,8] seed=3\nset scale "
      "2.0\neval\nagain 1\n");
  Repair(FindFramework("pytorch")->capabilities(), &test);
  EXPECT_EQ(Text(FindFramework("pytorch")->Emit(test)), R"(import numpy as np
import torch
from torch import nn


def rand(seed, *shape, dtype=torch.float32, scale=1.0):
    values = np.random.default_rng(seed).uniform(-scale, scale, shape)
    return torch.tensor(values).to(dtype)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.h = nn.Linear(8, 4)
        for seed, p in enumerate(self.parameters()):
            p.data = rand(seed, *p.shape, scale=0.5)
        self.scale = 1.5

    def forward(self, x):
        h = self.h(x)
        m = h * self.scale
        if self.training:
            y = torch.relu(m)
        else:
            y = torch.tanh(m)
        return y


model = Model()
compiled = torch.compile(model, backend="eager")

# call x=[2,8] seed=3
x1 = rand(1030, 2, 8)
out1 = compiled(x1)

# set scale 2.0
model.scale = 2.0

# eval
model.eval()

# again 1
x2 = rand(1030, 2, 8)
out2 = compiled(x2)
)");
}

TEST(Emitter, AScriptGoesOnAfterACallThatMayRaise) {
  TestCase test = Parse(
      "reprise 1\ninput x f32 [2,4]\ninput i i64 []\nop h select_at x i\nreturn h\ncall\nagain "
      "1\n");
  const Framework* framework = FindFramework("pytorch");
  Repair(framework->capabilities(), &test);
  Program program = framework->Emit(test);
  ASSERT_EQ(program.steps.size(), 2u);
  EXPECT_EQ(Script(program), Text(program));
  program.steps[0].may_raise = true;
  EXPECT_THAT(Script(program), testing::HasSubstr("try:\n    out1 = compiled("));
  EXPECT_THAT(Script(program),
              testing::HasSubstr("except Exception as error:\n    print(\"raised\", "));
}

}  // namespace
}  // namespace reprise
