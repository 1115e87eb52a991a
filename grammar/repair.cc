#include "grammar/repair.h"

#include <algorithm>

#include "grammar/arguments.h"
#include "grammar/edit.h"
#include "grammar/history.h"
#include "grammar/inferences.h"
#include "grammar/repair_state.h"
#include "grammar/repair_words.h"
#include "grammar/resolve.h"

namespace reprise {
namespace {

// Mends operator `index`, the `attempt`-th time: other operands, then plain attributes, then
// without it.
void MendOp(size_t index, int attempt, TestCase* test) {
  Op& op = test->ops[index];
  if (attempt == 0) {
    for (size_t i = 1; i < op.operands.size(); ++i) {
      if (op.row->operands[i] == 't' || op.row->operands[i] == 'n') op.operands[i] = op.operands[0];
    }
  } else if (attempt == 1) {
    for (size_t i = 0; i < op.attrs.size(); ++i) {
      const AttrSpec& spec = op.row->attrs[i];
      const bool refers = spec.kind == AttrKind::kFunction || spec.kind == AttrKind::kModule ||
                          spec.kind == AttrKind::kWritten;
      if (!refers) op.attrs[i] = spec.fallback;
    }
    op.context = nullptr;
  } else {
    BypassOp(index, test);
  }
  Resolve(test);
}

// A full graph is refused, by promise, where the model asks for a break.
void RepairCompile(TestCase* test) {
  const auto breaks = [](const Op& op) {
    const bool disabled = op.context == FindContext("disabled");
    return disabled || (op.row->flags & (kBreaksGraph | kRaises)) != 0;
  };
  if (std::any_of(test->ops.begin(), test->ops.end(), breaks)) test->compile[kFullgraph] = "no";
}

void SetDtype(Dtype dtype, Argument* a) {
  a->dtype = dtype;
  for (Argument& item : a->items) SetDtype(dtype, &item);
}

// Gives the arguments of a call the declared dtypes.
void DropDtypes(TestCase* test, Step* call) {
  for (size_t i = 0; i < test->inputs.size(); ++i)
    SetDtype(test->inputs[i].dtype, &call->arguments[i]);
}

// Gives the float arguments of a call the element type that the parameters have by then.
void FollowCast(TestCase* test, size_t index) {
  const Dtype dtype = HistoryBefore(*test, index).parameters;
  for (size_t i = 0; i < test->inputs.size(); ++i) {
    if (IsFloat(test->inputs[i].dtype)) SetDtype(dtype, &test->steps[index].arguments[i]);
  }
}

void ShrinkShape(Argument* a) {
  for (int64_t& size : a->shape) size = (size + 1) / 2;
  for (Argument& item : a->items) ShrinkShape(&item);
}

// Halves the sizes of a call until nothing is too large; other problems are the operators'.
void ShrinkShapes(TestCase* test, Step* call) {
  for (Argument& a : call->arguments) ShrinkShape(&a);
  ResolveArguments(*test, 0, call);
}

// Makes the first call legal by mending the operators, for it sizes the model.
void MendModel(TestCase* test, Inferences* inferences) {
  int last_op = -1, attempt = 0;
  bool dropped_dtypes = false;
  for (int shrinks = 0;;) {
    const int first = FirstCall(*test);
    const Inference inference = inferences->Construction();
    if (inference.ok()) return;
    inferences->Forget();
    if (!dropped_dtypes) {
      DropDtypes(test, &test->steps[first]);
      dropped_dtypes = true;
    } else if (inference.op < 0) {
      ShrinkShapes(test, &test->steps[first]);
      if (++shrinks > 6) {
        for (Input& input : test->inputs) {
          if (input.dims.size() > 2) input.dims.resize(2);
        }
        Resolve(test);
      }
    } else {
      attempt = inference.op == last_op ? attempt + 1 : 0;
      last_op = attempt >= 2 ? -1 : inference.op;
      MendOp(static_cast<size_t>(inference.op), attempt, test);
    }
  }
}

// What no change of arguments makes legal is what came before: a call, or a return to one, that
// still does not fit goes, and with it what refers to it.
void DropIllegalCalls(TestCase* test, Inferences* inferences) {
  for (size_t i = test->steps.size(); i-- > static_cast<size_t>(FirstCall(*test)) + 1;) {
    if (i >= test->steps.size() || !IsCall(test->steps[i])) continue;
    if (inferences->Of(static_cast<int>(i)).ok()) continue;
    EraseStep(i, test);
    Resolve(test);
    inferences->Forget();
    i = test->steps.size();
  }
}

// Makes the other calls legal by changing them alone.
void MendCalls(TestCase* test, Inferences* inferences) {
  const int first = FirstCall(*test);
  for (size_t i = 0; i < test->steps.size(); ++i) {
    Step& step = test->steps[i];
    if (step.row != FindStep("call")) continue;
    for (int attempt = 0; attempt < 3 && !inferences->Of(static_cast<int>(i)).ok(); ++attempt) {
      if (attempt == 0) DropDtypes(test, &step);
      if (attempt == 1) FollowCast(test, i);
      if (attempt == 2) step.arguments = test->steps[static_cast<size_t>(first)].arguments;
      inferences->Forget();
    }
  }
  DropIllegalCalls(test, inferences);
}

}  // namespace

std::vector<std::string> Repair(const Capabilities& can, TestCase* test) {
  std::vector<std::string> lacking = Lacking(can, *test);
  DropUnsupported(can, test);
  Resolve(test);
  // Each part may undo what another one has mended; what is mended only ever gets smaller.
  for (TestCase before; before != *test;) {
    before = *test;
    Inferences inferences(*test);
    MendModel(test, &inferences);
    MendCalls(test, &inferences);
    RepairCompile(test);
    RepairState(test, &inferences);
  }
  return lacking;
}

}  // namespace reprise
