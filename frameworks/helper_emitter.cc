#include "frameworks/helper_emitter.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

constexpr std::pair<const char*, const char*> kStandardImports[] = {
    {"copy.", "import copy"},
    {"functools.", "import functools"},
    {"pickle.", "import pickle"},
    {"random.", "import random"},
    {"@dataclass", "from dataclasses import dataclass"},
};

// Does the word occur, not as the end of a longer name?
bool Uses(const std::string& text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (before != '.' && before != '_' && !std::isalnum(before)) return true;
  }
  return false;
}

class HelperEmitter {
 public:
  HelperEmitter(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                const ForwardEmitter& forward, const std::string& used)
      : test_(test), dialect_(dialect), slots_(slots), forward_(forward), used_(used) {
    for (const Slot& slot : test.slots) {
      NoteLiteral(slot.type, slot.value);
      NoteLiteral(slot.type, slot.below);
    }
    for (const Step& step : test.steps) NoteStep(step);
  }

  std::string Emit() {
    std::string text;
    // Arguments do not follow the default device.
    const std::string device = MovesDevice() ? ", device=\"cpu\"" : "";
    if (Uses(used_, "rand("))
      absl::StrAppend(&text, "\n\n", Fill(dialect_.rand, {{"device", device}}));
    text += Unaries() + Callables() + Things() + Dataclasses();
    if (Uses(used_, "tagged(")) absl::StrAppend(&text, "\n\n", dialect_.tag_class);
    for (const Op& op : test_.ops) text += OpHelper(op);
    for (const ContextRow& row : Contexts()) text += ContextHelper(row);
    return text;
  }

 private:
  void NoteLiteral(Type type, const std::string& literal) {
    if (literal.empty()) return;
    if (type == Type::kModule) modules_.insert(literal);
    if (type != Type::kCallable) return;
    const CallableLiteral callable = ParseCallable(literal);
    const std::string form = callable.form->name;
    if (form == "lambda") return;
    if (form == "method") {
      methods_.insert(callable.function);
    } else {
      functions_.insert(callable.function);
    }
  }

  void NoteStep(const Step& step) {
    for (size_t i = 0; i < step.arguments.size(); ++i) {
      const Argument& a = step.arguments[i];
      if (a.pattern->pattern == Pattern::kValue) NoteLiteral(test_.inputs[i].type, a.value);
    }
    if (step.row == FindStep("set"))
      NoteLiteral(FindSlot(test_, step.attrs[0])->type, step.attrs[1]);
  }

  bool MovesDevice() const {
    return std::any_of(test_.steps.begin(), test_.steps.end(), [](const Step& step) {
      return Attr(step, "under") == "default_device_meta" ||
             (step.row == FindStep("flag") && step.attrs[0] == "default_device");
    });
  }

  std::string Unaries() const {
    std::string text;
    for (const UnaryRow& row : reprise::Unaries()) {
      const UnaryTemplate& unary = dialect_.unaries.at(row.name);
      const std::string body = Fill(unary.expression, {{"0", "x"}});
      if (unary.function.empty() && functions_.contains(row.name) && Uses(used_, row.name)) {
        absl::StrAppend(&text, "\n\ndef ", row.name, "(x):\n    return ", body, "\n");
      }
      if (unary.module.empty() && modules_.contains(row.name)) {
        absl::StrAppend(&text, "\n\nclass ", ClassName(row.name), "(", dialect_.module_base,
                        "):\n    def forward(self, x):\n        return ", body, "\n");
      }
    }
    return text;
  }

  std::string Callables() const {
    std::string text;
    if (Uses(used_, "wrapping(")) {
      text +=
          "\n\ndef wrapping(fn):\n    def wrapped(x):\n        return fn(x)\n\n    return "
          "wrapped\n";
    }
    if (Uses(used_, "functools.partial(applied"))
      text += "\n\ndef applied(fn, x):\n    return fn(x)\n";
    if (Uses(used_, "Applying(")) {
      text +=
          "\n\nclass Applying:\n    def __init__(self, fn):\n        self.fn = fn\n\n"
          "    def __call__(self, x):\n        return self.fn(x)\n";
    }
    if (methods_.empty()) return text;
    text += "\n\nclass Functions:\n";
    const char* separator = "";
    for (const std::string& name : methods_) {
      absl::StrAppend(&text, separator, "    def ", name, "(self, x):\n        return ",
                      slots_.Unary(name, "x"), "\n");
      separator = "\n";
    }
    return text + "\n\nfunctions = Functions()\n";
  }

  std::string Things() const {
    std::string text;
    for (int i = 1; i <= 4; ++i) {
      const std::string name = absl::StrCat("thing", i);
      if (Uses(used_, name)) absl::StrAppend(&text, name, " = Thing()\n");
    }
    return text.empty() ? "" : "\n\nclass Thing:\n    pass\n\n\n" + text;
  }

  // One field per key that any call passes; what a call leaves out is None.
  std::string Dataclasses() const {
    std::string text;
    for (size_t i = 0; i < test_.inputs.size(); ++i) {
      const Input& input = test_.inputs[i];
      if (input.type != Type::kData) continue;
      absl::StrAppend(&text, "\n\n@dataclass\nclass ", ClassName(input.name), ":\n");
      std::set<std::string> fields;
      for (const Step& step : test_.steps) {
        if (step.arguments.empty()) continue;
        for (const std::string& key : step.arguments[i].keys) fields.insert(key);
      }
      for (const std::string& field : fields) {
        absl::StrAppend(&text, "    ", field, ": ", dialect_.tensor_type, " = None\n");
      }
    }
    return text;
  }

  std::string OpHelper(const Op& op) const {
    const auto it = dialect_.ops.find(op.row->name);
    if (it == dialect_.ops.end() || it->second.helper.empty()) return "";
    return "\n\n" + Fill(it->second.helper, forward_.Values(op));
  }

  std::string ContextHelper(const ContextRow& row) const {
    const auto it = dialect_.contexts.find(row.name);
    if (it == dialect_.contexts.end() || it->second.helper.empty()) return "";
    for (const Op& op : test_.ops) {
      if (op.context == &row) return "\n\n" + it->second.helper;
    }
    for (const Step& step : test_.steps) {
      if (Attr(step, "under") == row.name) return "\n\n" + it->second.helper;
    }
    return "";
  }

  const TestCase& test_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  const ForwardEmitter& forward_;
  const std::string& used_;
  std::set<std::string> functions_, methods_, modules_;  // unary functions held as such
};

}  // namespace

std::string EmitImports(const Dialect& dialect, const std::string& used) {
  std::string text;
  for (const auto& [word, import] : kStandardImports) {
    if (Uses(used, word)) absl::StrAppend(&text, import, "\n");
  }
  if (!text.empty()) text += "\n";
  for (const auto& [word, import] : dialect.imports) {
    if (word.empty() || Uses(used, word)) absl::StrAppend(&text, import, "\n");
  }
  return text;
}

std::string EmitHelpers(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                        const ForwardEmitter& forward, const std::string& used) {
  return HelperEmitter(test, dialect, slots, forward, used).Emit();
}

}  // namespace reprise
