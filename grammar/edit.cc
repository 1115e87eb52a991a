#include "grammar/edit.h"

#include <algorithm>

namespace reprise {
namespace {

// Number of the call-like step at `index`, counted from 1.
int64_t CallNumber(const TestCase& test, size_t index) {
  return std::count_if(test.steps.begin(),
                       test.steps.begin() + static_cast<std::ptrdiff_t>(index) + 1, IsCall);
}

bool RefersToCall(const Step& step) {
  return !step.row->attrs.empty() && step.row->attrs[0].kind == AttrKind::kCall;
}

// Calls `edit` for every argument that is what an earlier call returned.
void ForOutputs(std::vector<Argument>* arguments, const auto& edit) {
  for (Argument& a : *arguments) {
    if (a.pattern != nullptr && a.pattern->pattern == Pattern::kOutput) edit(&a);
    ForOutputs(&a.items, edit);
  }
}

// Adds `by` to every call number that is at least `from`.
void ShiftCalls(TestCase* test, size_t first_step, int64_t from, int64_t by) {
  for (size_t i = first_step; i < test->steps.size(); ++i) {
    Step& step = test->steps[i];
    ForOutputs(&step.arguments, [&](Argument* a) { a->call += a->call >= from ? by : 0; });
    if (!RefersToCall(step)) continue;
    const int64_t call = ParseInt(step.attrs[0], 1);
    if (call >= from) step.attrs[0] = IntText(call + by);
  }
}

}  // namespace

void EraseStep(size_t index, TestCase* test) {
  if (!IsCall(test->steps[index])) {
    test->steps.erase(test->steps.begin() + static_cast<std::ptrdiff_t>(index));
    return;
  }
  const int64_t number = CallNumber(*test, index);
  const std::string text = IntText(number);
  const Step root = test->steps[static_cast<size_t>(RootOfCall(*test, static_cast<int>(index)))];
  std::vector<Step> kept(test->steps.begin(),
                         test->steps.begin() + static_cast<std::ptrdiff_t>(index));
  for (size_t i = index + 1; i < test->steps.size(); ++i) {
    Step step = test->steps[i];
    if (RefersToCall(step) && step.attrs[0] == text) {
      if (!IsCall(step)) continue;
      step = root;
    }
    // What the removed call returned is gone: a fresh tensor takes its place.
    ForOutputs(&step.arguments, [&](Argument* a) {
      if (a->call == number) *a = Argument();
    });
    kept.push_back(std::move(step));
  }
  test->steps = std::move(kept);
  ShiftCalls(test, index, number + 1, -1);
}

void InsertStep(size_t index, Step step, TestCase* test) {
  const bool call = IsCall(step);
  test->steps.insert(test->steps.begin() + static_cast<std::ptrdiff_t>(index), std::move(step));
  if (call) ShiftCalls(test, index + 1, CallNumber(*test, index), 1);
}

void ReplaceUses(const std::string& name, const std::string& by, TestCase* test) {
  for (Op& op : test->ops) std::replace(op.operands.begin(), op.operands.end(), name, by);
  std::replace(test->returns.begin(), test->returns.end(), name, by);
}

void BypassOp(size_t index, TestCase* test) {
  const std::string name = test->ops[index].name, operand = test->ops[index].operands[0];
  test->ops.erase(test->ops.begin() + static_cast<std::ptrdiff_t>(index));
  ReplaceUses(name, operand, test);
}

void EraseInput(size_t index, TestCase* test) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  test->inputs.erase(test->inputs.begin() + at);
  for (Step& step : test->steps) {
    if (!step.arguments.empty()) step.arguments.erase(step.arguments.begin() + at);
  }
}

void InsertInput(size_t index, Input input, TestCase* test) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  test->inputs.insert(test->inputs.begin() + at, std::move(input));
  for (Step& step : test->steps) {
    if (!step.arguments.empty()) step.arguments.insert(step.arguments.begin() + at, Argument());
  }
}

}  // namespace reprise
