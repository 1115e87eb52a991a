#include "oracle/modes.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "oracle/precision.h"

namespace reprise {

bool Ends(const ProgramStep& step, const Outcome& outcome) {
  return outcome.raised && !(step.may_raise && IsDeclared(*outcome.raised));
}

Modes::Modes(const Framework& framework, Runtime& runtime, const TestCase& test, bool sound,
             std::function<void(bool)> retained)
    : framework_(framework),
      runtime_(runtime),
      test_(test),
      program_(framework.Emit(test)),
      coarsest_(Name(CoarsestFloat(test))),
      told_(std::move(retained)) {
  if (sound) off_ = runtime.Shortcuts();
  runtime_.BeginCase();
}

// A fresh instance at the start of a mode. Shortcuts that must be off are so again after the
// set-up, in which the program may have chosen one.
std::unique_ptr<Runtime::Instance> Modes::Begin(const Program& program, const std::string& tag) {
  runtime_.TurnOff(off_);
  runtime_.BeginMode();
  auto instance = runtime_.Load(program, tag);
  if (!off_.empty()) runtime_.TurnOff(off_);
  return instance;
}

Outcomes Modes::RunUncompiled(const Program& program, size_t count, const std::string& tag) {
  const auto instance = Begin(program, tag);
  instance->Bind(false);
  Outcomes outcomes;
  for (size_t i = 0; i < count; ++i) {
    outcomes.push_back(instance->Step(static_cast<int>(i), program.steps[i].judged));
    if (Ends(program.steps[i], outcomes.back())) break;
  }
  return outcomes;
}

Outcomes Modes::Uncompiled() { return RunUncompiled(program_, program_.steps.size(), "E"); }

void Modes::RunCompiled(const std::string& tag, int steps,
                        const std::function<bool(Outcome)>& see) {
  const auto instance = Begin(program_, tag);
  Retaining(true);
  instance->Bind(true);
  for (int i = 0; i < steps; ++i) {
    if (!see(instance->Step(i, program_.steps[static_cast<size_t>(i)].judged))) break;
  }
  Retaining(false);
}

void Modes::Retained(int steps, const std::function<bool(Outcome)>& see) {
  RunCompiled("S", steps, see);
}

void Modes::RetainedAnew(const std::vector<std::string>& sound_shortcuts, int steps,
                         const std::function<bool(Outcome)>& see) {
  runtime_.BeginCase();
  const std::vector<std::string> off = std::exchange(off_, sound_shortcuts);
  RunCompiled("S strict", steps, see);
  off_ = off;
}

Outcome Modes::Reset(int step, int tier) {
  const auto instance = Begin(program_, absl::StrCat("R", step, ".", tier));
  instance->Bind(false);
  const int call = program_.steps[static_cast<size_t>(step)].call;
  for (int i = 0;; ++i) {
    if (i == call) {
      runtime_.Reset(tier);
      instance->Bind(true);
    }
    Outcome outcome = instance->Step(i, i == step);
    if (i == step || Ends(program_.steps[static_cast<size_t>(i)], outcome)) return outcome;
    if (i == call) instance->Bind(false);
  }
}

Outcomes Modes::ResetTrajectory(int steps) {
  const auto instance = Begin(program_, "R");
  instance->Bind(true);
  Outcomes outcomes;
  for (int i = 0; i < steps; ++i) {
    const ProgramStep& step = program_.steps[static_cast<size_t>(i)];
    if (step.call == i) runtime_.Reset(kFreshCaches);
    outcomes.push_back(instance->Step(i, step.judged));
  }
  return outcomes;
}

Reference Modes::ReferenceOf(int step) {
  const auto float64 = [this, step]() -> const Outcome* {
    if (!framework_.HasFloat64Reference(test_)) return nullptr;
    return UncompiledStep(Numbers::kFloat64, "E64", step, &float64_);
  };
  const auto perturbed = [this, step] {
    return UncompiledStep(Numbers::kPerturbed, "perturbed", step, &perturbed_);
  };
  return {float64, perturbed, &framework_.known_differences(), coarsest_};
}

const Outcome* Modes::UncompiledStep(Numbers numbers, const std::string& tag, int step,
                                     std::optional<Outcomes>* outcomes) {
  if (!*outcomes) {
    const bool retaining = retaining_;
    if (retaining) Retaining(false);
    runtime_.Suspend();  // the mode that asks is in the middle of its trajectory
    *outcomes = RunUncompiled(framework_.Emit(test_, numbers), program_.steps.size(), tag);
    runtime_.Resume();
    if (retaining) Retaining(true);
  }
  const auto index = static_cast<size_t>(step);
  return index < (*outcomes)->size() ? &(**outcomes)[index] : nullptr;
}

void Modes::Retaining(bool on) {
  retaining_ = on;
  if (told_) told_(on);
}

}  // namespace reprise
