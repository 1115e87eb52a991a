#include "frameworks/module_emitter.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "frameworks/forward_emitter.h"
#include "frameworks/slot_forms.h"
#include "frameworks/step_emitter.h"
#include "grammar/infer.h"

namespace reprise {
namespace {

std::string Indent(const std::string& text, int levels) {
  std::string result;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!line.empty()) absl::StrAppend(&result, std::string(4 * levels, ' '), line);
    result += "\n";
  }
  if (!text.empty() && text.back() == '\n') result.pop_back();
  return result;
}

class Emitter {
 public:
  Emitter(const TestCase& test, const Dialect& dialect, const ModuleEmitterOptions& options)
      : test_(test),
        dialect_(dialect),
        options_(options),
        slots_(test, dialect),
        construction_(InferCall(test, FirstCall(test), nullptr)),
        forward_(test, dialect, slots_, construction_) {}

  Program Emit() {
    Program program;
    program.object = !test_.function;
    program.compile =
        absl::StrCat("compiled = ", Fill(options_.compile, {{"target", "model"}}), "\n");
    program.uncompiled = "compiled = model\n";
    program.steps = EmitSteps(test_, dialect_, slots_, construction_);
    for (const Slot& slot : test_.slots) {
      const bool shown = slot.type != Type::kCallable && slot.type != Type::kModule &&
                         slot.type != Type::kObject && slot.home != FindHome("buffer") &&
                         slot.home != FindHome("param");
      if (shown) program.state.push_back({slot.name, slots_.ForReport(slot)});
    }
    const std::string model = test_.function ? FunctionModel() : ObjectModel();
    std::string body = Globals() + (slots_.has_closure() ? Closure(model) : model + Instance());
    std::string used = body;
    for (const ProgramStep& step : program.steps) used += step.source;
    program.setup = Header(used + program.compile) + Helpers(used) + "\n\n" + body;
    return program;
  }

 private:
  std::string Header(const std::string& used) const {
    std::string text;
    if (absl::StrContains(used, "copy.copy(")) text = "import copy\n\n";
    for (const auto& [word, import] : dialect_.imports) {
      if (absl::StrContains(used, word)) absl::StrAppend(&text, import, "\n");
    }
    return text;
  }

  // rand(), the unary functions and classes that the program names, and class Thing.
  std::string Helpers(const std::string& used) const {
    std::string text;
    if (absl::StrContains(used, "rand(")) absl::StrAppend(&text, "\n\n", dialect_.rand);
    for (const UnaryRow& row : Unaries()) {
      if (!Holds(row.name)) continue;
      const auto& unary = dialect_.unaries.at(row.name);
      const std::string body = Fill(unary.expression, {{"0", "x"}});
      if (unary.function.empty() && Holds(row.name, Type::kCallable)) {
        absl::StrAppend(&text, "\n\ndef ", row.name, "(x):\n    return ", body, "\n");
      }
      if (unary.module.empty() && Holds(row.name, Type::kModule)) {
        absl::StrAppend(&text, "\n\nclass ", ClassName(row.name), "(", dialect_.module_base,
                        "):\n    def forward(self, x):\n        return ", body, "\n");
      }
    }
    const bool things = absl::StrContains(used, "thing");
    if (things) text += "\n\nclass Thing:\n    pass\n";
    if (things) text += "\n\n";
    for (int i = 1; things && i <= 4; ++i) {
      const std::string name = absl::StrCat("thing", i);
      if (absl::StrContains(used, name)) absl::StrAppend(&text, name, " = Thing()\n");
    }
    return text;
  }

  // Is the unary function ever the value of something of this type (of any, by default)?
  bool Holds(const std::string& unary, std::optional<Type> type = std::nullopt) const {
    const auto matches = [&](Type t) {
      return type ? t == *type : t == Type::kCallable || t == Type::kModule;
    };
    for (const Slot& slot : test_.slots) {
      if (matches(slot.type) && slot.value == unary) return true;
    }
    for (const Step& step : test_.steps) {
      for (size_t i = 0; i < step.arguments.size(); ++i) {
        if (matches(test_.inputs[i].type) && step.arguments[i].value == unary) return true;
      }
      if (step.row != FindStep("set")) continue;
      if (matches(FindSlot(test_, step.attrs[0])->type) && step.attrs[1] == unary) return true;
    }
    return false;
  }

  std::string Table() const {
    std::vector<std::string> entries;
    for (const Slot& slot : test_.slots) {
      if (slot.home != FindHome("dict")) continue;
      entries.push_back(
          absl::StrCat("\"", slot.name, "\": ", slots_.Literal(slot.type, slot.value)));
    }
    if (entries.empty()) return "";
    return absl::StrCat("table = {", absl::StrJoin(entries, ", "), "}\n");
  }

  std::string Globals() const {
    std::string text;
    for (const Slot& slot : test_.slots) {
      if (slot.home == FindHome("global"))
        text += slots_.Assign(slot, slots_.Literal(slot.type, slot.value));
    }
    if (test_.function) text += Table();
    return text.empty() ? "" : text + "\n\n";
  }

  std::string ClassAttributes() const {
    std::string text;
    for (const Slot& slot : test_.slots) {
      const bool attr = slot.home == FindHome("attr");
      const std::string& literal = attr ? slot.below : slot.value;
      if (!(attr ? !slot.below.empty() : slot.home == FindHome("class"))) continue;
      absl::StrAppend(&text, slot.name, " = ", slots_.Literal(slot.type, literal), "\n");
    }
    return text;
  }

  std::string Constructor() const {
    std::string submodules, state;
    for (const Op& op : test_.ops) {
      if ((op.row->flags & kModuleOp) == 0) continue;
      absl::StrAppend(&submodules, "self.", op.name, " = ",
                      Fill(dialect_.ops.at(op.row->name).construct, forward_.Values(op)), "\n");
    }
    for (const Slot& slot : test_.slots) {
      const std::string value = slots_.Literal(slot.type, slot.value);
      if (slot.home == FindHome("buffer")) {
        state += Fill(dialect_.register_buffer, {{"name", slot.name}, {"0", value}}) + "\n";
      } else if (slot.home == FindHome("attr") || slot.home == FindHome("param")) {
        absl::StrAppend(&state, "self.", slot.name, " = ", slots_.Held(slot, value), "\n");
      }
    }
    const std::string table = Table();
    if (!table.empty()) state += "self." + table;
    const bool parameters = std::any_of(test_.ops.begin(), test_.ops.end(), [](const Op& op) {
      return (op.row->flags & kParameters) != 0;
    });
    if (parameters) submodules += dialect_.fill_parameters;
    if (submodules.empty() && state.empty()) return "";
    return "def __init__(self):\n" + Indent("super().__init__()\n" + submodules + state, 1) + "\n";
  }

  std::string Forward() const {
    std::vector<std::string> parameters;
    if (!test_.function) parameters.emplace_back("self");
    for (const Input& input : test_.inputs) parameters.push_back(input.name);
    return absl::StrCat("def ", test_.function ? "model" : "forward", "(",
                        absl::StrJoin(parameters, ", "), "):\n", Indent(forward_.Body(), 1));
  }

  std::string FunctionModel() const { return Forward() + "\n\n"; }

  std::string ObjectModel() const {
    std::string attributes = ClassAttributes();
    if (!attributes.empty()) attributes += "\n";
    return absl::StrCat("class Model(", dialect_.module_base, "):\n",
                        Indent(attributes + Constructor() + Forward(), 1), "\n\n");
  }

  std::string Instance() const { return test_.function ? "" : "model = Model()\n"; }

  // The model inside the function whose variables it reads, with a setter (and, where a step
  // needs it, a getter) per variable.
  std::string Closure(const std::string& model) const {
    std::vector<std::string> parameters, values, names{"model"};
    std::vector<std::string> made{test_.function ? "model" : "Model()"};
    std::string inner = model;
    while (absl::EndsWith(inner, "\n\n")) inner.pop_back();
    for (const Slot& slot : test_.slots) {
      if (slot.home != FindHome("closure")) continue;
      parameters.push_back(slot.name);
      values.push_back(slots_.Literal(slot.type, slot.value));
      names.push_back("set_" + slot.name);
      absl::StrAppend(&inner, "\ndef set_", slot.name, "(value):\n    nonlocal ", slot.name,
                      "\n    ", slot.name, " = value\n");
      if (!slots_.NeedsGetter(slot)) continue;
      names.push_back("get_" + slot.name);
      absl::StrAppend(&inner, "\ndef get_", slot.name, "():\n    return ", slot.name, "\n");
    }
    made.insert(made.end(), names.begin() + 1, names.end());
    absl::StrAppend(&inner, "\nreturn ", absl::StrJoin(made, ", "), "\n");
    return absl::StrCat("def build(", absl::StrJoin(parameters, ", "), "):\n", Indent(inner, 1),
                        "\n\n", absl::StrJoin(names, ", "), " = build(",
                        absl::StrJoin(values, ", "), ")\n");
  }

  const TestCase& test_;
  const Dialect& dialect_;
  const ModuleEmitterOptions& options_;
  const SlotForms slots_;
  const Inference construction_;
  const ForwardEmitter forward_;
};

}  // namespace

Program EmitModuleProgram(const TestCase& test, const Dialect& dialect,
                          const ModuleEmitterOptions& options) {
  return Emitter(test, dialect, options).Emit();
}

}  // namespace reprise
