// Behaviour keys: the tables, and what single steps hit, with signals made up here.
#include "feedback/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr char kModel[] = "slot a attr float 1.5\nslot w attr tensor [4]:f32\ninput x f32 [n,4]\n";

// Names of the keys of one family that the last step has.
std::vector<std::string> LastKeys(const std::string& family, const std::string& steps,
                                  const std::vector<CallSignals>& signals) {
  const TestCase test = Parse(kModel + steps);
  EXPECT_EQ(test.steps.size(), signals.size()) << steps;
  std::vector<std::string> names;
  const auto keys = KeysByStep(test, signals);
  for (const Key& key : keys.back()) {
    const std::string name = NameOf(key);
    if (absl::StartsWith(name, family + ": ")) names.push_back(name.substr(family.size() + 2));
  }
  return names;
}

TEST(Families, FitTheirDomains) {
  for (const Family* family : Families())
    EXPECT_LE(family->cells(), DomainSize(family->domain)) << family->name;
}

TEST(Families, NamesAreUnique) {
  std::set<std::string> names;
  size_t cells = 0;
  for (size_t family = 0; family < Families().size(); ++family) {
    for (size_t cell = 0; cell < Families()[family]->cells(); ++cell, ++cells)
      names.insert(NameOf({family, cell}));
  }
  EXPECT_EQ(names.size(), cells);
}

// Every rule excludes something, none excludes everything, and each says why.
TEST(Families, RulesHaveReasonsAndAreNeeded) {
  for (const Family* family : Families()) {
    std::set<std::string> used;
    size_t excluded = 0;
    for (size_t cell = 0; cell < family->cells(); ++cell) {
      if (const Rule* rule = family->Excluded(cell)) {
        used.insert(rule->reason);
        ++excluded;
      }
    }
    EXPECT_EQ(used.size(), family->rules.size()) << family->name;
    EXPECT_EQ(used.count(""), 0u);
    EXPECT_LT(excluded, family->cells());
    RecordProperty(family->name, absl::StrCat(family->cells(), " cells, ", excluded, " excluded"));
    std::printf("%s: %zu cells, %zu of them excluded\n", family->name.c_str(), family->cells(),
                excluded);
  }
}

TEST(Families, CellsAndPositionsAreInverse) {
  for (const Family* family : Families()) {
    size_t base = 0;
    for (size_t i = 0; i < family->lattices.size(); ++i) {
      const Lattice& lattice = family->lattices[i];
      for (size_t cell = 0; cell < lattice.cells(); ++cell)
        EXPECT_EQ(family->Cell(i, lattice.At(cell)), base + cell);
      base += lattice.cells();
    }
  }
}

// Whatever a case passes and does, no cell is hit that is said not to occur.
TEST(Keys, OfAnyCaseCanOccur) {
  const Capabilities anything = FindFramework("pytorch")->capabilities();
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const TestCase test = RandomCase(anything, seed, 12);
    std::vector<CallSignals> signals(test.steps.size());
    for (size_t i = 0; i < signals.size(); ++i)
      if (IsJudged(test.steps[i])) signals[i].event = "recompiled_static";
    for (const Key& key : KeysOf(test, signals)) {
      const Rule* rule = Families()[key.family]->Excluded(key.cell);
      EXPECT_EQ(rule, nullptr) << NameOf(key) << ": " << rule->reason;
    }
  }
}

TEST(Path, IsEventBreaksAndDirection) {
  EXPECT_THAT(LastKeys("path", "call x=[2,4]\n", {{"cold"}}),
              ElementsAre("cold, no graph break, forward"));
  EXPECT_THAT(LastKeys("path", "call x=[2,4]\n", {{"fallback", 5}}),
              ElementsAre("fallback, more graph breaks, forward"));
  EXPECT_THAT(LastKeys("path", "call x=[2,4]:grad\nbackward 1\n", {{"cold"}, {"reused"}}),
              ElementsAre("reused, no graph break, backward"));
  EXPECT_THAT(LastKeys("path", "call x=[2,4]\n", {{""}}), IsEmpty());
  EXPECT_THAT(LastKeys("path", "call x=[2,4]\nwrite 1\n", {{"cold"}, {"reused"}}), IsEmpty());
}

TEST(Guard, IsOneKeyPerFact) {
  CallSignals signals{"recompiled_static"};
  AddGuard("tensor_size", "argument", "failed", &signals);
  AddGuard("equals", "attribute", "held", &signals);
  AddGuard("equals", "attribute", "held", &signals);
  EXPECT_THAT(LastKeys("guard", "call x=[2,4]\n", {signals}),
              UnorderedElementsAre("tensor_size, argument, failed", "equals, attribute, held"));
}

TEST(History, AFirstCallHasNone) {
  EXPECT_THAT(LastKeys("history", "set a 2.0\ncall x=[2,4]\n", {{}, {"cold"}}), IsEmpty());
}

TEST(History, OfABackwardThereIsNone) {
  EXPECT_THAT(LastKeys("history", "call x=[2,4]:grad\nbackward 1\n", {{"cold"}, {"reused"}}),
              IsEmpty());
}

struct Past {
  const char* steps;
  size_t count;
  const char* relation;
};

TEST(History, TellsHowACallRelatesToThePast) {
  for (const Past& past : {
           Past{"call x=[2,4]\nagain 1\n", 2, "same as the last call"},
           {"call x=[2,4]\ncall x=[2,4]\n", 2, "same as the last call"},
           {"call x=[2,4]\ncall x=[3,4]\nagain 1\n", 3, "same as an earlier call"},
           {"call x=[2,4]\ncall x=[3,4]\nagain 2\n", 3, "same as the last call"},
           {"call x=[2,4]\ncall x=[2,4] seed=2\n", 2, "other values"},
           {"call x=[2,4]\ncall x=[2,4]:x10\n", 2, "other values"},
           {"call x=[2,4]\ncall x=[3,4]\n", 2, "other size"},
           {"call x=[2,4]\ncall x=[3,4] seed=2\n", 2, "other size"},
           {"call x=[2,4]\ncall x=[1,4]\n", 2, "size to or from 0 or 1"},
           {"call x=[2,4]\ncall x=[2,4]:f64\n", 2, "other dtype"},
           {"call x=[2,4]\ncall x=[2,4]:transposed\n", 2, "other layout"},
           {"call x=[2,4]\ncall x=[2,4]:grad\n", 2, "other gradient"},
           {"call x=[2,4]\ncall x=[2,4]:dynamic0\n", 2, "other mark"},
           {"call x=[2,4]\ncall x=[2,4]:tag3\n", 2, "other subclass"},
           {"call x=[2,4]\ncall x=view(0,2,[2,4])\n", 2, "other aliases"},
           {"call x=[2,4]\ncall x=[2,4] under=no_grad\n", 2, "other context"},
           {"call x=[2,4]\ncall x=[3,4]:f64\n", 2, "several changes"},
           {"call x=[2,4]\ncall x=[3,4]:f64\ncall x=[3,4]\n", 3, "other dtype"},
       }) {
    std::vector<CallSignals> signals(past.count, {"cold"});
    EXPECT_THAT(LastKeys("history", past.steps, signals),
                ElementsAre(absl::StrCat(past.relation, ", nothing since, cold")))
        << past.steps;
  }
}

TEST(History, TellsWhatWasDoneSince) {
  EXPECT_THAT(LastKeys("history", "call x=[2,4]\nset a 2.0\neval\nset a 3.0\nagain 1\n",
                       {{"cold"}, {}, {}, {}, {"reused"}}),
              ElementsAre("same as the last call, slot set, reused",
                          "same as the last call, mode changed, reused"));
}

TEST(History, EveryStepOfTheLanguageHasAKind) {
  for (const StepRow& row : Steps()) {
    const std::string steps = absl::StrCat("call x=[2,4]\n", row.name, "\ncall x=[2,4]\n");
    const TestCase test = Parse(kModel + steps);
    if (test.steps.size() != 3 || IsCall(test.steps[1])) continue;
    for (const std::string& key : LastKeys("history", steps, {{"cold"}, {}, {"cold"}}))
      EXPECT_FALSE(absl::StrContains(key, "other step")) << row.name;
  }
}

TEST(Words, SayWhatWasDoneToEachSlotSinceTheLastCall) {
  EXPECT_THAT(LastKeys("words", "call x=[2,4]\nset a 2.0\nagain 1\n", {{"cold"}, {}, {"reused"}}),
              testing::IsSupersetOf({"in attr, set, reused", "in attr, untouched, reused",
                                     "a float, set, reused", "a tensor, untouched, reused"}));
  EXPECT_THAT(
      LastKeys("words", "set a 2.0 via=dict\ncall x=[2,4]\nagain 1\n", {{}, {"cold"}, {"reused"}}),
      testing::Not(testing::Contains("a float, set via dict, reused")));
  EXPECT_THAT(LastKeys("words", "set a 2.0 via=dict\ncall x=[2,4]\n", {{}, {"cold"}}),
              testing::Contains("a float, set via dict, cold"));
}

TEST(Input, IsPairwiseOverWhatATensorIs) {
  const auto keys = LastKeys("input", "call x=[2,4]:f64:transposed:grad\n", {{"cold"}});
  EXPECT_EQ(keys.size(), 28u);  // pairs of eight
  EXPECT_THAT(keys, testing::IsSupersetOf({"rank 2, different sizes", "f64, transposed",
                                           "transposed, gradient", "unit values, no mark"}));
}

TEST(Signals, UnknownWordsAreOtherAndCounted) {
  CallSignals signals;
  AddEvent("reused", &signals);
  AddGuard("tensor", "argument", "held", &signals);
  EXPECT_EQ(signals.unknown, 0);
  AddEvent("digested", &signals);
  EXPECT_EQ(signals.event, "reused");
  AddGuard("taste", "kitchen", "failed", &signals);
  AddGuard("tensor", "argument", "perhaps", &signals);
  EXPECT_EQ(signals.unknown, 4);
  EXPECT_EQ(signals.guards.size(), 2u);
  EXPECT_STREQ(GuardKinds()[signals.guards.back().kind].word, "other");
  EXPECT_STREQ(GuardSources()[signals.guards.back().source].word, "other");
}

TEST(Signals, WordsAreUnique) {
  for (const auto* table : {&CompilerEvents(), &GuardKinds(), &GuardSources(), &GuardOutcomes()}) {
    for (size_t i = 0; i < table->size(); ++i)
      EXPECT_EQ(FindWord(*table, (*table)[i].word), static_cast<int>(i));
  }
}

}  // namespace
}  // namespace reprise
