#include "report/signature.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "grammar/scope.h"

namespace reprise {
namespace {

std::string SlotKind(const TestCase& test, const std::string& name) {
  const Slot* slot = FindSlot(test, name);
  return slot == nullptr ? "" : absl::StrCat(slot->home->name, ".", Name(slot->type));
}

// What a call differs in from a plain one: patterns, layouts, flags.
void CallKinds(const TestCase& test, const Step& call, std::set<std::string>* kinds) {
  if (!Attr(call, "under").empty()) kinds->insert(Attr(call, "under"));
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& a = call.arguments[i];
    if (a.pattern->pattern == Pattern::kName) {
      const std::string kind = SlotKind(test, a.value);
      kinds->insert(kind.empty() ? "argument=argument" : "argument=" + kind);
    }
    if (a.pattern->pattern == Pattern::kView) kinds->insert("argument=view");
    if (a.pattern->pattern == Pattern::kOutput) kinds->insert("argument=output");
    if (a.pattern->pattern == Pattern::kItems)
      kinds->insert(absl::StrCat("argument=", Name(test.inputs[i].type)));
    if (a.pattern->pattern == Pattern::kValue)
      kinds->insert(absl::StrCat("argument=", Name(test.inputs[i].type)));
    if (a.pattern->pattern != Pattern::kFresh) continue;
    if (a.layout != &Layouts()[0]) kinds->insert(a.layout->name);
    if (a.dtype != test.inputs[i].dtype) kinds->insert("dtype");
    if (a.grad) kinds->insert("grad");
    if (a.mark != nullptr) kinds->insert(absl::StrCat("mark ", a.mark->name));
    if (a.tag != 0) kinds->insert("tag");
  }
}

std::set<std::string> StepKinds(const TestCase& test, int last) {
  std::set<std::string> kinds;
  for (int i = 0; i <= last; ++i) {
    const Step& step = test.steps[static_cast<size_t>(i)];
    if (IsCall(step)) {
      if (!step.arguments.empty()) CallKinds(test, step, &kinds);
      continue;
    }
    std::string kind = step.row->name;
    if (step.row->fits != nullptr) absl::StrAppend(&kind, "(", SlotKind(test, step.attrs[0]), ")");
    if (step.row == FindStep("flag")) absl::StrAppend(&kind, "(", step.attrs[0], ")");
    if (step.row == FindStep("hook")) absl::StrAppend(&kind, "(", Attr(step, "kind"), ")");
    if (!Attr(step, "via").empty()) absl::StrAppend(&kind, " via ", Attr(step, "via"));
    kinds.insert(kind);
  }
  return kinds;
}

// How the model calls what a slot holds: by the home where that is code of a class, else by the
// form of the callable.
std::string AppliedKind(const TestCase& test, const std::string& name) {
  const Slot* slot = FindSlot(test, name);
  if (slot == nullptr) return "argument";
  if (slot->type != Type::kCallable) return Name(slot->type);
  const std::string home = slot->home->name;
  if (home == "method" || home == "special" || home == "metaclass") return home;
  return ParseCallable(slot->value).form->name;
}

// Does the operator read or write something else than tensors and numbers?
bool IsSpecial(const OpRow& row) {
  if (std::string(row.operands).find_first_of("ocrd") != std::string::npos) return true;
  if ((row.flags & (kPythonRandom | kRaises | kRegistered | kBreaksGraph)) != 0) return true;
  return std::any_of(row.attrs.begin(), row.attrs.end(),
                     [](const AttrSpec& spec) { return spec.kind == AttrKind::kWritten; });
}

// What the model tests (predicates are what guards are made of), calls, writes, and stands in.
std::set<std::string> ModelKinds(const TestCase& test) {
  std::set<std::string> kinds;
  for (const Op& op : test.ops) {
    const std::string& on = Attr(op, "on");
    if (!on.empty()) kinds.insert(absl::StrCat("if ", ParsePredicate(on).row->name));
    if ((op.row->flags & kInPlace) != 0) kinds.insert("in place");
    if (op.row == FindOperator("size")) kinds.insert("size");
    if (op.row == FindOperator("apply"))
      kinds.insert(absl::StrCat("call ", AppliedKind(test, op.attrs[0])));
    if (IsSpecial(*op.row)) kinds.insert(op.row->name);
    if (op.context != nullptr) kinds.insert(absl::StrCat("in ", op.context->name));
    for (const std::string& operand : op.operands) {
      const Slot* slot = FindSlot(test, operand);
      if (slot != nullptr && slot->type == Type::kScalar) kinds.insert("scalar");
    }
  }
  return kinds;
}

std::string Letters(uint64_t hash) {
  std::string text;
  for (size_t i = 0; i < kHashLetters; ++i) {
    text += static_cast<char>('a' + hash % 26);
    hash /= 26;
  }
  return text;
}

// The function that a slot or an input holds.
std::string FunctionIn(const TestCase& test, const std::string& name) {
  const Slot* slot = FindSlot(test, name);
  if (slot == nullptr) return "argument";
  return slot->type == Type::kCallable ? ParseCallable(slot->value).function : slot->value;
}

// What the model computes: operators, and the functions that they are given.
void WorkKinds(const TestCase& test, std::set<std::string>* kinds) {
  for (const Op& op : test.ops) {
    bool given = false;
    for (size_t i = 0; i < op.attrs.size(); ++i) {
      const AttrKind kind = op.row->attrs[i].kind;
      if (kind == AttrKind::kUnary) kinds->insert(op.attrs[i]);
      if (kind == AttrKind::kFunction) kinds->insert(FunctionIn(test, op.attrs[i]));
      given |= kind == AttrKind::kUnary || kind == AttrKind::kFunction;
    }
    if (!given) kinds->insert(op.row->name);
  }
}

// Does one input have other sizes in another call?
bool IsResized(const TestCase& test, int last) {
  std::vector<std::set<Shape>> shapes(test.inputs.size());
  for (int i = 0; i <= last; ++i) {
    const Step& step = test.steps[static_cast<size_t>(i)];
    for (size_t k = 0; k < step.arguments.size(); ++k) {
      if (step.arguments[k].pattern->pattern == Pattern::kFresh)
        shapes[k].insert(step.arguments[k].shape);
    }
  }
  return std::any_of(shapes.begin(), shapes.end(), [](const auto& set) { return set.size() > 1; });
}

// What a case does, and what its model is made of, up to a step. Where the steps are nothing but
// plain calls, or do not matter, it is what the model computes that tells one bug from another.
std::string Kinds(const TestCase& test, int last, bool history) {
  std::set<std::string> steps = StepKinds(test, last), model = ModelKinds(test);
  if (!history || steps.empty()) WorkKinds(test, &model);
  if (history && steps.empty() && IsResized(test, last)) steps.insert("other sizes");
  std::string text;
  if (!steps.empty()) absl::StrAppend(&text, ", with ", absl::StrJoin(steps, ", "));
  if (!model.empty()) absl::StrAppend(&text, "; model: ", absl::StrJoin(model, ", "));
  return text;
}

}  // namespace

Signature SignatureOf(const std::string& framework, const TestCase& test, const Judgement& j) {
  std::string symptom = j.difference.attribute;
  if (!j.difference.section.empty()) absl::StrAppend(&symptom, " of ", j.difference.section);
  std::string text = absl::StrCat(framework, " ", Name(j.verdict),
                                  j.documented ? " (documented)" : "", ": ", symptom);
  if (!j.exception.empty()) absl::StrAppend(&text, ", ", j.exception);
  if (!j.frames.empty()) {
    absl::StrAppend(&text, " in ", absl::StrJoin(j.frames, " > "));
  } else {
    absl::StrAppend(&text, Kinds(test, j.step, j.verdict == Verdict::kStateful));
  }
  absl::StrAppend(&text, "; backend ", test.compile[kBackend]);
  return {text, Letters(StableHash(text))};
}

Signature DeathSignature(const std::string& framework, const TestCase& test,
                         const std::string& how) {
  const std::string text =
      absl::StrCat(framework, " crash: ", how,
                   Kinds(test, static_cast<int>(test.steps.size()) - 1, /*history=*/true),
                   "; backend ", test.compile[kBackend]);
  return {text, Letters(StableHash(text))};
}

}  // namespace reprise
