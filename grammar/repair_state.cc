#include "grammar/repair_state.h"

#include <algorithm>
#include <set>

#include "grammar/arguments.h"
#include "grammar/infer.h"
#include "grammar/resolve.h"

namespace reprise {
namespace {

const Slot* ParamSlot(const TestCase& test, const std::string& name) {
  const Slot* slot = FindSlot(test, name);
  return slot != nullptr && slot->home == FindHome("param") ? slot : nullptr;
}

// A leaf that asks for a gradient, and memory whose elements overlap, cannot be written in place.
void RepairWrites(TestCase* test) {
  for (Op& op : test->ops) {
    if ((op.row->flags & kInPlace) == 0) continue;
    if (ParamSlot(*test, op.operands[0]) != nullptr) {
      op.row = FindOperator(op.row->name == std::string("add_") ? "add" : "mul");
      continue;
    }
    const Input* input = FindInput(*test, op.operands[0]);
    if (input == nullptr) continue;
    const auto index = static_cast<size_t>(input - test->inputs.data());
    for (Step& step : test->steps) {
      if (step.arguments.empty()) continue;
      const int origin = OriginOfArgument(*test, step, index);
      if (origin >= 0) {
        Argument& a = step.arguments[static_cast<size_t>(origin)];
        a.grad = false;
        if (a.layout->overlapping) a.layout = &Layouts()[0];
      } else if (ParamSlot(*test, step.arguments[index].value) != nullptr) {
        const TensorLiteral tensor = EffectiveTensor(*test, step, index);
        step.arguments[index] = ParseArgument(*input, ShapeText(tensor.shape));
      }
    }
  }
}

// What a step needs must be there: a deleted slot can only be set.
void RepairDeletions(TestCase* test) {
  std::set<std::string> deleted;
  std::erase_if(test->steps, [&](const Step& step) {
    if (step.row->fits == nullptr) return false;
    if (step.row == FindStep("set")) {
      deleted.erase(step.attrs[0]);
      return false;
    }
    if (step.row == FindStep("delete")) return !deleted.insert(step.attrs[0]).second;
    return deleted.contains(step.attrs[0]) || deleted.contains(Attr(step, "other"));
  });
}

bool ModelHasParameters(const TestCase& test) {
  return std::any_of(test.ops.begin(), test.ops.end(),
                     [](const Op& op) { return (op.row->flags & kParameters) != 0; }) ||
         std::any_of(test.slots.begin(), test.slots.end(),
                     [](const Slot& s) { return s.home == FindHome("param"); });
}

bool HasFloatResult(const TestCase& test, int step, const Inference& construction) {
  const Inference inference =
      InferCall(test, step, step == FirstCall(test) ? nullptr : &construction);
  return std::any_of(test.returns.begin(), test.returns.end(), [&](const std::string& name) {
    const ValueInfo& info = inference.values.at(name);
    return info.type == Type::kTensor && IsFloat(info.dtype);
  });
}

bool AsksForGradient(const Step& call) {
  return std::any_of(call.arguments.begin(), call.arguments.end(),
                     [](const Argument& a) { return a.grad; });
}

// Keeps a backward only where its call recorded something, and only once per call.
void RepairBackwards(TestCase* test) {
  const Inference construction = InferCall(*test, FirstCall(*test), nullptr);
  const bool parameters = ModelHasParameters(*test);
  std::set<int> differentiable;  // steps of calls whose backward is still to be had
  bool recording = true;
  std::vector<size_t> dropped;
  for (size_t i = 0; i < test->steps.size(); ++i) {
    const Step& step = test->steps[i];
    const int index = static_cast<int>(i);
    if (step.row == FindStep("grad")) recording = step.attrs[0] == "on";
    if (IsCall(step)) {
      const Step& root = test->steps[static_cast<size_t>(RootOfCall(*test, index))];
      const bool records = recording && Attr(root, "under").empty();
      const bool wanted = parameters || AsksForGradient(root);
      if (records && wanted && HasFloatResult(*test, index, construction))
        differentiable.insert(index);
    }
    if (step.row == FindStep("backward")) {
      const int call = StepOfCall(*test, ParseInt(step.attrs[0], 1));
      if (differentiable.erase(call) == 0) dropped.push_back(i);
    }
  }
  for (auto it = dropped.rbegin(); it != dropped.rend(); ++it) {
    test->steps.erase(test->steps.begin() + static_cast<std::ptrdiff_t>(*it));
  }
}

}  // namespace

void RepairState(TestCase* test) {
  RepairWrites(test);
  RepairDeletions(test);
  Resolve(test);
  RepairBackwards(test);
}

}  // namespace reprise
