// Mutation: a different legal case every time, from everywhere, reproducibly.
#include "mutators/mutate.h"

#include <gtest/gtest.h>

#include <set>

#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "grammar/resolve.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

const Capabilities& Can() { return FindFramework("pytorch")->capabilities(); }

TEST(Mutate, GivesADifferentLegalCanonicalCase) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const TestCase test = RandomCase(Can(), seed, static_cast<int>(seed % 8));
    const TestCase mutant = Mutate(Can(), test, random);
    EXPECT_NE(Print(mutant), Print(test));
    EXPECT_EQ(Parse(Print(mutant)), mutant);
    TestCase repaired = mutant;
    Repair(Can(), &repaired);
    EXPECT_EQ(repaired, mutant) << Print(mutant);
  }
}

TEST(Mutate, IsDeterministic) {
  const TestCase test = RandomCase(Can(), 3, 5);
  Random a(7), b(7);
  EXPECT_EQ(Print(Mutate(Can(), test, a)), Print(Mutate(Can(), test, b)));
}

TEST(Mutate, EveryOperatorApplies) {
  for (const MutationOperator& op : MutationOperators()) {
    int applied = 0;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      Random random(seed);
      TestCase test = RandomCase(Can(), seed, 3);
      const std::string before = Print(test);
      if (!op.apply(Can(), random, &test)) continue;
      Resolve(&test);
      Repair(Can(), &test);
      applied += Print(test) != before ? 1 : 0;
    }
    EXPECT_GT(applied, 20) << op.name;
  }
}

TEST(Mutate, ReachesEveryWord) {
  std::set<std::string> ops, steps, homes, layouts, predicates;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const TestCase test = RandomCase(Can(), seed, 12);
    for (const Op& op : test.ops) ops.insert(op.row->name);
    for (const Slot& slot : test.slots) homes.insert(slot.home->name);
    for (const Step& step : test.steps) {
      steps.insert(step.row->name);
      for (const Argument& a : step.arguments) layouts.insert(a.layout->name);
    }
  }
  EXPECT_EQ(ops.size(), Operators().size());
  EXPECT_EQ(steps.size(), Steps().size());
  EXPECT_EQ(homes.size(), Homes().size());
  EXPECT_EQ(layouts.size(), Layouts().size());
}

TEST(Shrink, ComesBelowTheLimitAndStaysLegal) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const TestCase test = RandomCase(Can(), seed, 15);
    const size_t limit = Print(test).size() - 1;
    const TestCase small = Shrink(Can(), test, limit);
    EXPECT_LE(Print(small).size(), limit) << Print(test);
  }
}

TEST(RandomSequence, KeepsTheModelAndHasTheLengthAskedFor) {
  TestCase seed_case =
      Parse("slot flag attr bool true\ninput x f32 [n,4]\nop y branch x on=flag\ncall x=[2,4]\n");
  Repair(Can(), &seed_case);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const TestCase test = RandomSequence(Can(), seed_case, 6, random);
    EXPECT_EQ(test.ops, seed_case.ops);
    EXPECT_GE(test.steps.size(), 6u);
    EXPECT_LE(test.steps.size(), 8u);
  }
}

}  // namespace
}  // namespace reprise
