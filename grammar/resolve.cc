#include "grammar/resolve.h"

#include <algorithm>
#include <cctype>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "grammar/arguments.h"
#include "grammar/edit.h"
#include "grammar/resolve_steps.h"
#include "grammar/scope.h"

namespace reprise {
namespace {

template <typename Statement>
void Cap(std::vector<Statement>* statements, size_t limit) {
  if (statements->size() > limit) statements->resize(limit);
}

constexpr int64_t kMaxDim = 64;

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

// Gives an operator that cannot stand here a row that always can.
void Degrade(Op* op) {
  op->row = FindOperator("neg");
  op->attrs.clear();
  op->operands.resize(1);
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
