#include "frameworks/step_emitter.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frameworks/argument_emitter.h"
#include "frameworks/state_steps.h"
#include "grammar/printer.h"

namespace reprise {
namespace {

class StepEmitter {
 public:
  StepEmitter(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
              const Inference& construction, const CompileForms& compile)
      : test_(test),
        dialect_(dialect),
        slots_(slots),
        construction_(construction),
        compile_(compile),
        state_(test, dialect, slots),
        wrapping_(BindCompiled(Fill(compile.first, {{"target", "model"}}))) {
    for (const Op& op : test.ops) flags_ |= op.row->flags;
  }

  std::vector<ProgramStep> Emit() {
    std::vector<ProgramStep> steps;
    for (size_t i = 0; i < test_.steps.size(); ++i) steps.push_back(EmitStep(i));
    return steps;
  }

 private:
  ProgramStep EmitStep(size_t index) {
    const Step& step = test_.steps[index];
    const std::string word = step.row->name;
    ProgramStep out;
    out.comment = PrintStep(test_, step);
    out.judged = IsJudged(step);
    if (IsCall(step)) {
      out.call = static_cast<int>(index);
      EmitCall(index, &out);
    } else if (word == "backward") {
      EmitBackward(step, &out);
    } else if (word == "write") {
      EmitWrite(step, &out);
    } else if (word == "optimizer" || word == "optimize") {
      EmitOptimizer(step, static_cast<int>(index), &out);
    } else {
      out.source = state_.Emit(step);
      EmitBinding(step, &out);
    }
    return out;
  }

  // Steps that change which object the model is wrap it anew.
  void EmitBinding(const Step& step, ProgramStep* out) {
    if (step.row == FindStep("wrap"))
      wrapping_ = BindCompiled(Fill(compile_.wrap(test_, step), {{"target", "model"}}));
    if (step.row->wraps || Attr(step, "via") == "factory") out->binding = wrapping_;
  }

  void EmitCall(size_t index, ProgramStep* out) {
    const Step& call = test_.steps[static_cast<size_t>(RootOfCall(test_, static_cast<int>(index)))];
    const int64_t seed = ParseInt(Attr(call, "seed"), 0);
    const size_t ordinal = ++calls_;
    EmittedArguments arguments = EmitArguments(test_, dialect_, slots_, call, seed, ordinal);
    out->prepare = arguments.statements;
    out->arguments = arguments.watched;
    leaves_[ordinal] = arguments.leaves;
    watched_[ordinal] = arguments.watched;
    if ((flags_ & kRandom) != 0)
      out->source += Fill(dialect_.seed_generator, {{"seed", absl::StrCat(seed)}}) + "\n";
    if ((flags_ & kPythonRandom) != 0) absl::StrAppend(&out->source, "random.seed(", seed, ")\n");
    out->may_raise = (flags_ & kRaises) != 0;
    const std::string result = absl::StrCat("out", ordinal);
    const std::string invoke =
        absl::StrCat(result, " = compiled(", absl::StrJoin(arguments.passed, ", "), ")\n");
    const std::string& under = Attr(call, "under");
    if (under.empty()) {
      out->source += invoke;
    } else {
      absl::StrAppend(&out->source, "with ", dialect_.contexts.at(under).with, ":\n    ", invoke);
    }
    out->results.push_back({"result", result});
  }

  void EmitBackward(const Step& step, ProgramStep* out) {
    const int64_t call = ParseInt(step.attrs[0], 1), of = ParseInt(step.attrs[1], 0);
    const int index = StepOfCall(test_, call);
    out->call = index;
    const Inference inference =
        InferCall(test_, index, index == FirstCall(test_) ? nullptr : &construction_);
    std::vector<std::string> terms;
    for (size_t i = 0; i < test_.returns.size(); ++i) {
      const ValueInfo& info = inference.values.at(test_.returns[i]);
      if (info.type != Type::kTensor || !IsFloat(info.dtype)) continue;
      if (of > 0 && i + 1 != static_cast<size_t>(of)) continue;
      const std::string value = ResultText(test_, call, static_cast<int64_t>(i));
      terms.push_back(Fill(dialect_.square_sum, {{"0", value}}));
    }
    std::string loss = absl::StrJoin(terms, " + ");
    if (terms.size() > 1) loss = absl::StrCat("(", loss, ")");
    const std::string retain = step.attrs[2] == "yes" ? "retain_graph=True" : "";
    out->source = Fill(dialect_.backward, {{"0", loss}, {"retain", retain}}) + "\n";
    for (const Watch& leaf : leaves_[static_cast<size_t>(call)]) {
      out->gradients.push_back({leaf.label, leaf.expression + ".grad"});
    }
  }

  void EmitWrite(const Step& step, ProgramStep* out) {
    const int64_t call = ParseInt(step.attrs[0], 1);
    const std::string result = ResultText(test_, call, ParseInt(step.attrs[1], 1) - 1);
    out->call = StepOfCall(test_, call);
    out->source = result + ".add_(1.0)\n";
    out->results.push_back({"result", absl::StrCat("out", call)});
    out->arguments = watched_[static_cast<size_t>(call)];
  }

  // A compiled optimizer step is a compiled invocation of its own.
  void EmitOptimizer(const Step& step, int index, ProgramStep* out) {
    const bool made = step.row == FindStep("optimizer");
    if (made) {
      schedule_ = Attr(step, "schedule") == "yes";
      compiled_optimizer_ = Attr(step, "compiled") == "yes";
      out->source = state_.Emit(step);
      if (schedule_) out->source += dialect_.steps.at("schedule") + "\n";
      const std::string update = dialect_.steps.at("optimize");
      if (!compiled_optimizer_) return;
      out->binding = Binding{
          "update", absl::StrCat("update = ", Fill(compile_.first, {{"target", update}}), "\n"),
          absl::StrCat("update = ", update, "\n")};
      return;
    }
    out->source = compiled_optimizer_ ? "update()\n" : dialect_.steps.at("optimize") + "()\n";
    if (schedule_) out->source += "schedule.step()\n";
    out->judged = compiled_optimizer_;
    out->call = index;
  }

  const TestCase& test_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  const Inference& construction_;
  const CompileForms& compile_;
  StateSteps state_;
  Binding wrapping_;  // how the model is wrapped when it is made anew
  unsigned flags_ = 0;
  size_t calls_ = 0;
  bool schedule_ = false, compiled_optimizer_ = false;
  std::map<size_t, std::vector<Watch>> leaves_, watched_;  // by ordinal of the call
};

}  // namespace

Binding BindCompiled(const std::string& expression) {
  return {"compiled", absl::StrCat("compiled = ", expression, "\n"), "compiled = model\n"};
}

std::vector<ProgramStep> EmitSteps(const TestCase& test, const Dialect& dialect,
                                   const SlotForms& slots, const Inference& construction,
                                   const CompileForms& compile) {
  return StepEmitter(test, dialect, slots, construction, compile).Emit();
}

}  // namespace reprise
