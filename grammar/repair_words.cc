#include "grammar/repair_words.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/repair.h"
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

// The literal with element types and forms that the framework has.
std::string SupportedLiteral(const Capabilities& can, Type type, const std::string& literal) {
  if (type == Type::kCallable && literal.find(':') != std::string::npos) {
    const CallableLiteral callable = ParseCallable(literal);
    return Supports(can, "form", callable.form->name) ? literal : callable.function;
  }
  if (type == Type::kDtype) return HasDtype(can, *ParseDtype(literal)) ? literal : "f32";
  const bool tensor = type == Type::kTensor || (type == Type::kOptional && literal != "none");
  if (!tensor) return literal;
  TensorLiteral value = ParseTensorLiteral(literal);
  if (!HasDtype(can, value.dtype)) value.dtype = Dtype::kF32;
  return TensorLiteralText(value);
}

bool HasTag(const Argument& a) {
  return a.tag != 0 || std::any_of(a.items.begin(), a.items.end(), HasTag);
}

void DropTag(Argument* a) {
  a->tag = 0;
  for (Argument& item : a->items) DropTag(&item);
}

bool Uses(const Step& step, const std::string& word) {
  if (word == "argument:tag")
    return std::any_of(step.arguments.begin(), step.arguments.end(), HasTag);
  return "context:" + Attr(step, "under") == word;
}

const Capabilities::Conflict* FindConflict(const Capabilities& can, const TestCase& test) {
  for (const Step& step : test.steps) {
    for (const Capabilities::Conflict& conflict : can.conflicts) {
      if (test.compile[kBackend] == conflict.backend && Uses(step, conflict.word)) return &conflict;
    }
  }
  return nullptr;
}

// Another backend if there is one, else no such words.
void AvoidConflicts(const Capabilities& can, TestCase* test) {
  const std::string asked = test->compile[kBackend];
  for (const std::string& backend : can.backends) {
    if (FindConflict(can, *test) == nullptr) return;
    test->compile[kBackend] = backend;
  }
  if (FindConflict(can, *test) == nullptr) return;
  test->compile[kBackend] = asked;
  while (const Capabilities::Conflict* conflict = FindConflict(can, *test)) {
    for (Step& step : test->steps) {
      if (!Uses(step, conflict->word)) continue;
      if (conflict->word != "argument:tag") step.attrs[1].clear();
      for (Argument& a : step.arguments) DropTag(&a);
    }
  }
}

void DropUnsupportedArgument(const Capabilities& can, const Input& input, Argument* a) {
  if (a->layout != nullptr && !Supports(can, "layout", a->layout->name)) a->layout = &Layouts()[0];
  if (a->mark != nullptr && !Supports(can, "mark", a->mark->name)) a->mark = nullptr;
  if (!Supports(can, "argument", "grad")) a->grad = false;
  if (!Supports(can, "argument", "tag")) a->tag = 0;
  if (!HasDtype(can, a->dtype)) a->dtype = input.dtype;
  if (a->pattern->pattern == Pattern::kValue && input.type != Type::kOptional)
    a->value = SupportedLiteral(can, input.type, a->value);
  for (Argument& item : a->items) DropUnsupportedArgument(can, input, &item);
}

void DropUnsupportedOp(const Capabilities& can, const TestCase& test, Op* op) {
  if (op->context != nullptr && !Supports(can, "context", op->context->name)) op->context = nullptr;
  if (!Supports(can, "op", op->row->name)) {
    // Its first operand may be no tensor; an empty name is the latest tensor.
    const bool tensor = op->row->operands[0] == 't' || op->row->operands[0] == 'n';
    *op = Op{op->name, FindOperator("neg"), {tensor ? op->operands[0] : ""}, {}, op->context};
  }
  for (size_t i = 0; i < op->operands.size(); ++i) {
    const auto dtype = op->row->operands[i] == 'd' ? ParseDtype(op->operands[i]) : std::nullopt;
    if (dtype && !HasDtype(can, *dtype)) op->operands[i] = "f32";
  }
  for (size_t i = 0; i < op->attrs.size(); ++i) {
    if (op->row->attrs[i].kind == AttrKind::kPredicate && !CanTest(can, op->attrs[i]))
      op->attrs[i] = test.function ? "grad_enabled" : "training";
  }
}

bool SupportsStep(const Capabilities& can, const Step& step) {
  if (!Supports(can, "step", step.row->name)) return false;
  if (step.row == FindStep("cast")) return HasDtype(can, *ParseDtype(step.attrs[0]));
  if (step.row != FindStep("flag")) return true;
  const auto dtype = ParseDtype(step.attrs[1]);
  return Supports(can, "flag", step.attrs[0]) && (!dtype || HasDtype(can, *dtype));
}

}  // namespace

void DropUnsupported(const Capabilities& can, TestCase* test) {
  if (!HasBackend(can, test->compile[kBackend])) test->compile[kBackend] = can.backends[0];
  for (size_t i = 1; i < test->compile.size(); ++i) {
    const AttrSpec& spec = CompileSpecs()[i];
    if (!Supports(can, "compile", spec.name)) test->compile[i] = spec.fallback;
  }
  for (Slot& slot : test->slots) {
    if (!Supports(can, "type", Name(slot.type))) slot.type = Type::kFloat;
    if (!Supports(can, "home", slot.home->name)) slot.home = FindHome("global");
    slot.value = SupportedLiteral(can, slot.type, slot.value);
    if (!slot.below.empty()) slot.below = SupportedLiteral(can, slot.type, slot.below);
  }
  for (Input& input : test->inputs) {
    if (!Supports(can, "type", Name(input.type))) input.type = Type::kFloat;
    if (!HasDtype(can, input.dtype)) input.dtype = Dtype::kF32;
  }
  for (Op& op : test->ops) DropUnsupportedOp(can, *test, &op);
  std::erase_if(test->steps, [&](const Step& step) { return !SupportsStep(can, step); });
  for (Step& step : test->steps) {
    for (size_t i = 0; i < step.arguments.size(); ++i) {
      DropUnsupportedArgument(can, test->inputs[i], &step.arguments[i]);
    }
    if (step.row == FindStep("set")) {
      const Slot* slot = FindSlot(*test, step.attrs[0]);
      if (slot != nullptr) step.attrs[1] = SupportedLiteral(can, slot->type, step.attrs[1]);
    }
    std::string* under = step.row == FindStep("call") ? &step.attrs[1] : nullptr;
    if (under != nullptr && !under->empty() && !Supports(can, "context", *under)) under->clear();
  }
  AvoidConflicts(can, test);
}

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
  const auto need_literal = [&](Type type, const std::string& literal) {
    if (type == Type::kCallable) need("form", ParseCallable(literal).form->name);
  };
  for (const Slot& slot : test.slots) {
    need("home", slot.home->name);
    need("type", Name(slot.type));
    need_literal(slot.type, slot.value);
  }
  for (const Input& input : test.inputs) {
    need("type", Name(input.type));
    if (!HasDtype(can, input.dtype)) lacking.push_back(absl::StrCat("dtype ", Name(input.dtype)));
  }
  for (const Op& op : test.ops) {
    need("op", op.row->name);
    if (op.context != nullptr) need("context", op.context->name);
    if (Attr(op, "on").empty()) continue;
    need("predicate", ParsePredicate(Attr(op, "on")).row->name);
    if (!CanTest(can, Attr(op, "on")))
      lacking.push_back("what the predicate " + Attr(op, "on") + " asks for");
  }
  for (const Step& step : test.steps) {
    need("step", step.row->name);
    if (step.row == FindStep("flag")) need("flag", step.attrs[0]);
    if (!Attr(step, "under").empty()) need("context", Attr(step, "under"));
    for (size_t i = 0; i < step.arguments.size(); ++i) {
      const Argument& a = step.arguments[i];
      if (a.layout != nullptr) need("layout", a.layout->name);
      if (a.mark != nullptr) need("mark", a.mark->name);
      if (a.grad) need("argument", "grad");
      if (a.tag != 0) need("argument", "tag");
      if (a.pattern->pattern == Pattern::kValue) need_literal(test.inputs[i].type, a.value);
    }
  }
  if (const Capabilities::Conflict* conflict = FindConflict(can, test)) {
    lacking.push_back(
        absl::StrCat(conflict->word, " with backend ", conflict->backend, ": ", conflict->reason));
  }
  return lacking;
}

}  // namespace reprise
