#include "grammar/repair.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/arguments.h"
#include "grammar/edit.h"
#include "grammar/infer.h"
#include "grammar/repair_state.h"
#include "grammar/resolve.h"
#include "grammar/scope.h"

namespace reprise {
namespace {

bool Supports(const Capabilities& can, const std::string& kind, const std::string& name) {
  return can.WhyNot(kind, name) == nullptr;
}

bool HasDtype(const Capabilities& can, Dtype dtype) {
  return std::find(can.dtypes.begin(), can.dtypes.end(), dtype) != can.dtypes.end();
}

bool HasBackend(const Capabilities& can, const std::string& backend) {
  return std::find(can.backends.begin(), can.backends.end(), backend) != can.backends.end();
}

bool CanTest(const Capabilities& can, const std::string& text) {
  const ParsedPredicate predicate = ParsePredicate(text);
  if (!Supports(can, "predicate", predicate.row->name)) return false;
  return predicate.row->name != std::string("dtype") ||
         HasDtype(can, *ParseDtype(predicate.args[1]));
}

// Replaces every word that the framework lacks.
void DropUnsupported(const Capabilities& can, TestCase* test) {
  if (!HasBackend(can, test->compile[kBackend])) test->compile[kBackend] = can.backends[0];
  for (size_t i = 1; i < test->compile.size(); ++i) {
    const AttrSpec& spec = CompileSpecs()[i];
    if (!Supports(can, "compile", spec.name)) test->compile[i] = spec.fallback;
  }
  for (Slot& slot : test->slots) {
    if (!Supports(can, "type", Name(slot.type))) slot.type = Type::kFloat;
    if (!Supports(can, "home", slot.home->name)) slot.home = FindHome("global");
    if (slot.type == Type::kTensor) {
      TensorLiteral tensor = ParseTensorLiteral(slot.value);
      if (!HasDtype(can, tensor.dtype)) tensor.dtype = Dtype::kF32;
      slot.value = TensorLiteralText(tensor);
    }
  }
  for (Input& input : test->inputs) {
    if (!Supports(can, "type", Name(input.type))) input.type = Type::kFloat;
    if (!HasDtype(can, input.dtype)) input.dtype = Dtype::kF32;
  }
  for (Op& op : test->ops) {
    if (!Supports(can, "op", op.row->name))
      op = Op{op.name, FindOperator("neg"), {op.operands[0]}, {}};
    if (!Attr(op, "on").empty() && !CanTest(can, op.attrs[0])) {
      op.attrs[0] = test->function ? "grad_enabled" : "training";
    }
  }
  std::erase_if(test->steps, [&](const Step& s) { return !Supports(can, "step", s.row->name); });
  for (Step& step : test->steps) {
    for (size_t i = 0; i < step.arguments.size(); ++i) {
      Argument& a = step.arguments[i];
      if (a.layout != nullptr && !Supports(can, "layout", a.layout->name)) a.layout = &Layouts()[0];
      if (!Supports(can, "argument", "grad")) a.grad = false;
      if (!HasDtype(can, a.dtype)) a.dtype = test->inputs[i].dtype;
    }
    if (step.row == FindStep("call") && !Supports(can, "call", step.attrs[1]))
      step.attrs[1].clear();
  }
}

// Mends operator `index`, the `attempt`-th time: other operands, then plain attributes, then
// without it.
void MendOp(size_t index, int attempt, TestCase* test) {
  Op& op = test->ops[index];
  if (attempt == 0) {
    for (std::string& operand : op.operands) operand = op.operands[0];
  } else if (attempt == 1) {
    for (size_t i = 0; i < op.attrs.size(); ++i) {
      const AttrSpec& spec = op.row->attrs[i];
      const bool refers = spec.kind == AttrKind::kFunction || spec.kind == AttrKind::kModule;
      if (!refers) op.attrs[i] = spec.fallback;
    }
  } else {
    BypassOp(index, test);
  }
  Resolve(test);
}

// A full graph is refused, by promise, where the model asks for a break.
void RepairCompile(TestCase* test) {
  const auto breaks = [](const Op& op) { return op.row == FindOperator("graph_break"); };
  if (std::any_of(test->ops.begin(), test->ops.end(), breaks)) test->compile[kFullgraph] = "no";
}

// Gives the arguments of a call the declared dtypes.
void DropDtypes(TestCase* test, Step* call) {
  for (size_t i = 0; i < test->inputs.size(); ++i) call->arguments[i].dtype = test->inputs[i].dtype;
}

// Halves the sizes of a call until nothing is too large; other problems are the operators'.
void ShrinkShapes(TestCase* test, Step* call) {
  for (Argument& a : call->arguments) {
    for (int64_t& size : a.shape) size = (size + 1) / 2;
  }
  ResolveArguments(*test, call);
}

// Makes the first call legal by mending the operators, for it sizes the model.
void MendModel(TestCase* test) {
  int last_op = -1, attempt = 0;
  bool dropped_dtypes = false;
  for (int shrinks = 0;;) {
    const int first = FirstCall(*test);
    const Inference inference = InferCall(*test, first, nullptr);
    if (inference.ok()) return;
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

// Makes the other calls legal by changing them alone.
void MendCalls(TestCase* test) {
  const int first = FirstCall(*test);
  const Inference construction = InferCall(*test, first, nullptr);
  for (size_t i = 0; i < test->steps.size(); ++i) {
    Step& step = test->steps[i];
    if (step.row != FindStep("call")) continue;
    if (InferCall(*test, static_cast<int>(i), &construction).ok()) continue;
    DropDtypes(test, &step);
    if (InferCall(*test, static_cast<int>(i), &construction).ok()) continue;
    step.arguments = test->steps[first].arguments;
  }
}

}  // namespace

std::vector<std::string> Lacking(const Capabilities& can, const TestCase& test) {
  std::vector<std::string> lacking;
  const auto need = [&](const std::string& kind, const std::string& name) {
    if (const std::string* why = can.WhyNot(kind, name)) {
      const std::string text = absl::StrCat(kind, " ", name, ": ", *why);
      if (std::find(lacking.begin(), lacking.end(), text) == lacking.end()) lacking.push_back(text);
    }
  };
  const std::string& backend = test.compile[kBackend];
  if (backend != "default" && !HasBackend(can, backend)) {
    lacking.push_back(absl::StrCat("backend ", backend, ": not one of this framework's"));
  }
  for (size_t i = 1; i < test.compile.size(); ++i) {
    if (test.compile[i] != CompileSpecs()[i].fallback) need("compile", CompileSpecs()[i].name);
  }
  for (const Slot& slot : test.slots) {
    need("home", slot.home->name);
    need("type", Name(slot.type));
  }
  for (const Input& input : test.inputs) {
    need("type", Name(input.type));
    if (!HasDtype(can, input.dtype)) lacking.push_back(absl::StrCat("dtype ", Name(input.dtype)));
  }
  for (const Op& op : test.ops) {
    need("op", op.row->name);
    if (Attr(op, "on").empty()) continue;
    need("predicate", ParsePredicate(Attr(op, "on")).row->name);
    if (!CanTest(can, Attr(op, "on")))
      lacking.push_back("what the predicate " + Attr(op, "on") + " asks for");
  }
  for (const Step& step : test.steps) {
    need("step", step.row->name);
    if (!Attr(step, "under").empty()) need("call", Attr(step, "under"));
    for (const Argument& a : step.arguments) {
      if (a.layout != nullptr) need("layout", a.layout->name);
      if (a.grad) need("argument", "grad");
    }
  }
  return lacking;
}

std::vector<std::string> Repair(const Capabilities& can, TestCase* test) {
  std::vector<std::string> lacking = Lacking(can, *test);
  DropUnsupported(can, test);
  Resolve(test);
  MendModel(test);
  MendCalls(test);
  RepairCompile(test);
  RepairState(test);
  return lacking;
}

}  // namespace reprise
