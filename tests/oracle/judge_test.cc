// Verdicts on the mock, one planted fault at a time: the fault gives the verdict, and without it
// the same case passes.
#include "oracle/judge.h"

#include <gtest/gtest.h>

#include <set>

#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/refine.h"
#include "tests/support/cases.h"
#include "tests/support/mock.h"

namespace reprise {
namespace {

struct Planted {
  const char* fault;
  const char* text;
  Verdict verdict;
  int step;
};

class Verdicts : public testing::TestWithParam<Planted> {};

TEST_P(Verdicts, FollowTheFault) {
  const Planted& planted = GetParam();
  EXPECT_EQ(JudgeOnMock(planted.text).verdict, Verdict::kPass);
  const PlantedFault fault(planted.fault);
  const Judgement judgement = JudgeOnMock(planted.text);
  EXPECT_STREQ(Name(judgement.verdict), Name(planted.verdict));
  EXPECT_EQ(judgement.step, planted.step);
}

constexpr char kShape[] =
    "input x f32 [n]\nop s sum x\nop k size x dim=0\nop y div s k\ncall x=[4]\ncall x=[6]\n";
constexpr char kFlag[] =
    "slot flag attr bool true\ninput x f32 [n]\nop y branch x on=flag then=inc else=dec\ncall "
    "x=[2]\nset flag false\n"
    "again 1\n";
constexpr char kSame[] =
    "input a f32 [n]\ninput b f32 [n]\nop c add_ a 1.0\nop y mul c b\ncall a=[2] b=[2]\ncall a=[2] "
    "b=@a\n";
constexpr char kTwice[] = "input x f32 [n]\nop y sin x\ncall x=[2]\nagain 1\nagain 1\n";

INSTANTIATE_TEST_SUITE_P(
    Mock, Verdicts,
    testing::Values(
        Planted{"ignore_shape", kShape, Verdict::kStateful, 1},
        Planted{"ignore_attr:flag", kFlag, Verdict::kStateful, 2},
        Planted{"ignore_identity", kSame, Verdict::kStateful, 1},
        Planted{"ignore_training",
                "input x f32 [n,3]\nop y batch_norm x\ncall x=[4,3]\neval\nagain 1\n",
                Verdict::kStateful, 2},
        Planted{"ignore_dtype",
                "input x f32 [n]\nop y branch x on=dtype(x,f64) then=inc else=dec\ncall "
                "x=[2]\ncall x=[2]:f64\n",
                Verdict::kStateful, 1},
        Planted{"ignore_global:gain",
                "slot gain global float 1.5\ninput x f32 [n]\nop y mul x gain\ncall x=[2]\n"
                "set gain 2.5\nagain 1\n",
                Verdict::kStateful, 2},
        Planted{"ignore_closure:gain",
                "slot gain closure float 1.5\ninput x f32 [n]\nop y mul x gain\ncall x=[2]\n"
                "set gain 2.5\nagain 1\n",
                Verdict::kStateful, 2},
        Planted{"stale_tensor:w",
                "slot w attr tensor [2]\ninput x f32 [2]\nop y mul x w\ncall x=[2]\nupdate "
                "w\nagain 1\n",
                Verdict::kStateful, 2},
        Planted{"ignore_grad_mode",
                "input x f32 [n]\nop y branch x on=grad_enabled then=inc else=dec\ncall x=[2]\n"
                "flag grad off\nagain 1\n",
                Verdict::kStateful, 2},
        Planted{"raise_on_reuse", kTwice, Verdict::kStateful, 1},
        Planted{"leak_grad_mode", kTwice, Verdict::kStateful, 1},
        Planted{"wrong_op:sin", kTwice, Verdict::kStateless, 0}),
    [](const auto& info) {
      std::string name = info.param.fault;
      for (char& c : name) c = std::isalnum(c) ? c : '_';
      return name;
    });

TEST(Judge, AFaultOfColdRunsAloneIsColdOnly) {
  // A sine is off in every second compiled run, whatever it runs. One run of something else puts S
  // where it is right and R where it is not.
  const char text[] = "input x f32 [n]\nop y sin x\ncall x=[2]\n";
  const char other[] = "input x f32 [n]\nop y cos x\ncall x=[2]\n";
  EXPECT_EQ(JudgeOnMock(text).verdict, Verdict::kPass);
  const PlantedFault fault("unstable:sin");
  std::set<std::string> verdicts{Name(JudgeOnMock(text).verdict)};
  EXPECT_EQ(JudgeOnMock(other, ResetPolicy::kDemand).verdict, Verdict::kPass);
  verdicts.insert(Name(JudgeOnMock(text).verdict));
  EXPECT_EQ(verdicts, (std::set<std::string>{"cold-only", "stateful"}));
}

TEST(Judge, ACallThatRaisesUncompiledEndsTheCaseQuietly) {
  // A write through a view of memory whose elements overlap.
  const Judgement judgement = JudgeOnMock(
      "input x f32 [n,2]\nop t transpose x\nop y add_ t 1.0\ncall x=[2,2]\ncall "
      "x=[2,2]:expanded\nagain 1\n");
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_EQ(judgement.legal_steps, 1);
  EXPECT_NE(judgement.illegal, "");
}

constexpr char kChecked[] =
    "slot ok attr bool true\nslot flag attr bool true\ninput x f32 [n]\nop c check x on=ok\nop y "
    "branch c on=flag then=inc else=dec\nreturn y\ncall x=[2]\nset ok false\nagain 1\nset ok true\n"
    "set flag false\nagain 1\n";

TEST(Judge, ADeclaredExceptionEndsNothing) {
  const Judgement judgement = JudgeOnMock(kChecked);
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_EQ(judgement.legal_steps, 6);
  EXPECT_EQ(judgement.illegal, "");
  const PlantedFault fault("ignore_attr:flag");
  const Judgement later = JudgeOnMock(kChecked);
  EXPECT_EQ(later.verdict, Verdict::kStateful);
  EXPECT_EQ(later.step, 5);
}

TEST(Judge, ADeclaredExceptionThatDoesNotComeIsAnAlarm) {
  const PlantedFault fault("ignore_attr:ok");
  const Judgement judgement = JudgeOnMock(kChecked);
  EXPECT_EQ(judgement.verdict, Verdict::kStateful);
  EXPECT_EQ(judgement.step, 2);
  EXPECT_EQ(judgement.difference.attribute, "raises");
}

TEST(Judge, StepsThatMakeTheModelAnewAreFollowedInEveryMode) {
  const char text[] =
      "slot gain closure float 1.5\ninput x f32 [n,3]\nop h linear x out=3\nop m mul h gain\nop y "
      "softmax m\nreturn y\ncall x=[2,3]\nset gain 2.5 via=factory\nagain 1\ninstance 2\nagain "
      "1\nvariant y dim 0\nagain 1\nwrap\ndeepcopy\nagain 1\nwrite 5\nforget\nagain 1\n";
  EXPECT_EQ(JudgeOnMock(text).verdict, Verdict::kPass);
  EXPECT_EQ(JudgeOnMock(text).legal_steps, 13);
  const PlantedFault fault("wrong_op:softmax");
  EXPECT_EQ(JudgeOnMock(text).verdict, Verdict::kStateless);
}

TEST(Judge, OnlyTheFirstDisagreementCounts) {
  const PlantedFault fault("ignore_attr:flag");
  const Judgement judgement =
      JudgeOnMock(std::string(kFlag) + "set flag true\nagain 1\nset flag false\nagain 1\n");
  EXPECT_EQ(judgement.step, 2);
  EXPECT_EQ(judgement.steps[4].s, "");
}

TEST(Judge, PoliciesAgreeOnTheVerdict) {
  const PlantedFault fault("ignore_shape");
  for (ResetPolicy policy : {ResetPolicy::kDemand, ResetPolicy::kSampled, ResetPolicy::kAlways,
                             ResetPolicy::kTrajectories}) {
    EXPECT_EQ(JudgeOnMock(kShape, policy).verdict, Verdict::kStateful);
  }
}

TEST(Judge, EachLevelSeesWhatTheOneBeforeDoes) {
  const PlantedFault fault("ignore_attr:flag");
  const Framework& mock = *FindFramework("mock");
  TestCase test = Parse(std::string("reprise 1\n") + kFlag);
  Repair(mock.capabilities(), &test);
  const auto verdict = [&](Level level) {
    const Judgement judgement = Judge(mock, MockRuntime(), test, {.level = level});
    EXPECT_EQ(judgement.level, level);
    return std::string(Name(judgement.verdict));
  };
  EXPECT_EQ(verdict(Level::kCrash), "pass");
  EXPECT_EQ(verdict(Level::kTwoMode), "unsorted");
  EXPECT_EQ(verdict(Level::kThreeMode), "stateful");
  EXPECT_EQ(verdict(Level::kStructured), "stateful");
  EXPECT_EQ(verdict(Level::kFull), "stateful");
}

TEST(Judge, DemandRunsNoResetWhereModesAgree) {
  const Judgement judgement = JudgeOnMock(kTwice, ResetPolicy::kDemand);
  for (const StepReport& step : judgement.steps) EXPECT_EQ(step.r, "");
  EXPECT_EQ(JudgeOnMock(kTwice, ResetPolicy::kAlways).steps[1].r, "= E");
}

TEST(Judge, EventsSayWhatTheCompilerDid) {
  const Judgement judgement =
      JudgeOnMock("input x f32 [n]\nop y sin x\ncall x=[2]\nagain 1\ncall x=[3]\nagain 1\n");
  std::vector<std::string> events;
  for (const StepReport& step : judgement.steps) events.push_back(step.signals.event);
  EXPECT_EQ(events, (std::vector<std::string>{"cold", "reused", "recompiled_static", "reused"}));
}

TEST(Judge, IsDeterministic) {
  const Framework& mock = *FindFramework("mock");
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const TestCase test = RandomCase(mock.capabilities(), seed, 8);
    const Judgement a = Judge(mock, MockRuntime(), test, {}),
                    b = Judge(mock, MockRuntime(), test, {});
    EXPECT_EQ(a.verdict, b.verdict) << Print(test);
    EXPECT_EQ(a.legal_steps, b.legal_steps) << Print(test);
  }
}

// The mock without faults is right by construction: whatever alarms here is ours.
TEST(Judge, NoFalseAlarmOnRandomCases) {
  const Framework& mock = *FindFramework("mock");
  int illegal = 0;
  for (uint64_t seed = 1000; seed < 1600; ++seed) {
    const TestCase test = RandomCase(mock.capabilities(), seed, 12);
    const Judgement judgement = Judge(mock, MockRuntime(), test, {ResetPolicy::kAlways});
    EXPECT_EQ(judgement.verdict, Verdict::kPass)
        << Print(test) << judgement.step << " " << judgement.difference.path << " "
        << judgement.difference.text;
    illegal += judgement.illegal.empty() ? 0 : 1;
  }
  EXPECT_LT(illegal, 150);
}

TEST(Refine, KeepsTheFailureAndNothingElse) {
  const PlantedFault fault("ignore_attr:flag");
  const Framework& mock = *FindFramework("mock");
  TestCase test = Parse(
      "slot flag attr bool true\nslot other global float 1.5\ninput x f32 [n,4]\ninput z f32 "
      "[n,4]\nop h linear x\n"
      "op r relu h\nop w add r z\nop v mul w other\nop y branch v on=flag then=inc "
      "else=dec\nreturn y h\n"
      "call x=[2,4] z=[2,4]\nset other 2.5\ncall x=[3,4]:transposed z=[3,4]\neval\nagain 1\nset "
      "flag false\ntrain\n"
      "again 2\nagain 1\ncall x=[5,4] z=[5,4]\nset flag true\nagain 1\n");
  Repair(mock.capabilities(), &test);
  const Judgement before = Judge(mock, MockRuntime(), test, {});
  ASSERT_EQ(before.verdict, Verdict::kStateful);
  const TestCase small =
      Refine(mock.capabilities(), test, before.step, [&](const TestCase& candidate) {
        return Judge(mock, MockRuntime(), candidate, {ResetPolicy::kDemand}).verdict ==
               Verdict::kStateful;
      });
  EXPECT_EQ(Judge(mock, MockRuntime(), small, {}).verdict, Verdict::kStateful);
  EXPECT_EQ(small.steps.size(), 3u) << Print(small);
  EXPECT_EQ(small.ops.size(), 1u) << Print(small);
  EXPECT_EQ(small.slots.size(), 1u) << Print(small);
}

TEST(Refine, CallsRepeatEarlierOnesAndViewsBecomeTensors) {
  const PlantedFault fault("ignore_attr:flag");
  const Framework& mock = *FindFramework("mock");
  TestCase test = Parse(
      "slot flag attr bool true\ninput x f32 [n]\nop y branch x on=flag then=inc else=dec\n"
      "call x=view(0,2,[4])\nset flag false\ncall x=view(1,3,[4]) seed=7\n");
  Repair(mock.capabilities(), &test);
  const TestCase small = Refine(mock.capabilities(), test, 2, [&](const TestCase& candidate) {
    return Judge(mock, MockRuntime(), candidate, {ResetPolicy::kDemand}).verdict ==
           Verdict::kStateful;
  });
  const std::string text = Print(small);
  EXPECT_EQ(text.substr(text.find("call")), "call x=[4]\nset flag false\nagain 1\n");
}

}  // namespace
}  // namespace reprise
