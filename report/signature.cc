#include "report/signature.h"

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
    if (a.pattern->pattern == Pattern::kValue)
      kinds->insert(absl::StrCat("argument=", Name(test.inputs[i].type)));
    if (a.pattern->pattern != Pattern::kFresh) continue;
    if (a.layout != &Layouts()[0]) kinds->insert(a.layout->name);
    if (a.dtype != test.inputs[i].dtype) kinds->insert("dtype");
    if (a.grad) kinds->insert("grad");
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
    if (!Attr(step, "via").empty()) absl::StrAppend(&kind, " via ", Attr(step, "via"));
    kinds.insert(kind);
  }
  return kinds;
}

// What the model tests: predicates are what guards are made of.
std::set<std::string> ModelKinds(const TestCase& test) {
  std::set<std::string> kinds;
  for (const Op& op : test.ops) {
    const std::string& on = Attr(op, "on");
    if (!on.empty()) kinds.insert(absl::StrCat("if ", ParsePredicate(on).row->name));
    if ((op.row->flags & kInPlace) != 0) kinds.insert("in place");
    if (op.row == FindOperator("size")) kinds.insert("size");
  }
  return kinds;
}

std::string Letters(uint64_t hash) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += static_cast<char>('a' + hash % 26);
    hash /= 26;
  }
  return text;
}

}  // namespace

Signature SignatureOf(const std::string& framework, const TestCase& test, const Judgement& j) {
  std::string symptom = j.difference.attribute;
  if (!j.difference.section.empty()) absl::StrAppend(&symptom, " of ", j.difference.section);
  std::string text = absl::StrCat(framework, " ", Name(j.verdict),
                                  j.documented ? " (documented)" : "", ": ", symptom);
  if (!j.exception.empty()) {
    absl::StrAppend(&text, ", ", j.exception, " in ", absl::StrJoin(j.frames, " > "));
  } else {
    absl::StrAppend(&text, ", with ", absl::StrJoin(StepKinds(test, j.step), ", "),
                    "; model: ", absl::StrJoin(ModelKinds(test), ", "));
  }
  absl::StrAppend(&text, "; backend ", test.compile[kBackend]);
  return {text, Letters(StableHash(text))};
}

}  // namespace reprise
