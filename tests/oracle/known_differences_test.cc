// Every row of every framework's table of known differences: an example that it covers, and a near
// miss that it does not.
#include "frameworks/known_differences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "absl/strings/str_cat.h"
#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "oracle/compare.h"

namespace reprise {
namespace {

struct ExceptionExample {
  const char* framework;
  const char* row;
  Raised covered, near_miss;
  const char* compile = "compile";  // statement of the case
};

Raised Runtime(const char* text) { return {"RuntimeError", "RuntimeError", {}, text}; }

const std::vector<ExceptionExample>& ExceptionExamples() {
  static const auto* examples = new std::vector<ExceptionExample>{
      {"pytorch",
       "backward is traced with the forward",
       {"BackendCompilerFailed",
        "RuntimeError",
        {},
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation"},
       Runtime("mat1 and mat2 shapes cannot be multiplied")},
      {"pytorch", "backward of another deterministic mode",
       Runtime("This compiled backward function is being run with "
               "torch.use_deterministic_algorithms(True), but it was previously generated"),
       Runtime("use_deterministic_algorithms is not what this is about")},
      {"pytorch", "a second backward",
       Runtime("This backward function was compiled with non-empty donated buffers which requires "
               "create_graph=False and retain_graph=False"),
       Runtime("Trying to backward through the graph a second time")},
      {"pytorch",
       "a broken promise",
       {"ConstraintViolationError",
        "ConstraintViolationError",
        {},
        "Constraints violated (L['x'].size()[0])!"},
       {"AssertionError", "AssertionError", {}, "Guard failed on the same frame it was created"}},
      {"pytorch",
       "a graph break under fullgraph",
       {"Unsupported", "Unsupported", {}, "Data-dependent branching"},
       {"InternalTorchDynamoError", "KeyError", {}, "0"},
       "compile fullgraph=yes"},
  };
  return *examples;
}

Leaf None(const std::string& section, const std::string& path) {
  return {.section = section, .path = path, .kind = "NoneType", .data = "None"};
}

Leaf Tensor(const std::string& section, const std::string& path, float value) {
  Leaf leaf{.section = section, .path = path, .kind = "tensor", .dtype = "f32", .shape = {1}};
  leaf.data.assign(reinterpret_cast<const char*>(&value), sizeof value);
  return leaf;
}

struct ValueExample {
  const char* framework;
  const char* row;
  Leaf expected, covered, near_miss;
};

const std::vector<ValueExample>& ValueExamples() {
  static const auto* examples = new std::vector<ValueExample>{
      {"pytorch", "missing gradient is zero", None("state", "model.w.grad"),
       Tensor("state", "model.w.grad", -0.0F), Tensor("state", "model.w.grad", 1)},
      {"pytorch", "missing gradient is zero", None("gradients", "x"), Tensor("gradients", "x", 0),
       Tensor("results", "x", 0)},
  };
  return *examples;
}

const KnownDifferences& Of(const char* framework) {
  return FindFramework(framework)->known_differences();
}

TEST(KnownDifferences, CoverTheirExamplesAndNoMore) {
  for (const ExceptionExample& example : ExceptionExamples()) {
    const TestCase test = Parse(absl::StrCat("reprise 1\n", example.compile, "\ncall\n"));
    const KnownException* row = Of(example.framework).Find(Outcome{example.covered, {}, {}}, test);
    ASSERT_NE(row, nullptr) << example.row;
    EXPECT_STREQ(row->name, example.row);
    EXPECT_EQ(Of(example.framework).Find(Outcome{example.near_miss, {}, {}}, test), nullptr)
        << example.row;
  }
  for (const ValueExample& example : ValueExamples()) {
    const KnownDifference* row = Of(example.framework).Find(example.expected, example.covered);
    ASSERT_NE(row, nullptr) << example.row;
    EXPECT_STREQ(row->name, example.row);
    Leaf expected = example.expected;
    expected.section = example.near_miss.section;
    EXPECT_EQ(Of(example.framework).Find(expected, example.near_miss), nullptr) << example.row;
  }
}

TEST(KnownDifferences, EveryRowHasAConditionAReasonAndAnExample) {
  for (const std::string& framework : FrameworkNames()) {
    std::set<std::string> shown;
    for (const auto& example : ExceptionExamples()) {
      if (framework == example.framework) shown.insert(example.row);
    }
    for (const auto& example : ValueExamples()) {
      if (framework == example.framework) shown.insert(example.row);
    }
    const KnownDifferences& known = FindFramework(framework)->known_differences();
    const auto check = [&](const auto& row) {
      EXPECT_GT(std::strlen(row.reason), 40U) << row.name;
      EXPECT_GT(std::strlen(row.condition), 10U) << row.name;
      EXPECT_TRUE(shown.contains(row.name)) << framework << ": " << row.name;
    };
    std::for_each(known.values.begin(), known.values.end(), check);
    std::for_each(known.exceptions.begin(), known.exceptions.end(), check);
  }
}

TEST(KnownDifferences, AGraphBreakIsAllowedWhereItWasForbiddenAlone) {
  const Outcome outcome{
      Raised{"Unsupported", "Unsupported", {}, "Data-dependent branching"}, {}, {}};
  const auto allowed = [&](const char* compile) {
    return Of("pytorch").Find(outcome, Parse(absl::StrCat(compile, "\ncall\n"))) != nullptr;
  };
  EXPECT_TRUE(allowed("compile fullgraph=yes"));
  EXPECT_FALSE(allowed("compile fullgraph=no"));
}

TEST(KnownDifferences, WhatOneFrameworkAllowsAnotherDoesNot) {
  Outcome e, a;
  e.leaves = {None("gradients", "x")};
  a.leaves = {Tensor("gradients", "x", 0)};
  Reference reference;
  EXPECT_TRUE(Compare(e, a, reference));
  reference.known = &Of("mock");
  EXPECT_TRUE(Compare(e, a, reference));
  reference.known = &Of("pytorch");
  EXPECT_FALSE(Compare(e, a, reference));
}

TEST(KnownDifferences, DeclaredExceptionsAreTheTwoThatRowsRaise) {
  EXPECT_TRUE(IsDeclared({"ValueError", "ValueError", {}, "check failed"}));
  EXPECT_TRUE(IsDeclared({"TorchRuntimeError", "IndexError", {}, "out of range"}));
  EXPECT_FALSE(IsDeclared({"RuntimeError", "RuntimeError", {}, "check failed"}));
}

}  // namespace
}  // namespace reprise
