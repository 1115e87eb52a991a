#include "mutators/mutate.h"

#include "grammar/edit.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "grammar/resolve.h"
#include "mutators/call_edits.h"
#include "mutators/model_edits.h"
#include "mutators/random_parts.h"
#include "mutators/sequence_edits.h"

namespace reprise {
namespace {

constexpr int kTries = 50;

const MutationOperator& PickOperator(Random& random) {
  static const int total = [] {
    int sum = 0;
    for (const MutationOperator& op : MutationOperators()) sum += op.weight;
    return sum;
  }();
  auto ticket = static_cast<int>(Below(random, static_cast<size_t>(total)));
  for (const MutationOperator& op : MutationOperators()) {
    ticket -= op.weight;
    if (ticket < 0) return op;
  }
  return MutationOperators().back();
}

// Drops what makes the text longest until it fits; every state on the way is a case.
void ShrinkOnce(TestCase* test) {
  if (test->steps.size() > 3) {
    test->steps.resize(test->steps.size() / 2);
  } else if (test->steps.size() > 1) {
    test->steps.pop_back();
  } else if (!test->ops.empty()) {
    BypassOp(test->ops.size() - 1, test);
  } else if (!test->slots.empty()) {
    test->slots.pop_back();
  } else {
    EraseInput(test->inputs.size() - 1, test);
  }
}

}  // namespace

const std::vector<MutationOperator>& MutationOperators() {
  static const auto* operators = new std::vector<MutationOperator>{
      {"edit a call", 5, EditSomeCall},
      {"append a return", 5, AppendReturn},
      {"append a variant of a call", 8, AppendVariant},
      {"insert a state step", 4, InsertStateStep},
      {"append a state step and a return", 10, AppendUpdateAndReturn},
      {"edit a state step", 3, EditStateStep},
      {"delete a step", 4, DeleteStep},
      {"move a step", 2, MoveStep},
      {"insert an operator", 4, InsertOp},
      {"delete an operator", 3, DeleteOp},
      {"replace an operator", 2, ReplaceOp},
      {"edit an operator", 3, EditOp},
      {"add a slot", 3, AddSlot},
      {"add a slot and a step on it", 8, AddSlotAndStep},
      {"add an input", 3, AddInput},
      {"add an identity test", 4, AddIdentityTest},
      {"drop a slot or an input", 2, DropSlotOrInput},
      {"edit a compile option", 1, EditCompile},
  };
  return *operators;
}

TestCase Mutate(const Capabilities& can, const TestCase& test, Random& random) {
  const std::string before = Print(test);
  for (int i = 0; i < kTries; ++i) {
    TestCase mutant = test;
    if (!PickOperator(random).apply(can, random, &mutant)) continue;
    Resolve(&mutant);
    Repair(can, &mutant);
    if (Print(mutant) != before) return mutant;
  }
  // Another seed always makes another case.
  TestCase mutant = test;
  Step& call = mutant.steps[CallStatements(mutant)[0]];
  call.attrs[0] = IntText((ParseInt(call.attrs[0], 0) + 1) % 99'999);
  return mutant;
}

TestCase Shrink(const Capabilities& can, const TestCase& test, size_t max_bytes) {
  TestCase small = test;
  while (Print(small).size() > max_bytes) {
    const bool smallest = small.steps.size() <= 1 && small.ops.empty() && small.slots.empty() &&
                          small.inputs.size() <= 1;
    if (smallest) break;
    ShrinkOnce(&small);
    Resolve(&small);
    Repair(can, &small);
  }
  return small;
}

TestCase ShrinkRandomly(const Capabilities& can, const TestCase& test, size_t max_bytes,
                        Random& random) {
  TestCase small = test;
  for (int tries = 0; tries < kTries; ++tries) {
    const size_t parts = small.steps.size() + small.ops.size() + small.slots.size();
    if (parts == 0) break;
    const size_t part = Below(random, parts), steps = small.steps.size();
    const size_t not_slots = steps + small.ops.size();
    if (part < steps) {
      EraseStep(part, &small);
    } else if (part < not_slots) {
      BypassOp(part - steps, &small);
    } else {
      small.slots.erase(small.slots.begin() + static_cast<ptrdiff_t>(part - not_slots));
    }
    Resolve(&small);
    Repair(can, &small);
    if (Print(small).size() <= max_bytes) return small;
  }
  return Shrink(can, small, max_bytes);
}

TestCase RandomSequence(const Capabilities& can, const TestCase& test, size_t steps,
                        Random& random) {
  TestCase result = test;
  const std::vector<size_t> calls = CallStatements(result);
  result.steps = {result.steps[calls[0]]};
  for (int tries = 0; result.steps.size() < steps && tries < 200; ++tries) {
    TestCase next = result;
    const size_t what = Below(random, 10);
    const bool done = what < 4   ? AppendVariant(can, random, &next)
                      : what < 6 ? AppendReturn(can, random, &next)
                                 : AppendUpdateAndReturn(can, random, &next);
    if (!done) continue;
    Resolve(&next);
    Repair(can, &next);
    result = std::move(next);
  }
  return result;
}

}  // namespace reprise
