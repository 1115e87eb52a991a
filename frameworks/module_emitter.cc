#include "frameworks/module_emitter.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frameworks/forward_emitter.h"
#include "frameworks/helper_emitter.h"
#include "frameworks/slot_forms.h"
#include "grammar/history.h"
#include "grammar/infer.h"

namespace reprise {
namespace {

bool IsFirstInstanceOnly(const TestCase& test) {
  return std::none_of(test.steps.begin(), test.steps.end(),
                      [](const Step& s) { return s.row == FindStep("instance"); });
}

// At most `most` blank lines in a row.
std::string Tidy(std::string text, size_t most) {
  const std::string wanted(most + 1, '\n'), longer(most + 2, '\n');
  for (size_t at; (at = text.find(longer)) != std::string::npos;)
    text.replace(at, longer.size(), wanted);
  return text;
}

class Emitter {
 public:
  Emitter(const TestCase& test, const Dialect& dialect, const ModuleEmitterOptions& options)
      : test_(test),
        dialect_(dialect),
        options_(options),
        slots_(test, dialect),
        construction_(InferCall(test, FirstCall(test), nullptr)),
        forward_(test, test.ops, dialect, slots_, construction_) {}

  Program Emit() {
    Program program;
    program.object = !test_.function;
    program.binding = BindCompiled(Fill(options_.compile.first, {{"target", "model"}}));
    program.steps = EmitSteps(test_, dialect_, slots_, construction_, options_.compile);
    for (const Slot& slot : test_.slots) {
      if (IsShown(slot)) program.state.push_back({slot.name, slots_.ForReport(slot)});
    }
    const auto makes_optimizer = [](const Step& step) { return step.row == FindStep("optimizer"); };
    if (std::any_of(test_.steps.begin(), test_.steps.end(), makes_optimizer))
      program.state.push_back({"optimizer.state", dialect_.optimizer_state});
    const std::string models = test_.function ? Functions() : Classes();
    const std::string body = Top() + (slots_.has_closure() ? Closure(models) : models + Instance());
    std::string used = body;
    for (const ProgramStep& step : program.steps) {
      used += step.prepare + step.source;
      if (step.binding) used += step.binding->compiled;
    }
    const std::string helpers = EmitHelpers(test_, dialect_, slots_, forward_, used);
    used += options_.prologue + helpers + program.binding.compiled;
    std::string header = EmitImports(dialect_, used);
    if (!options_.prologue.empty()) absl::StrAppend(&header, "\n", options_.prologue);
    program.setup = Tidy(absl::StrCat(header, helpers, "\n\n", body), 2);
    return program;
  }

 private:
  // The rest of the state belongs to the model, or has nothing to compare.
  static bool IsShown(const Slot& slot) {
    if (slot.type == Type::kCallable || slot.type == Type::kModule || slot.type == Type::kObject)
      return false;
    const bool owned = slot.home == FindHome("buffer") || slot.home == FindHome("param");
    return !owned || slot.type == Type::kOptional;
  }

  std::string Defined(Place place, const char* only_home = nullptr) const {
    std::string text;
    for (const Slot& slot : test_.slots) {
      const bool here = FormOf(slot.home->name).place == place;
      if (!here || (only_home != nullptr && slot.home != FindHome(only_home))) continue;
      absl::StrAppend(&text, slots_.Define(slot, slot.value), "\n");
    }
    return text;
  }

  // Definitions of the entries that the slots of one home share, separated.
  std::string Entries(const char* home, const char* separator) const {
    std::vector<std::string> entries;
    for (const Slot& slot : test_.slots) {
      if (slot.home == FindHome(home)) entries.push_back(slots_.Define(slot, slot.value));
    }
    return absl::StrJoin(entries, separator);
  }

  bool Any(const char* home) const {
    return std::any_of(test_.slots.begin(), test_.slots.end(),
                       [&](const Slot& s) { return s.home == FindHome(home); });
  }

  std::string Tables() const {
    const char* self = test_.function ? "" : "self.";
    std::string text;
    if (Any("dict")) absl::StrAppend(&text, self, "table = {", Entries("dict", ", "), "}\n");
    if (Any("list")) absl::StrAppend(&text, self, "levels = [", Entries("list", ", "), "]\n");
    return text;
  }

  // What is deleted from an object is found in its class.
  std::string Below(const char* home) const {
    std::string text;
    for (const Slot& slot : test_.slots) {
      if (slot.home != FindHome(home) || slot.below.empty()) continue;
      absl::StrAppend(&text, slot.name, " = ", slots_.Literal(slot.type, slot.below), "\n");
    }
    return text;
  }

  // Globals, objects and classes that the model reads.
  std::string Top() const {
    std::string text;
    if (Any("object")) {
      const std::string below = Below("object");
      absl::StrAppend(&text, "class Config:\n", Indent(below.empty() ? "pass\n" : below, 1),
                      "\n\nconfig = Config()\n");
    }
    if (Any("field")) {
      absl::StrAppend(&text, text.empty() ? "" : "\n\n", "@dataclass\nclass Settings:\n",
                      Indent(Entries("field", "\n"), 1), "\n\n\nsettings = Settings()\n");
    }
    text += Defined(Place::kTop);
    if (test_.function) text += Tables();
    while (absl::StartsWith(text, "\n")) text.erase(0, 1);
    return text.empty() ? "" : text + "\n\n";
  }

  std::string ClassAttributes() const {
    std::string text = Below("attr") + Defined(Place::kClass);
    return text.empty() || absl::EndsWith(text, "\n\n") ? text : text + "\n";
  }

  std::string Constructor() const {
    std::string submodules, state;
    for (const Op& op : test_.ops) {
      if ((op.row->flags & kModuleOp) == 0) continue;
      absl::StrAppend(&submodules, "self.", op.name, " = ",
                      Fill(dialect_.ops.at(op.row->name).construct, forward_.Values(op)), "\n");
    }
    if (Any("submodule")) absl::StrAppend(&state, "self.inner = ", dialect_.empty_module, "\n");
    state += Defined(Place::kInit) + Tables();
    const bool parameters = std::any_of(test_.ops.begin(), test_.ops.end(), [](const Op& op) {
      return (op.row->flags & kParameters) != 0;
    });
    const bool seeded = parameters && !IsFirstInstanceOnly(test_);
    if (parameters)
      submodules += Fill(dialect_.fill_parameters, {{"first", seeded ? ", first_seed" : ""}});
    if (submodules.empty() && state.empty()) return "";
    return absl::StrCat("def __init__(self", seeded ? ", first_seed=0" : "", "):\n",
                        Indent("super().__init__()\n" + submodules + state, 1), "\n");
  }

  std::string Forward(const std::string& name, const ForwardEmitter& forward) const {
    std::vector<std::string> parameters;
    if (!test_.function) parameters.emplace_back("self");
    for (const Input& input : test_.inputs) parameters.push_back(input.name);
    for (const Slot& slot : test_.slots) {
      if (slot.home == FindHome("default")) parameters.push_back(slots_.Define(slot, slot.value));
    }
    return absl::StrCat("def ", name, "(", absl::StrJoin(parameters, ", "), "):\n",
                        Indent(forward.Body(), 1));
  }

  // Calls `write` with the number and the forward function of each second program.
  void ForVariants(const auto& write) const {
    size_t number = 0;
    for (size_t i = 0; i < test_.steps.size(); ++i) {
      if (test_.steps[i].row != FindStep("variant")) continue;
      const std::vector<Op> ops = HistoryBefore(test_, i + 1).ops();
      write(++number, ForwardEmitter(test_, ops, dialect_, slots_, construction_));
    }
  }

  std::string Functions() const {
    std::string text = Forward("model", forward_) + "\n\n";
    ForVariants([&](size_t number, const ForwardEmitter& forward) {
      absl::StrAppend(&text, Forward(VariantName(test_, number), forward), "\n\n");
    });
    return text;
  }

  std::string Classes() const {
    std::string text = absl::StrCat(
        "class Model(", dialect_.module_base, "):\n",
        Indent(ClassAttributes() + Constructor() + Forward("forward", forward_), 1), "\n\n");
    ForVariants([&](size_t number, const ForwardEmitter& forward) {
      absl::StrAppend(&text, "class ", VariantName(test_, number), "(Model):\n",
                      Indent(Forward("forward", forward), 1), "\n\n");
    });
    return text;
  }

  std::string Instance() const { return test_.function ? "" : "model = Model()\n"; }

  // The model inside the function whose variables it reads, with what SlotForms::FactoryNames says.
  std::string Closure(const std::string& models) const {
    std::vector<std::string> parameters, values;
    std::string inner = Tidy(models, 1);
    while (absl::EndsWith(inner, "\n\n")) inner.pop_back();
    for (const Slot& slot : test_.slots) {
      if (slot.home != FindHome("closure")) continue;
      parameters.push_back(slot.name);
      values.push_back(slots_.Literal(slot.type, slot.value));
      absl::StrAppend(&inner, "\ndef set_", slot.name, "(value):\n    nonlocal ", slot.name,
                      "\n    ", slot.name, " = value\n");
      if (!slots_.NeedsGetter(slot)) continue;
      absl::StrAppend(&inner, "\ndef get_", slot.name, "():\n    return ", slot.name, "\n");
    }
    const std::vector<std::string> names = slots_.FactoryNames();
    std::vector<std::string> made = names;
    if (!test_.function) made[0] = "Model()";
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
