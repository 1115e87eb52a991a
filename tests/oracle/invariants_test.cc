// Each row of the table of invariants holds on what a correct framework shows, and is broken by one
// number that is wrong.
#include "oracle/invariants.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "absl/strings/match.h"
#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/judge.h"
#include "oracle/numerics.h"
#include "tests/support/mock.h"
#include "tests/support/row_cases.h"

namespace reprise {
namespace {

// A case, and what of its last step to corrupt so that a row is broken.
struct Sample {
  const char* row;
  const char* text;
  const char* section;
  const char* path;
  double change;  // added to the first element
};
constexpr char kPlain[] =
    "slot keep attr float 1.5\ninput x f32 [n,4]\nop y linear x\ncall "
    "x=[2,4]\ncall x=[2,4] seed=2\n";
constexpr Sample kSamples[] = {
    {"softmax_rows", "input x f32 [n,4]\nop y softmax x\ncall x=[2,4]\n", "results", "result", 0.1},
    {"log_softmax_rows", "input x f32 [n,4]\nop y log_softmax x\ncall x=[2,4]\n", "results",
     "result", -0.1},
    {"one_hot_rows", "input x i64 [n]\nop y one_hot x\ncall x=[3]\n", "results", "result", 1},
    {"bounded", "input x f32 [n]\nop y tanh x\ncall x=[3]\n", "results", "result", 2.5},
    {"clamped", "input x f32 [n]\nop y clamp x\ncall x=[3]\n", "results", "result", 2.5},
    {"sorted", "input x f32 [n]\nop y sort x dim=0\ncall x=[3]\n", "results", "result", 5},
    {"whole_numbers", "input x f32 [n]\nop y floor x\ncall x=[3]\n", "results", "result", 0.5},
    {"extreme", "input x f32 [n,4]\nop y argmax x\ncall x=[2,4]\n", "results", "result", 1},
    {"in_hull", "input x f32 [n,2,h,w]\nop y max_pool2d x\ncall x=[1,2,4,4]\n", "results", "result",
     5},
    {"unchanged", "input x f32 [n]\nop y clone x\ncall x=[3]\n", "results", "result", 1e-3},
    {"triangular", "input x f32 [n,n]\nop y tril x\nop z flip y dim=1\nreturn y\ncall x=[3,3]\n",
     "results", "result", 0},
    {"repeat", "input x f32 [n,4]\nop y linear x\ncall x=[2,4]\nagain 1\n", "results", "result",
     1e-3},
    {"batch_split", "input x f32 [n,4]\nop y linear x\ncall x=[3,4]\ncall x=[2,4]\n", "results",
     "result", 1e-3},
    {"batch_permutation",
     "input x f32 [n,4]\nop y linear x\ncall x=view(0,0,[2,4])\ncall x=view(0,4,[2,4])\n",
     "results", "result", 1e-3},
    {"causal_prefix", "input x f32 [1,s,4]\nop y cumsum x dim=1\ncall x=[1,3,4]\ncall x=[1,5,4]\n",
     "results", "result", 1e-3},
    {"state_kept", kPlain, "state", "model.y.weight", 1},
    {"inputs_kept", kPlain, "arguments", "x", 1},
    {"gradients_kept", kPlain, "state", "model.y.weight.grad", 0},
    {"flags_kept", kPlain, "process", "grad mode", 0},
    {"generators_kept", kPlain, "process", "random state", 0},
    {"gradient_form", "input x f32 [n,4]\nop y linear x out=2\ncall x=[2,4]\n", "state",
     "model.y.weight.grad", 0},
};

Leaf* FindLeaf(Outcome& outcome, const std::string& section, const std::string& path) {
  for (Leaf& leaf : outcome.leaves) {
    if (leaf.section == section && leaf.path == path) return &leaf;
  }
  return nullptr;
}

// The uncompiled trajectory of a case on the mock.
struct Played {
  TestCase test;
  std::vector<Outcome> outcomes;

  explicit Played(const char* text) : test(Parse(text)) {
    const Framework& mock = *FindFramework("mock");
    EXPECT_TRUE(Repair(mock.capabilities(), &test).empty()) << text;
    const Program program = mock.Emit(test);
    MockRuntime().BeginMode();
    const auto instance = MockRuntime().Load(program, "test");
    instance->Bind(false);
    for (size_t i = 0; i < program.steps.size(); ++i)
      outcomes.push_back(instance->Step(static_cast<int>(i), program.steps[i].judged));
    // What the toy does not have.
    for (Outcome& outcome : outcomes) {
      Leaf generator{.section = "process", .path = "random state", .kind = "int"};
      outcome.leaves.push_back(generator);
      if (FindLeaf(outcome, "state", "model.y.weight") != nullptr)
        outcome.leaves.push_back(
            {.section = "state", .path = "model.y.weight.grad", .kind = "NoneType"});
    }
  }

  std::string Broken() const {
    const int last = static_cast<int>(outcomes.size()) - 1;
    Trajectory t{test, {}, [](int) { return nullptr; }, "f32"};
    for (size_t i = 0; i < outcomes.size(); ++i)
      t.steps.push_back(IsJudged(test.steps[i]) ? &outcomes[i] : nullptr);
    const auto broken = FindBrokenInvariant(t, last);
    return broken ? broken->attribute : "";
  }
};

void AddToFirst(Leaf* leaf, double change) {
  if (leaf->dtype == "i64") {
    const auto value = static_cast<int64_t>((*Decode(*leaf))[0] + change);
    std::memcpy(leaf->data.data(), &value, sizeof value);
  } else {
    const auto value = static_cast<float>((*Decode(*leaf))[0] + change);
    std::memcpy(leaf->data.data(), &value, sizeof value);
  }
}

void Corrupt(const Sample& sample, Leaf* leaf) {
  const std::string row = sample.row;
  if (row == "triangular") {
    std::memcpy(leaf->data.data() + sizeof(float), "\1\1\1\1", sizeof(float));
  } else if (row == "gradients_kept") {
    leaf->kind = "something";
  } else if (row == "gradient_form") {
    leaf->kind = "tensor";
    leaf->shape = {1};
  } else if (leaf->dtype.empty()) {
    leaf->data += "!";
  } else {
    AddToFirst(leaf, sample.change);
  }
}

class Rows : public testing::TestWithParam<Sample> {};

TEST_P(Rows, HoldAndBreak) {
  const Sample& sample = GetParam();
  Played run(sample.text);
  EXPECT_EQ(run.Broken(), "");
  Leaf* leaf = FindLeaf(run.outcomes.back(), sample.section, sample.path);
  ASSERT_NE(leaf, nullptr);
  Corrupt(sample, leaf);
  EXPECT_EQ(run.Broken(), std::string("invariant ") + sample.row);
}

INSTANTIATE_TEST_SUITE_P(Table, Rows, testing::ValuesIn(kSamples),
                         [](const auto& info) { return std::string(info.param.row); });

TEST(Invariants, EveryRowHasASample) {
  std::set<std::string> sampled{"normalised", "frozen"};  // below
  for (const Sample& sample : kSamples) sampled.insert(sample.row);
  for (const InvariantRow& row : Invariants()) EXPECT_TRUE(sampled.contains(row.name)) << row.name;
}

// The toy has no normalisation without parameters.
TEST(Invariants, NormalisedValuesHaveMeanZeroAndUnitVariance) {
  const TestCase test = Parse("input x f32 [1,1,2,2]\nop y instance_norm x\ncall x=[1,1,2,2]\n");
  const auto tensor = [](const char* section, const char* path, std::vector<float> values) {
    Leaf leaf{.section = section, .path = path, .kind = "tensor", .dtype = "f32"};
    leaf.shape = {1, 1, 2, 2};
    leaf.data.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return leaf;
  };
  const auto broken = [&](std::vector<float> values) {
    Outcome outcome;
    outcome.leaves = {tensor("results", "result", std::move(values)),
                      tensor("arguments", "x", {0, 0, 2, 2})};
    const auto difference =
        FindBrokenInvariant({test, {&outcome}, [](int) { return nullptr; }, "f32"}, 0);
    return difference ? difference->attribute : "";
  };
  EXPECT_EQ(broken({-1, -1, 1, 1}), "");
  EXPECT_EQ(broken({-1, -1, 1, 1.5}), "invariant normalised");
  EXPECT_EQ(broken({-2, -2, 2, 2}), "invariant normalised");
}

// The toy records no gradients.
TEST(Invariants, WhatIsFrozenGetsNoGradient) {
  const TestCase test = Parse("input x f32 [n,4]\nop y linear x\ncall x=[2,4]:grad\nbackward 1\n");
  const auto broken = [&](bool frozen) {
    Leaf weight{.section = "state", .path = "model.w", .kind = "tensor", .dtype = "f32"};
    weight.requires_grad = !frozen;
    Leaf before{.section = "state", .path = "model.w.grad", .kind = "NoneType"}, after = before;
    after.kind = "tensor";
    after.dtype = "f32";
    Outcome call, backward;
    call.leaves = {weight, before};
    backward.leaves = {weight, after};
    const auto difference =
        FindBrokenInvariant({test, {&call, &backward}, [](int) { return nullptr; }, "f32"}, 1);
    return difference ? difference->attribute : "";
  };
  EXPECT_EQ(broken(false), "");
  EXPECT_EQ(broken(true), "invariant frozen");
}

// The toy has no hooks.
TEST(Invariants, WhatAHookMayHaveChangedIsNotTheOperators) {
  const auto broken = [](const std::string& steps) {
    const TestCase test = Parse("input x f32 [n]\nop y tanh x\n" + steps + "call x=[1]\n");
    Outcome outcome;
    Leaf leaf{.section = "results", .path = "result", .kind = "tensor", .dtype = "f32"};
    leaf.shape = {1};
    const float two = 2;
    leaf.data.assign(reinterpret_cast<const char*>(&two), sizeof two);
    outcome.leaves = {leaf};
    Trajectory t{test, {}, [](int) { return nullptr; }, "f32"};
    t.steps.resize(test.steps.size());
    t.steps.back() = &outcome;
    return FindBrokenInvariant(t, static_cast<int>(test.steps.size()) - 1).has_value();
  };
  EXPECT_TRUE(broken(""));
  EXPECT_FALSE(broken("hook kind=forward fn=twice\n"));
  EXPECT_FALSE(broken("flag autocast bf16\n"));
}

TEST(Invariants, NothingIsSaidWhereThePreconditionFails) {
  for (const char* text : {
           // Something happened between the two calls.
           "slot gain attr float 1.5\ninput x f32 [n,4]\nop y mul x gain\ncall x=[2,4]\nset gain "
           "2.5\ncall x=[3,4]\n",
           "slot gain attr float 1.5\ninput x f32 [n,4]\nop y mul x gain\ncall x=[2,4]\nset gain "
           "2.5\nagain 1\n",
           // The rows are mixed, or are other ones.
           "input x f32 [n,4]\nop y softmax x dim=0\ncall x=[2,4]\ncall x=[3,4]\n",
           "input x f32 [n,4]\nop y sin x\ncall x=[2,4]\ncall x=[3,4] seed=2\n",
           "input x f32 [n,4]\nop y sin x\ncall x=[2,4]\ncall x=[3,4]:x100\n",
           // The model counts.
           "slot calls attr int 2\ninput x f32 [n,4]\nop y count x slot=calls\ncall "
           "x=[2,4]\nagain 1\n",
       })
    EXPECT_EQ(Played(text).Broken(), "") << text;
}

// The toy's parameters keep their element type.
TEST(Invariants, GradientsFromBeforeACastMayDifferInForm) {
  const auto broken = [](const std::string& steps) {
    const TestCase test = Parse("input x f32 [n,4]\nop y linear x\ncall x=[2,4]\n" + steps);
    Outcome outcome;
    outcome.leaves = {
        {.section = "state", .path = "model.y.weight", .kind = "tensor", .dtype = "f64"},
        {.section = "state", .path = "model.y.weight.grad", .kind = "tensor", .dtype = "f32"}};
    Trajectory t{test, {}, [](int) { return nullptr; }, "f64"};
    t.steps.resize(test.steps.size());
    t.steps.back() = &outcome;
    return FindBrokenInvariant(t, static_cast<int>(test.steps.size()) - 1).has_value();
  };
  EXPECT_TRUE(broken("call x=[2,4]\n"));
  EXPECT_FALSE(broken("cast f64\ncall x=[2,4]:f64\n"));
}

TEST(Invariants, RowsOfBatchesAgreeOnTheMock) {
  for (const RowCase& row : RowCases())
    EXPECT_STREQ(Name(JudgeOnMock(row.text, ResetPolicy::kDemand).verdict), "pass") << row.text;
}

TEST(Invariants, AFaultOfTheFrameworkItselfIsNotTheCompilers) {
  const SpoiltFunction spoilt("tanh");
  const Judgement judgement = JudgeOnMock("input x f32 [n]\nop y tanh x\ncall x=[2]:x100\n");
  EXPECT_STREQ(Name(judgement.verdict), "uncompiled");
  EXPECT_EQ(judgement.difference.attribute, "invariant bounded");
}

}  // namespace
}  // namespace reprise
