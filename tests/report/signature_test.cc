// Do alarms of one bug get one signature, and alarms of two bugs two? Planted faults of the mock,
// judged and shortened for real, in cases that differ in all that does not matter.
#include "report/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/confirm.h"
#include "oracle/judge.h"
#include "oracle/refine.h"
#include "tests/support/mock.h"

namespace reprise {
namespace {

using Random = std::mt19937_64;

// Words with a $ are drawn for each variant: $x $y $z are names of inputs and operators, $s that of
// a slot, $n and $m two sizes, $r a seed. Model and steps are apart, so that things can be put in.
struct Bug {
  const char* fault;
  const char* model;
  const char* steps;
};

constexpr Bug kBugs[] = {
    {"ignore_shape", "input $x f32 [n]\nop $y sum $x\nop $z size $x dim=0\nop out div $y $z\n",
     "call $x=[$n] seed=$r\ncall $x=[$m] seed=$r\n"},
    {"ignore_dtype", "input $x f32 [n]\nop out branch $x on=dtype($x,f64) then=inc else=dec\n",
     "call $x=[$n] seed=$r\ncall $x=[$n]:f64 seed=$r\n"},
    {"ignore_attr:$s",
     "slot $s attr bool true\ninput $x f32 [n]\nop out branch $x on=$s then=inc else=dec\n",
     "call $x=[$n] seed=$r\nset $s false\nagain 1\n"},
    {"ignore_identity", "input $x f32 [n]\ninput $z f32 [n]\nop $y add_ $x 1.0\nop out mul $y $z\n",
     "call $x=[$n] $z=[$n] seed=$r\ncall $x=[$n] $z=@$x seed=$r\n"},
    {"ignore_training", "input $x f32 [n,$m]\nop out batch_norm $x\n",
     "call $x=[$n,$m] seed=$r\neval\nagain 1\n"},
    {"ignore_grad_mode", "input $x f32 [n]\nop out branch $x on=grad_enabled then=inc else=dec\n",
     "call $x=[$n] seed=$r\nflag grad off\nagain 1\n"},
    {"ignore_global:$s", "slot $s global float 1.5\ninput $x f32 [n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nset $s 2.5\nagain 1\n"},
    {"stale_tensor:$s", "slot $s attr tensor [$n]:s$r\ninput $x f32 [$n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nupdate $s\nagain 1\n"},
    {"wrong_op:sin", "input $x f32 [n]\nop out sin $x\n", "call $x=[$n] seed=$r\n"},
    {"raise_on_reuse", "input $x f32 [n]\nop out neg $x\n", "call $x=[$n] seed=$r\nagain 1\n"},
    // Ten more.
    {"ignore_layout", "input $x f32 [n,$m]\nop out branch $x on=contiguous($x) then=inc else=dec\n",
     "call $x=[$n,$m] seed=$r\ncall $x=[$n,$m]:transposed seed=$r\n"},
    {"ignore_closure:$s", "slot $s closure float 1.5\ninput $x f32 [n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nset $s 2.5\nagain 1\n"},
    {"ignore_dict:$s", "slot $s dict float 1.5\ninput $x f32 [n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nset $s 2.5\nagain 1\n"},
    {"ignore_class:$s", "slot $s class float 1.5\ninput $x f32 [n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nset $s 2.5\nagain 1\n"},
    {"ignore_default:$s", "slot $s default float 1.5\ninput $x f32 [n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nset $s 2.5\nagain 1\n"},
    {"ignore_arg:$z", "input $x f32 [n]\ninput $z float\nop out mul $x $z\n",
     "call $x=[$n] $z=1.5 seed=$r\ncall $x=[$n] $z=2.5 seed=$r\n"},
    {"stale_tensor:$s", "slot $s buffer tensor [$n]:s$r\ninput $x f32 [$n]\nop out mul $x $s\n",
     "call $x=[$n] seed=$r\nupdate $s\nagain 1\n"},
    {"wrong_op:abs", "input $x f32 [n]\nop out abs $x\n", "call $x=[$n] seed=$r\n"},
    {"wrong_op:softmax", "input $x f32 [n]\nop out softmax $x\n", "call $x=[$n] seed=$r\n"},
    {"leak_grad_mode", "input $x f32 [n]\nop out neg $x\n", "call $x=[$n] seed=$r\nagain 1\n"},
};
constexpr size_t kFirstBugs = 10, kVariants = 20;

std::string RandomName(Random& random) {
  std::string name;
  for (size_t i = 2 + random() % 6; i-- > 0;) name += static_cast<char>('a' + random() % 26);
  return name + "_";  // no word of the language ends like that
}

void Shuffle(std::vector<std::string>* lines, Random& random) {
  std::shuffle(lines->begin(), lines->end(), random);
}

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

// A case with the bug, with things in it that have nothing to do with it.
struct Variant {
  std::string fault, text;
};
Variant Vary(const Bug& bug, uint64_t seed) {
  Random random(seed);
  std::vector<std::string> model = Lines(bug.model), steps = Lines(bug.steps);
  std::string returns = "return out";
  if (seed > 0) {
    // The order of operators has a meaning; slots may stand anywhere.
    for (size_t i = random() % 3; i-- > 0;) {
      const std::string name = RandomName(random);
      model.insert(model.begin(), absl::StrCat("slot ", name, " global float 1.5"));
      steps.insert(steps.begin(), absl::StrCat("set ", name, " 2.5"));
    }
    for (size_t i = random() % 3; i-- > 0;) {
      const std::string name = RandomName(random);
      model.push_back(absl::StrCat("op ", name, random() % 2 ? " relu" : " twice", " $x"));
      if (random() % 2) absl::StrAppend(&returns, " ", name);
    }
    // Nothing that lets the compiler forget may come between the calls of the bug.
    if (random() % 3 == 0) steps.insert(steps.begin(), "flag grad on");
    if (random() % 3 == 0) steps.push_back("again 1");
    std::vector<std::string> slots;
    std::erase_if(model, [&](const std::string& line) {
      const bool slot = absl::StartsWith(line, "slot");
      if (slot) slots.push_back(line);
      return slot;
    });
    Shuffle(&slots, random);
    model.insert(model.end(), slots.begin(), slots.end());
  }
  const int n = 2 + static_cast<int>(random() % 7), m = n + 1 + static_cast<int>(random() % 5);
  std::vector<std::pair<std::string, std::string>> words{
      {"$n", absl::StrCat(n)}, {"$m", absl::StrCat(m)}, {"$r", absl::StrCat(1 + random() % 999)}};
  for (const char* name : {"$x", "$y", "$z", "$s"}) words.emplace_back(name, RandomName(random));
  const std::string text = absl::StrCat("reprise 1\n", absl::StrJoin(model, "\n"), "\n", returns,
                                        "\n", absl::StrJoin(steps, "\n"), "\n");
  return {absl::StrReplaceAll(bug.fault, words), absl::StrReplaceAll(text, words)};
}

// As a campaign does it.
Signature SignatureOfVariant(const Variant& variant) {
  const PlantedFault fault(variant.fault);
  const Framework& mock = *FindFramework("mock");
  TestCase test = Parse(variant.text);
  Repair(mock.capabilities(), &test);
  const JudgeOptions quick{.policy = ResetPolicy::kDemand};
  const Judgement alarm = Judge(mock, MockRuntime(), test, quick);
  EXPECT_TRUE(alarm.alarm()) << variant.fault << "\n" << variant.text;
  if (!alarm.alarm()) return {};
  const TestCase shorter =
      Refine(mock.capabilities(), test, alarm.step, [&](const TestCase& candidate) {
        return SameKind(Judge(mock, MockRuntime(), candidate, quick), alarm);
      });
  return SignatureOf("mock", shorter, Judge(mock, MockRuntime(), shorter, quick));
}

TEST(Signatures, VariantsOfTenBugsFallIntoTenGroups) {
  std::map<std::string, std::set<std::string>> bugs_of;  // by signature
  for (size_t bug = 0; bug < kFirstBugs; ++bug) {
    std::map<std::string, std::string> groups;  // text of the signature, and a case
    for (uint64_t seed = 0; seed < kVariants; ++seed) {
      const Variant variant = Vary(kBugs[bug], seed);
      const Signature signature = SignatureOfVariant(variant);
      groups.emplace(signature.text, variant.text);
      bugs_of[signature.hash].insert(kBugs[bug].fault);
    }
    EXPECT_EQ(groups.size(), 1u) << kBugs[bug].fault << ": "
                                 << absl::StrJoin(groups, "\n", absl::PairFormatter("\n"));
  }
  EXPECT_EQ(bugs_of.size(), kFirstBugs);
}

TEST(Signatures, TwentyBugsDoNotShareOne) {
  std::map<std::string, std::string> bug_of;
  for (const Bug& bug : kBugs) {
    const Signature signature = SignatureOfVariant(Vary(bug, 0));
    const auto [other, is_new] = bug_of.emplace(signature.text, bug.fault);
    EXPECT_TRUE(is_new) << bug.fault << " and " << other->second << ": " << signature.text;
    std::printf("%-18s %s\n", bug.fault, signature.text.c_str());
  }
}

}  // namespace
}  // namespace reprise
