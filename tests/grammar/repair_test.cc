// Repair makes anything legal, once and for all, and leaves legal cases alone.
#include "grammar/repair.h"

#include <gtest/gtest.h>

#include "frameworks/framework.h"
#include "grammar/infer.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

const Capabilities& Can(const std::string& framework) {
  return FindFramework(framework)->capabilities();
}

void ExpectLegal(const TestCase& test) {
  const Inference construction = InferCall(test, FirstCall(test), nullptr);
  ASSERT_TRUE(construction.ok()) << construction.problem << "\n" << Print(test);
  for (size_t i = 0; i < test.steps.size(); ++i) {
    if (!IsCall(test.steps[i])) continue;
    const Inference call = InferCall(test, static_cast<int>(i), &construction);
    EXPECT_TRUE(call.ok()) << call.problem << "\n" << Print(test);
  }
}

TEST(Repair, SamplesBecomeLegalAndStaySo) {
  for (const std::string& framework : FrameworkNames()) {
    for (const std::string& text : SampleTexts()) {
      TestCase test = Parse(text);
      Repair(Can(framework), &test);
      ExpectLegal(test);
      EXPECT_TRUE(Lacking(Can(framework), test).empty()) << Print(test);
      TestCase again = test;
      Repair(Can(framework), &again);
      EXPECT_EQ(again, test) << Print(test);
    }
  }
}

TEST(Repair, IsIdempotentOnCasesOfAnotherFramework) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    TestCase test = RandomCase(Can("pytorch"), seed, 10);
    Repair(Can("mock"), &test);
    ExpectLegal(test);
    TestCase again = test;
    Repair(Can("mock"), &again);
    EXPECT_EQ(again, test) << Print(test);
  }
}

TEST(Repair, LeavesLegalCasesAlone) {
  const std::string text =
      "reprise 1\ncompile backend=eager\nslot flag attr bool true\ninput x f32 [n,8]\nop h linear "
      "x\n"
      "op y branch h on=flag\nreturn y\ncall x=[2,8]\nset flag false\ncall x=[4,8]:grad\nbackward "
      "2\n";
  TestCase test = Parse(text);
  EXPECT_TRUE(Repair(Can("pytorch"), &test).empty());
  EXPECT_EQ(Print(test), text);
}

struct Mended {
  const char* what;
  const char* text;
  const char* gone;
};

class RepairRules : public testing::TestWithParam<Mended> {};

TEST_P(RepairRules, DropsWhatHasNoDefinedResult) {
  TestCase test = Parse(GetParam().text);
  ASSERT_NE(Print(test).find(GetParam().gone), std::string::npos) << Print(test);
  Repair(Can("pytorch"), &test);
  EXPECT_EQ(Print(test).find(GetParam().gone), std::string::npos) << Print(test);
}

INSTANTIATE_TEST_SUITE_P(
    All, RepairRules,
    testing::Values(
        Mended{"shapes that do not broadcast",
               "input x f32 [n,3]\ninput z f32 [n,4]\nop y add x z\n", "add x z"},
        Mended{"wrong dtype for parameters", "input x f32 [n,3]\nop y linear x\ncall x=[2,3]:f64\n",
               ":f64"},
        Mended{"a later call of other width",
               "input x f32 [n,w]\nop y linear x\ncall x=[2,3]\ncall x=[2,4]\n", "[2,4]"},
        Mended{"in-place write of a leaf that asks for a gradient",
               "input x f32 [n]\nop y add_ x 1.0\ncall x=[2]:grad\n", ":grad"},
        Mended{"in-place write inside a function transform",
               "input x f32 [n]\nop y add_ x 1.0 in=vmap\ncall\n", "in=vmap"},
        Mended{"a function of a scalar mapped over nothing",
               "input x f32 []\nop y sin x in=vmap\ncall\n", "in=vmap"},
        Mended{"backward of a result that is no float",
               "input x f32 [n,2]\ninput i i64 [n]\nop y linear x\nop j neg i\nreturn y j\ncall\n"
               "backward 1 of=2\n",
               "backward"},
        Mended{"results used after they are dropped",
               "input x f32 [n]\nop y sin x\ncall x=[2]\ndrop 1\nwrite 1\n", "write"},
        Mended{"an earlier output that is dropped",
               "input x f32 [n]\nop y sin x\ncall x=[2]\ndrop 1\ncall x=out(1)\n", "out(1)"},
        Mended{"an earlier output of another rank",
               "input x f32 [n]\nop y sum x\ncall x=[2]\ncall x=out(1)\n", "out(1)"},
        Mended{"arguments that do not follow a cast",
               "input x f32 [n,2]\nop y linear x\ncall\ncast f64\ncall x=[3,2]\n", "x=[3,2]\n"},
        Mended{"an optimizer of nothing", "input x f32 [n]\nop y sin x\ncall\noptimizer sgd\n",
               "optimizer"},
        Mended{"a step of no optimizer", "input x f32 [n,2]\nop y linear x\ncall\noptimize\n",
               "optimize"},
        Mended{"a function mode under a backend that applies it twice",
               "compile backend=eager\ninput x f32 [n]\nop y sin x\ncall under=function_mode\n",
               "backend=eager"},
        Mended{"in-place write of overlapping memory",
               "input x f32 [n,2]\nop y add_ x 1.0\ncall x=[2,2]:expanded\n", ":expanded"},
        Mended{"in-place write of a parameter",
               "slot w param tensor [2]\ninput x f32 [2]\nop y add_ w x\n", "add_"},
        Mended{"backward without a gradient", "input x f32 [n]\nop y sin x\ncall\nbackward\n",
               "backward"},
        Mended{"backward twice", "input x f32 [n,2]\nop y linear x\ncall\nbackward 1\nbackward 1\n",
               "backward 1\nbackward 1"},
        Mended{"backward of a call without recording",
               "input x f32 [n,2]\nop y linear x\nflag grad off\ncall\nflag grad on\nbackward\n",
               "backward"},
        Mended{"a gradient registered for what is compiled already",
               "input x f32 [n]\nop c custom x\ncall\nretune c 30.0\nagain 1\n", "retune"},
        Mended{"a tensor beyond the cap", "input x f32 [a,b,c]\ncall x=[64,64,64]\n", "[64,64,64]"},
        Mended{"a full graph with a break in it",
               "compile fullgraph=yes\ninput x f32 [n]\nop y graph_break x\n", "fullgraph"},
        Mended{"a predicate on a missing dimension",
               "input x f32 [n]\nop y branch x on=size(x,3,2)\n", "size(x,3,2)"}),
    [](const auto& info) {
      std::string name = info.param.what;
      for (char& c : name) c = std::isalnum(c) ? c : '_';
      return name;
    });

TEST(Repair, NamesWhatAFrameworkLacks) {
  TestCase test = Parse("input x f32 [n,2]\nop y linear x\ncall\nbackward\n");
  const std::vector<std::string> lacking = Repair(Can("mock"), &test);
  ASSERT_EQ(lacking.size(), 1u);
  EXPECT_EQ(lacking[0], "step backward: the mock records no gradients");
}

}  // namespace
}  // namespace reprise
