// Every word, executed: each sample runs to its end in all three modes on a framework and passes.
// Built once per framework, which REPRISE_TEST_FRAMEWORK names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/infer.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/judge.h"
#include "oracle/numerics.h"
#include "report/render.h"
#include "tests/support/cases.h"
#include "tests/support/process.h"
#include "tests/support/row_cases.h"

namespace reprise {
namespace {

std::vector<std::pair<std::string, std::string>> FrameworkAndBackend() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& backend :
       FindFramework(REPRISE_TEST_FRAMEWORK)->capabilities().backends) {
    // Native compilation takes seconds a case; architectures cover it elsewhere.
    if (backend != "inductor") pairs.push_back({REPRISE_TEST_FRAMEWORK, backend});
  }
  return pairs;
}

Runtime& TheRuntime() {
  static Runtime* runtime = [] {
    auto started = Runtime::StartFor(REPRISE_TEST_FRAMEWORK);
    if (started.ok()) return started->release();
    std::fprintf(stderr, "%s\n", std::string(started.status().message()).c_str());
    std::abort();
  }();
  return *runtime;
}

class Rows : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(Rows, EverySamplePasses) {
  const auto& [name, backend] = GetParam();
  const Framework& framework = *FindFramework(name);
  Capabilities can = framework.capabilities();
  can.backends = {backend};
  for (const std::string& text : SampleTexts()) {
    const TestCase written = Parse(text);
    TestCase test = written;
    const bool lacking = !Repair(can, &test).empty();
    // A sample is legal as it is written, or it would not show what it is for.
    EXPECT_TRUE(lacking || test.ops == written.ops) << text << Print(test);
    const Judgement judgement =
        Judge(framework, TheRuntime(), test, {.policy = ResetPolicy::kDemand, .sound = true});
    EXPECT_FALSE(judgement.alarm())
        << Print(test) << RenderTable(test, judgement) << RenderVerdict(test, judgement);
    // What comes after an exception is not shown.
    EXPECT_EQ(judgement.illegal, "") << Print(test);
  }
}

// The seeds of every campaign. What a framework lacks is replaced, as in a campaign.
TEST_P(Rows, EveryArchitecturePasses) {
  const auto& [name, backend] = GetParam();
  Capabilities can = FindFramework(name)->capabilities();
  can.backends = {backend};
  size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(REPRISE_SOURCE_DIR "/corpus/architectures")) {
    TestCase test = Parse(ReadFile(entry.path()));
    Repair(can, &test);
    const Judgement judgement = Judge(*FindFramework(name), TheRuntime(), test, {.sound = true});
    EXPECT_FALSE(judgement.alarm()) << entry.path() << RenderVerdict(test, judgement);
    EXPECT_EQ(judgement.illegal, "") << entry.path();
    ++count;
  }
  EXPECT_GE(count, 24U);
}

// What is said of the rows of batches (grammar/follow_rows.h) is so: the invariants that rest on it
// hold.
TEST_P(Rows, BatchesGiveWhatTheirPartsGive) {
  const auto& [name, backend] = GetParam();
  Capabilities can = FindFramework(name)->capabilities();
  can.backends = {backend};
  for (const RowCase& row : RowCases()) {
    TestCase test = Parse(row.text);
    Repair(can, &test);
    const Judgement judgement = Judge(*FindFramework(name), TheRuntime(), test,
                                      {.policy = ResetPolicy::kDemand, .sound = true});
    // Of other alarms the samples and the kept cases tell.
    EXPECT_EQ(judgement.difference.attribute.find("invariant"), std::string::npos)
        << Print(test) << RenderVerdict(test, judgement);
  }
}

std::vector<Outcome> RunUncompiled(const Program& program) {
  TheRuntime().BeginMode();
  const auto instance = TheRuntime().Load(program, "test");
  instance->Bind(false);
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    outcomes.push_back(instance->Step(static_cast<int>(i), program.steps[i].judged));
    if (outcomes.back().raised) break;
  }
  return outcomes;
}

// Under autocast element types are the framework's choice.
bool FollowsAutocast(const TestCase& test) {
  const auto autocast = [](const std::string& word) { return word.find("autocast") == 0; };
  return std::any_of(test.ops.begin(), test.ops.end(),
                     [&](const Op& op) { return op.context && autocast(op.context->name); }) ||
         std::any_of(test.steps.begin(), test.steps.end(), [&](const Step& step) {
           return autocast(Attr(step, "under")) || autocast(Attr(step, "name"));
         });
}

const Leaf* LeafAt(const Outcome& outcome, const std::string& path) {
  for (const Leaf& leaf : outcome.leaves) {
    if (leaf.section == "results" && leaf.path == path) return &leaf;
  }
  return nullptr;
}

// The rules of the tables say what the framework really does.
TEST_P(Rows, InferredShapesAndDtypesAreThoseOfTheUncompiledRun) {
  const Framework& framework = *FindFramework(GetParam().first);
  int compared = 0;
  for (const std::string& text : SampleTexts()) {
    TestCase test = Parse(text);
    Repair(framework.capabilities(), &test);
    if (FollowsAutocast(test)) continue;
    const Inference construction = InferCall(test, FirstCall(test), nullptr);
    const auto run = RunUncompiled(framework.Emit(test));
    for (size_t i = 0; i < run.size(); ++i) {
      if (!IsCall(test.steps[i]) || run[i].raised) continue;
      const Inference call = InferCall(test, static_cast<int>(i), &construction);
      for (size_t r = 0; r < test.returns.size(); ++r) {
        const ValueInfo& info = call.values.at(test.returns[r]);
        const Leaf* leaf = LeafAt(
            run[i], test.returns.size() == 1 ? "result" : "result[" + std::to_string(r) + "]");
        if (info.type != Type::kTensor || leaf == nullptr) continue;
        EXPECT_EQ(leaf->shape, info.shape) << Print(test) << test.returns[r] << " at step " << i;
        EXPECT_EQ(leaf->dtype, Name(info.dtype)) << Print(test) << test.returns[r] << " " << i;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200);
}

bool MakesTensors(const TestCase& test) {
  return std::any_of(test.ops.begin(), test.ops.end(),
                     [](const Op& op) { return op.row->operands[0] == 'i'; });
}

// The reference runs in the middle of another mode, which goes on as it was.
TEST_P(Rows, AModeGoesOnAfterTheReferenceHasRunInBetween) {
  const Framework& framework = *FindFramework(GetParam().first);
  Capabilities can = framework.capabilities();
  can.backends = {GetParam().second};
  TestCase test = Parse("input x f32 [n]\nop y sin x\nreturn y\ncall x=[2]\ncall x=[3]\n");
  Repair(can, &test);
  TheRuntime().BeginCase();
  TheRuntime().BeginMode();
  const auto instance = TheRuntime().Load(framework.Emit(test), "test S");
  instance->Bind(true);
  EXPECT_EQ(instance->Step(0, true).signals.event, "cold");
  TheRuntime().Suspend();
  RunUncompiled(framework.Emit(test, Numbers::kFloat64));
  TheRuntime().Resume();
  EXPECT_EQ(instance->Step(1, true).signals.event.substr(0, 10), "recompiled");
}

// The reference is the same program at higher precision: as many leaves, and results nearby.
TEST_P(Rows, TheFloat64ReferenceIsCloseToTheUncompiledRun) {
  const Framework& framework = *FindFramework(GetParam().first);
  int compared = 0;
  for (const std::string& text : SampleTexts()) {
    TestCase test = Parse(text);
    Repair(framework.capabilities(), &test);
    if (!framework.HasFloat64Reference(test)) continue;
    const auto run = RunUncompiled(framework.Emit(test));
    const auto reference = RunUncompiled(framework.Emit(test, Numbers::kFloat64));
    ASSERT_EQ(run.size(), reference.size()) << Print(test);
    for (size_t i = 0; i < run.size(); ++i) {
      ASSERT_EQ(run[i].leaves.size(), reference[i].leaves.size()) << Print(test);
      for (size_t k = 0; k < run[i].leaves.size(); ++k) {
        const Leaf &leaf = run[i].leaves[k], &wide = reference[i].leaves[k];
        if (leaf.kind != "tensor" || leaf.dtype != "f32") continue;
        // What a factory makes keeps its own element type.
        if (!MakesTensors(test)) ASSERT_EQ(wide.dtype, "f64") << Print(test) << leaf.path;
        const auto a = *Decode(leaf), b = *Decode(wide);
        ASSERT_EQ(a.size(), b.size()) << Print(test) << leaf.path;
        for (size_t n = 0; n < a.size(); ++n) {
          EXPECT_NEAR(a[n], b[n], 1e-4 * std::max(1.0, std::abs(b[n]))) << Print(test) << leaf.path;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

INSTANTIATE_TEST_SUITE_P(All, Rows, testing::ValuesIn(FrameworkAndBackend()), [](const auto& info) {
  return info.param.first + "_" + info.param.second;
});

}  // namespace
}  // namespace reprise
