#include "grammar/repair_state.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "grammar/arguments.h"
#include "grammar/edit.h"
#include "grammar/infer.h"
#include "grammar/resolve.h"

namespace reprise {
namespace {

const Slot* ParamSlot(const TestCase& test, const std::string& name) {
  const Slot* slot = FindSlot(test, name);
  return slot != nullptr && slot->home == FindHome("param") ? slot : nullptr;
}

// Function transforms want functions without side effects.
void RepairTransforms(TestCase* test) {
  for (Op& op : test->ops) {
    if (op.context == nullptr || (op.context->flags & kTransform) == 0) continue;
    const bool writes = std::any_of(op.row->attrs.begin(), op.row->attrs.end(),
                                    [](const auto& a) { return a.kind == AttrKind::kWritten; });
    const unsigned effects = kInPlace | kRandom | kPythonRandom | kRaises | kBreaksGraph;
    if (writes || (op.row->flags & effects) != 0) op.context = nullptr;
  }
}

// Memory whose elements overlap cannot be written in place, nor can a leaf that asks for a
// gradient: what is derived from one can.
void MakeWritable(Argument* a) {
  if (a->grad) a->derived = true;
  if (a->layout->overlapping) a->layout = &Layouts()[0];
}

void RepairWrites(TestCase* test) {
  for (Op& op : test->ops) {
    if ((op.row->flags & kInPlace) == 0) continue;
    if (ParamSlot(*test, op.operands[0]) != nullptr) {
      const std::string out_of_place(op.row->name, std::strlen(op.row->name) - 1);
      const OpRow* row = FindOperator(out_of_place);
      const bool same = row != nullptr && row->operands == std::string(op.row->operands);
      op = same ? Op{op.name, row, op.operands, op.attrs, op.context}
                : Op{op.name, FindOperator("neg"), {op.operands[0]}, {}, op.context};
      continue;
    }
    const Input* input = FindInput(*test, op.operands[0]);
    if (input == nullptr) continue;
    const auto index = static_cast<size_t>(input - test->inputs.data());
    for (Step& step : test->steps) {
      if (step.arguments.empty()) continue;
      const int origin = OriginOfArgument(*test, step, index);
      if (origin >= 0) {
        MakeWritable(&step.arguments[static_cast<size_t>(origin)]);
      } else if (ParamSlot(*test, step.arguments[index].value) != nullptr) {
        const auto tensor = EffectiveTensor(*test, step, index);
        step.arguments[index] = ParseArgument(*input, ShapeText(tensor->shape));
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

bool HasFloatResult(const TestCase& test, const Inference& inference) {
  return std::any_of(test.returns.begin(), test.returns.end(), [&](const std::string& name) {
    const auto it = inference.values.find(name);  // not there if the call is illegal so far
    return it != inference.values.end() && it->second.type == Type::kTensor &&
           IsFloat(it->second.dtype);
  });
}

bool AsksForGradient(const std::vector<Argument>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Argument& a) { return a.grad || AsksForGradient(a.items); });
}

bool IsFloatTensor(const ValueInfo& info) {
  return info.type == Type::kTensor && IsFloat(info.dtype);
}

// What is left of the results of each call, by number of the call.
class Results {
 public:
  Results(const TestCase& test, Inferences* inferences)
      : test_(test), inferences_(*inferences), parameters_(ModelHasParameters(test)) {}

  // Can the step be done after those that were accepted before?
  bool Accept(size_t index) {
    const Step& step = test_.steps[index];
    if (step.row == FindStep("flag") && step.attrs[0] == "grad") recording_ = step.attrs[1] == "on";
    if (step.row == FindStep("optimizer")) optimizer_ = parameters_;
    if (step.row == FindStep("optimizer") || step.row == FindStep("optimize")) return optimizer_;
    if (IsCall(step)) return AcceptCall(static_cast<int>(index));
    if (step.row == FindStep("backward")) return AcceptBackward(step);
    if (step.row == FindStep("write")) return AcceptWrite(step);
    if (step.row == FindStep("retune")) return ForgetsNext(index);
    if (step.row == FindStep("drop")) return present_.erase(ParseInt(step.attrs[0], 1)) > 0;
    return true;
  }

 private:
  // Compiled code holds the gradient that was registered when it was traced, and nobody promises
  // that it learns of another one: it has to be forgotten first.
  bool ForgetsNext(size_t index) const {
    for (size_t i = index + 1; i < test_.steps.size() && !IsJudged(test_.steps[i]); ++i) {
      if (test_.steps[i].row == FindStep("forget")) return true;
    }
    return false;
  }

  bool AcceptCall(int index) {
    const Step& root = test_.steps[static_cast<size_t>(RootOfCall(test_, index))];
    ++calls_;
    for (const Argument& a : root.arguments) {
      const bool output = a.pattern->pattern == Pattern::kOutput;
      if (output && !present_.contains(a.call)) return false;
    }
    present_.insert(calls_);
    const ContextRow* under = FindContext(Attr(root, "under"));
    const bool records = under == nullptr || (under->flags & kNoGrad) == 0;
    const bool wanted = parameters_ || AsksForGradient(root.arguments);
    if (recording_ && records && wanted && HasFloatResult(test_, inferences_.Of(index)))
      differentiable_.insert(calls_);
    return true;
  }

  bool AcceptBackward(const Step& step) {
    const int64_t call = ParseInt(step.attrs[0], 1);
    if (!differentiable_.contains(call) || !present_.contains(call)) return false;
    const auto of = static_cast<size_t>(ParseInt(step.attrs[1], 0));
    if (of > test_.returns.size() || (of > 0 && !IsFloatTensor(ResultOf(call, of)))) return false;
    if (step.attrs[2] == "no") differentiable_.erase(call);
    return true;
  }

  bool AcceptWrite(const Step& step) const {
    const int64_t call = ParseInt(step.attrs[0], 1);
    const auto of = static_cast<size_t>(ParseInt(step.attrs[1], 1));
    return present_.contains(call) && of <= test_.returns.size() &&
           IsFloatTensor(ResultOf(call, of));
  }

  ValueInfo ResultOf(int64_t call, size_t of) const {
    const Inference& inference = inferences_.Of(StepOfCall(test_, call));
    const auto it = inference.values.find(test_.returns[of - 1]);
    return it == inference.values.end() ? ValueInfo{Type::kAny} : it->second;
  }

  const TestCase& test_;
  Inferences& inferences_;
  const bool parameters_;
  bool recording_ = true;
  bool optimizer_ = false;
  int64_t calls_ = 0;
  std::set<int64_t> present_, differentiable_;
};

// Drops the first step that cannot be done; false if there is none.
bool DropImpossible(TestCase* test, Inferences* inferences) {
  Results results(*test, inferences);
  for (size_t i = 0; i < test->steps.size(); ++i) {
    if (results.Accept(i)) continue;
    EraseStep(i, test);
    return true;
  }
  return false;
}

}  // namespace

void RepairState(TestCase* test, Inferences* inferences) {
  const TestCase before = *test;
  RepairTransforms(test);
  RepairWrites(test);
  RepairDeletions(test);
  Resolve(test);
  if (*test != before) inferences->Forget();
  while (DropImpossible(test, inferences)) {
    Resolve(test);
    inferences->Forget();
  }
}

}  // namespace reprise
