#include "mutators/sequence_edits.h"

#include <algorithm>

#include "grammar/edit.h"
#include "mutators/call_edits.h"
#include "mutators/random_parts.h"

namespace reprise {
namespace {

bool Full(const TestCase& test, size_t room = 1) { return test.steps.size() + room > kGrownSteps; }

Step Return(Random& random, const TestCase& test) {
  const auto calls = std::count_if(test.steps.begin(), test.steps.end(), IsCall);
  const size_t which = 1 + Below(random, static_cast<size_t>(calls));
  return {FindStep("again"), {IntText(static_cast<int64_t>(which))}, {}};
}

}  // namespace

bool AppendReturn(const Capabilities&, Random& random, TestCase* test) {
  if (Full(*test)) return false;
  test->steps.push_back(Return(random, *test));
  return true;
}

bool AppendVariant(const Capabilities& can, Random& random, TestCase* test) {
  if (Full(*test)) return false;
  const size_t from = Pick(random, CallStatements(*test));
  const Step copy = test->steps[from];
  const size_t at = Chance(random, 0.7) ? test->steps.size() : from + 1;
  InsertStep(at, copy, test);
  return EditCall(can, random, at, test);
}

bool InsertStateStep(const Capabilities& can, Random& random, TestCase* test) {
  if (Full(*test)) return false;
  const size_t at = 1 + Below(random, test->steps.size());
  InsertStep(at, RandomStateStep(can, random, *test), test);
  return true;
}

bool AppendUpdateAndReturn(const Capabilities& can, Random& random, TestCase* test) {
  if (Full(*test, 2)) return false;
  test->steps.push_back(RandomStateStep(can, random, *test));
  test->steps.push_back(Return(random, *test));
  return true;
}

bool EditStateStep(const Capabilities&, Random& random, TestCase* test) {
  std::vector<Step*> steps;
  for (Step& step : test->steps) {
    if (!IsCall(step) && !step.attrs.empty()) steps.push_back(&step);
  }
  if (steps.empty()) return false;
  Step& step = *Pick(random, steps);
  const size_t attr = Below(random, step.attrs.size());
  const AttrSpec& spec = step.row->attrs[attr];
  const Slot* slot = FindSlot(*test, step.attrs[0]);
  step.attrs[attr] = spec.kind == AttrKind::kLiteral && slot != nullptr
                         ? RandomLiteral(random, slot->type)
                         : RandomAttribute(random, spec);
  return true;
}

bool DeleteStep(const Capabilities&, Random& random, TestCase* test) {
  if (test->steps.size() < 2) return false;
  EraseStep(Below(random, test->steps.size()), test);
  return true;
}

bool MoveStep(const Capabilities&, Random& random, TestCase* test) {
  if (test->steps.size() < 2) return false;
  const size_t i = Below(random, test->steps.size() - 1);
  std::swap(test->steps[i], test->steps[i + 1]);
  return true;
}

}  // namespace reprise
