#include "grammar/resolve.h"

#include <algorithm>
#include <cctype>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "grammar/arguments.h"
#include "grammar/edit.h"
#include "grammar/scope.h"

namespace reprise {
namespace {

constexpr int64_t kMaxDim = 64;

template <typename Statement>
void Cap(std::vector<Statement>* statements, size_t limit) {
  if (statements->size() > limit) statements->resize(limit);
}

std::string CanonicalDim(const std::string& text) {
  if (!text.empty() && (std::isdigit(text[0]) || text[0] == '-')) {
    return IntText(std::clamp<int64_t>(ParseInt(text, 1), 0, kMaxDim));
  }
  std::string symbol;
  for (char c : text) {
    if (absl::ascii_isalpha(c) && symbol.size() < 8) symbol += absl::ascii_tolower(c);
  }
  return symbol.empty() ? "n" : symbol;
}

void ResolveSlot(Scope* scope, Slot* slot) {
  if (!Holds(*slot->home, slot->type)) slot->type = slot->home->types[0];
  if (!slot->home->can_fall_back || !IsPlain(slot->type)) slot->below.clear();
  slot->name = scope->Declare(slot->name, "s", slot->type, false, !slot->below.empty());
  const auto seed = static_cast<int64_t>(StableHash(slot->name) % 997 + 1);
  slot->value = CanonicalLiteral(slot->type, slot->value, seed);
  if (!slot->below.empty()) slot->below = CanonicalLiteral(slot->type, slot->below, seed);
}

void ResolveInput(Scope* scope, Input* input) {
  if (input->type == Type::kModule) input->type = Type::kCallable;
  input->name = scope->Declare(input->name, "x", input->type, false);
  if (!HasShape(input->type)) {
    input->dims.clear();
    input->dtype = Dtype::kF32;
    return;
  }
  Cap(&input->dims, kMaxRank);
  for (std::string& dim : input->dims) dim = CanonicalDim(dim);
}

// Names of the operators so far that own a submodule; the one that `text` names, or one of them.
std::string ReferModule(const std::vector<Op>& ops, size_t count, const std::string& text) {
  std::vector<std::string> owners;
  for (size_t i = 0; i < count; ++i) {
    if ((ops[i].row->flags & kModuleOp) != 0) owners.push_back(ops[i].name);
  }
  if (owners.empty()) return "";
  const std::string name = SanitiseName(text);
  if (std::find(owners.begin(), owners.end(), name) != owners.end()) return name;
  return text.empty() ? owners.back() : owners[StableHash(text) % owners.size()];
}

// Gives an operator that cannot stand here a row that always can.
void Degrade(Op* op) {
  op->row = FindOperator("neg");
  op->attrs.clear();
  op->operands.resize(1);
}

std::string ReferSlot(const TestCase& test, const std::string& text, const auto& accept) {
  std::vector<const Slot*> candidates;
  for (const Slot& slot : test.slots) {
    if (accept(slot)) candidates.push_back(&slot);
  }
  if (candidates.empty()) return "";
  for (const Slot* slot : candidates) {
    if (slot->name == text) return text;
  }
  return candidates[StableHash(text) % candidates.size()]->name;
}

// A slot of one of the types that the row lists, at a place that a model can write.
std::string ReferWritten(const TestCase& test, const AttrSpec& spec, const std::string& text) {
  static const auto* homes = new std::vector<std::string>{"attr", "submodule", "global", "closure",
                                                          "dict", "list",      "object", "buffer"};
  const std::vector<std::string> types = Choices(spec);
  return ReferSlot(test, text, [&](const Slot& slot) {
    return std::find(homes->begin(), homes->end(), slot.home->name) != homes->end() &&
           std::find(types.begin(), types.end(), Name(slot.type)) != types.end();
  });
}

void ResolveOp(const TestCase& test, size_t index, Scope* scope, Op* op) {
  op->attrs.resize(op->row->attrs.size());
  if (op->context != nullptr && (op->context->flags & kInside) == 0) op->context = nullptr;
  for (size_t i = 0; i < op->attrs.size(); ++i) {
    std::string& attr = op->attrs[i];
    const AttrSpec& spec = op->row->attrs[i];
    switch (spec.kind) {
      case AttrKind::kPredicate:
        attr = scope->Predicate(attr, !test.function);
        continue;
      case AttrKind::kFunction:
        attr = scope->Function(attr);
        break;
      case AttrKind::kModule:
        attr = ReferModule(test.ops, index, attr);
        break;
      case AttrKind::kWritten:
        attr = ReferWritten(test, spec, attr);
        break;
      default:
        attr = Canonicalise(spec, attr);
        continue;
    }
    if (attr.empty()) {
      Degrade(op);
      break;
    }
  }
  op->operands.resize(std::string(op->row->operands).size());
  for (size_t i = 0; i < op->operands.size(); ++i) {
    std::string& operand = op->operands[i];
    operand = scope->Operand(op->row->operands[i], operand);
    if (!operand.empty()) continue;
    Degrade(op);
    op->operands[0] = scope->Tensor("");
    break;
  }
  op->name = scope->Declare(op->name, "v", op->row->result, true);
}

// Operators in order; what a function transform computes inside is not seen after it.
void ResolveOps(TestCase* test, Scope* scope) {
  size_t inside_from = 0;
  for (size_t i = 0; i < test->ops.size(); ++i) {
    const ContextRow* before = i == 0 ? nullptr : test->ops[i - 1].context;
    const ContextRow* here = test->ops[i].context;
    const bool left = before != here && before != nullptr && (before->flags & kTransform) != 0;
    if (left) scope->HideAllButLast(inside_from);
    if (i == 0 || before != here) inside_from = scope->count();
    ResolveOp(*test, i, scope, &test->ops[i]);
    const bool last = i + 1 == test->ops.size();
    if (last && here != nullptr && (here->flags & kTransform) != 0)
      scope->HideAllButLast(inside_from);
  }
}

void ResolveReturns(TestCase* test, const Scope& scope) {
  std::vector<std::string> returns;
  const auto accept = [](const Scope::Entry& e) {
    return e.type == Type::kTensor || IsNumber(e.type);
  };
  for (const std::string& name : test->returns) {
    const std::string value = scope.Refer(name, accept);
    const bool repeated = std::find(returns.begin(), returns.end(), value) != returns.end();
    if (!repeated && returns.size() < kMaxReturns) returns.push_back(value);
  }
  if (returns.empty()) returns.push_back(scope.Tensor(""));
  test->returns = std::move(returns);
}

// Can the object of one slot be held by the other?
bool Exchangeable(const Slot& a, const Slot& b) {
  if (a.name == b.name || a.home != b.home || a.type != b.type) return false;
  if (a.type != Type::kTensor) return true;
  const TensorLiteral x = ParseTensorLiteral(a.value), y = ParseTensorLiteral(b.value);
  return x.shape == y.shape && x.dtype == y.dtype;
}

// What the steps before one have established.
struct Progress {
  int64_t calls = 0;
  int64_t hooks = 0;
};

// An attribute that a second program may have otherwise: of an operator without a submodule.
bool CanVary(const AttrSpec& spec) {
  return spec.kind == AttrKind::kInt || spec.kind == AttrKind::kFloat ||
         spec.kind == AttrKind::kChoice || spec.kind == AttrKind::kUnary ||
         spec.kind == AttrKind::kInts;
}
bool CanVary(const Op& op) {
  if ((op.row->flags & (kModuleOp | kRegistered)) != 0) return false;
  return std::any_of(op.row->attrs.begin(), op.row->attrs.end(),
                     [](const AttrSpec& spec) { return CanVary(spec); });
}

// Has the tensor of one slot rows that the other can hold?
bool HasRowsFor(const Slot& row, const Slot& rows) {
  if (row.name == rows.name || rows.type != Type::kTensor) return false;
  TensorLiteral x = ParseTensorLiteral(row.value), y = ParseTensorLiteral(rows.value);
  if (x.dtype != y.dtype || x.shape.size() != y.shape.size() || y.shape[0] < 1) return false;
  y.shape[0] = 1;
  return x.shape == y.shape;
}

std::string ReferOp(const TestCase& test, const std::string& text, const auto& accept) {
  std::vector<const Op*> candidates;
  for (const Op& op : test.ops) {
    if (!accept(op)) continue;
    if (op.name == text) return text;
    candidates.push_back(&op);
  }
  return candidates.empty() ? "" : candidates[StableHash(text) % candidates.size()]->name;
}

std::string ReferOpAttr(const Op& op, const std::string& text) {
  std::vector<std::string> names;
  for (const AttrSpec& spec : op.row->attrs) {
    if (!CanVary(spec)) continue;
    if (text == spec.name) return text;
    names.emplace_back(spec.name);
  }
  return names[StableHash(text) % names.size()];
}

bool IsRegistered(const Op& op) { return (op.row->flags & kRegistered) != 0; }

const AttrSpec& SpecOf(const Op& op, const std::string& attr) {
  return *std::find_if(op.row->attrs.begin(), op.row->attrs.end(),
                       [&](const AttrSpec& spec) { return attr == spec.name; });
}

// Resolves the attributes of a step; false if the step cannot stand here.
bool ResolveStep(const TestCase& test, Progress* progress, Step* step) {
  const StepRow& row = *step->row;
  if (row.needs_object && test.function) return false;
  step->attrs.resize(row.attrs.size());
  const Slot* slot = nullptr;
  for (size_t i = 0; i < row.attrs.size(); ++i) {
    std::string& attr = step->attrs[i];
    switch (row.attrs[i].kind) {
      case AttrKind::kSlot:
        if (slot == nullptr) {
          attr = ReferSlot(test, attr, row.fits);
        } else {
          attr =
              ReferSlot(test, attr, [&](const Slot& held) {
            return row.name == std::string("row") ? HasRowsFor(*slot, held)
                                                  : Exchangeable(*slot, held);
          });
        }
        if (attr.empty()) return false;
        slot = FindSlot(test, attr);
        break;
      case AttrKind::kLiteral:
        attr = CanonicalLiteral(slot->type, attr, 1);
        break;
      case AttrKind::kCall: {
        if (progress->calls == 0) return false;
        const int64_t call = ParseInt(attr, progress->calls);
        attr = IntText(((call - 1) % progress->calls + progress->calls) % progress->calls + 1);
        break;
      }
      case AttrKind::kModule:
        attr = attr.empty() ? "" : ReferModule(test.ops, test.ops.size(), attr);
        break;
      case AttrKind::kFlagValue: {
        const AttrSpec values{
            "value", AttrKind::kChoice, "", 0, 0, FindFlag(step->attrs[i - 1])->values};
        attr = Canonicalise(values, attr);
        if (attr.empty()) attr = Choices(values)[1];
        break;
      }
      case AttrKind::kOp:
        attr = row.attrs[i].choices == std::string("custom")
                   ? ReferOp(test, attr, [](const Op& op) { return IsRegistered(op); })
                   : ReferOp(test, attr, [](const Op& op) { return CanVary(op); });
        if (attr.empty()) return false;
        break;
      case AttrKind::kOpAttr:
        attr = ReferOpAttr(*FindOp(test, step->attrs[i - 1]), attr);
        break;
      case AttrKind::kOpValue:
        attr = Canonicalise(SpecOf(*FindOp(test, step->attrs[i - 2]), step->attrs[i - 1]), attr);
        break;
      default:
        attr = Canonicalise(row.attrs[i], attr);
    }
  }
  if (row.name == std::string("set")) {
    const std::string& via = step->attrs[2];
    if (via == "dict" && slot->home != FindHome("attr")) step->attrs[2].clear();
    if (via == "factory" && slot->home != FindHome("closure")) step->attrs[2].clear();
  }
  if (row.name == std::string("hook")) ++progress->hooks;
  if (row.name == std::string("unhook") && --progress->hooks < 0) return false;
  if (row.name == std::string("call")) {
    ResolveArguments(test, progress->calls, step);
  } else {
    step->arguments.clear();
  }
  if (IsCall(*step)) ++progress->calls;
  return true;
}

void ResolveSteps(TestCase* test) {
  Cap(&test->steps, kMaxSteps);
  const bool any_call = std::any_of(test->steps.begin(), test->steps.end(),
                                    [](const Step& s) { return s.row == FindStep("call"); });
  if (!any_call) {
    if (test->steps.size() == kMaxSteps) test->steps.pop_back();
    test->steps.insert(test->steps.begin(), Step{FindStep("call"), {}, {}});
  }
  Progress progress;
  std::vector<Step> kept;
  for (Step& step : test->steps) {
    if (ResolveStep(*test, &progress, &step)) kept.push_back(std::move(step));
  }
  test->steps = std::move(kept);
}

bool NeedsObject(const TestCase& test) {
  return std::any_of(test.slots.begin(), test.slots.end(),
                     [](const Slot& s) { return s.home->needs_object; }) ||
         std::any_of(test.ops.begin(), test.ops.end(),
                     [](const Op& op) { return (op.row->flags & kModuleOp) != 0; });
}

}  // namespace

void Resolve(TestCase* test) {
  Cap(&test->slots, kMaxSlots);
  Cap(&test->inputs, kMaxInputs);
  Cap(&test->ops, kMaxOps);
  const bool any_tensor = std::any_of(test->inputs.begin(), test->inputs.end(),
                                      [](const Input& i) { return i.type == Type::kTensor; });
  if (!any_tensor) {
    if (test->inputs.size() == kMaxInputs) test->inputs.pop_back();
    InsertInput(0, Input{"x", Type::kTensor, Dtype::kF32, {"n", "4"}}, test);
  }
  test->compile.resize(CompileSpecs().size());
  for (size_t i = 0; i < test->compile.size(); ++i) {
    test->compile[i] = Canonicalise(CompileSpecs()[i], test->compile[i]);
  }
  if (NeedsObject(*test)) test->function = false;
  Scope scope;
  for (Slot& slot : test->slots) ResolveSlot(&scope, &slot);
  for (Input& input : test->inputs) ResolveInput(&scope, &input);
  ResolveOps(test, &scope);
  ResolveReturns(test, scope);
  ResolveSteps(test);
}

}  // namespace reprise
