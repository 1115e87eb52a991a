#include "oracle/judge.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/invariants.h"
#include "oracle/precision.h"

namespace reprise {
namespace {

using Outcomes = std::vector<Outcome>;  // one per step so far

class Trial {
 public:
  Trial(const Framework& framework, Runtime& runtime, const TestCase& test,
        const JudgeOptions& options)
      : framework_(framework),
        runtime_(runtime),
        test_(test),
        options_(options),
        program_(framework.Emit(test)),
        coarsest_(Name(CoarsestFloat(test))),
        strict_(options.sound) {}

  Judgement Run() {
    runtime_.BeginCase();
    result_.level = options_.level;
    expected_ = RunUncompiled(program_, static_cast<int>(program_.steps.size()), "E");
    NoteLegality();
    RunRetained();
    if (broken_) {
      JudgeInvariant();
    } else if (result_.step >= 0) {
      JudgeDisagreement();
    } else if (WantsResetEverywhere()) {
      JudgeResets();
    }
    return std::move(result_);
  }

 private:
  // A fresh instance at the start of a mode. Shortcuts that must be off are so again after the
  // set-up, in which the program may have chosen one.
  std::unique_ptr<Runtime::Instance> Begin(const Program& program, const std::string& tag) {
    runtime_.Strict(strict_);
    runtime_.BeginMode();
    auto instance = runtime_.Load(program, tag);
    if (strict_) runtime_.Strict(true);
    return instance;
  }

  // E's trajectory of a program, at most `count` steps; ends with the step that raises.
  Outcomes RunUncompiled(const Program& program, int count, const std::string& tag) {
    const auto instance = Begin(program, tag);
    instance->Bind(false);
    Outcomes outcomes;
    for (int i = 0; i < count; ++i) {
      outcomes.push_back(instance->Step(i, program.steps[i].judged));
      if (Ends(program.steps[i], outcomes.back())) break;
    }
    return outcomes;
  }

  // An exception ends a sequence, unless the model declares that it may raise it.
  static bool Ends(const ProgramStep& step, const Outcome& outcome) {
    return outcome.raised && !(step.may_raise && IsDeclared(*outcome.raised));
  }

  // A call that raises without the compiler ends the case: what follows has no defined meaning.
  void NoteLegality() {
    for (const ProgramStep& step : program_.steps) {
      result_.steps.push_back({static_cast<int>(result_.steps.size()), step.judged});
    }
    result_.legal_steps = static_cast<int>(expected_.size());
    if (!expected_.empty() && Ends(program_.steps[expected_.size() - 1], expected_.back())) {
      const Raised& raised = *expected_.back().raised;
      EndAt(result_.legal_steps - 1,
            absl::StrCat("uncompiled it raises ", raised.root, ": ", raised.text));
    }
  }

  // What stands from here on is not judged.
  void EndAt(int step, const std::string& why) {
    result_.legal_steps = step;
    result_.illegal = why;
  }

  void RunRetained() {
    const auto instance = Begin(program_, "S");
    Retained(true);
    instance->Bind(true);
    JudgeRetained(instance.get());
    Retained(false);
  }

  void Retained(bool on) {
    retaining_ = on;
    if (options_.retained) options_.retained(on);
  }

  void JudgeRetained(Runtime::Instance* instance) {
    retained_.reserve(expected_.size());
    for (int i = 0; i < result_.legal_steps; ++i) {
      const bool judged = program_.steps[i].judged;
      retained_.push_back(instance->Step(i, judged));
      const Outcome& retained = retained_.back();
      StepReport& report = result_.steps[i];
      report.signals = retained.signals;
      if (!judged && !retained.raised) continue;
      if (const KnownException* known = framework_.known_differences().Find(retained)) {
        EndAt(i, absl::StrCat("known difference, ", known->name));
        return;
      }
      const auto difference = Compare(expected_[i], retained, ReferenceOf(i), options_.level);
      report.s = Cell(difference);
      if (!difference && options_.level >= Level::kFull) {
        broken_ = FindBrokenInvariant(TrajectoryOf(retained_), i);
        if (broken_) report.s = Cell(broken_);
      }
      if (!difference && !broken_) continue;
      result_.step = i;
      Blame(difference ? *difference : *broken_, retained);
      return;
    }
  }

  // A mode's outcomes for the invariants, of the judged steps alone.
  Trajectory TrajectoryOf(const Outcomes& outcomes) {
    Trajectory trajectory{test_, {}, {}, coarsest_};
    for (size_t i = 0; i < outcomes.size(); ++i)
      trajectory.steps.push_back(program_.steps[i].judged ? &outcomes[i] : nullptr);
    trajectory.perturbed = [this](int step) { return ReferenceOf(step).perturbed(); };
    return trajectory;
  }

  // S breaks an invariant where it agrees with E: does E break it, does R?
  void JudgeInvariant() {
    const int step = result_.step;
    Trajectory trajectory = TrajectoryOf(expected_);
    if (IsBroken(broken_->attribute, trajectory, step)) {
      result_.verdict = Verdict::kUncompiled;
      return;
    }
    const Outcome reset = RunReset(step);
    trajectory.steps[static_cast<size_t>(step)] = &reset;
    const bool broken = IsBroken(broken_->attribute, trajectory, step);
    result_.steps[static_cast<size_t>(step)].r = broken ? Cell(broken_) : "= E";
    result_.verdict = broken ? Verdict::kStateless : Verdict::kStateful;
  }

  void JudgeDisagreement() {
    const int step = result_.step;
    if (options_.level < Level::kThreeMode) {
      result_.verdict = Verdict::kUnsorted;
      return;
    }
    const Outcome reset = RunReset(step);
    const auto difference = Compare(expected_[step], reset, ReferenceOf(step), options_.level);
    result_.steps[step].r = Cell(difference);
    if (!difference) {
      result_.verdict = Verdict::kStateful;
      result_.documented = !options_.sound && ShortcutsExplain(step);
    } else {
      const Outcome& retained = retained_.back();
      const bool same = !Compare(reset, retained, ReferenceOf(step), options_.level);
      // Exceptions whose texts differ are the same outcome.
      const bool both_raise = reset.raised && retained.raised;
      result_.verdict = same || both_raise ? Verdict::kStateless : Verdict::kUnstable;
    }
  }

  bool WantsResetEverywhere() const {
    if (options_.level < Level::kThreeMode) return false;
    if (options_.policy == ResetPolicy::kAlways || options_.policy == ResetPolicy::kTrajectories)
      return true;
    return options_.policy == ResetPolicy::kSampled && StableHash(Print(test_)) % kSampleEvery == 0;
  }

  // S and E agree everywhere: does R?
  void JudgeResets() {
    Outcomes trajectory;
    if (options_.policy == ResetPolicy::kTrajectories) trajectory = RunResetTrajectory();
    for (int i = 0; i < result_.legal_steps; ++i) {
      if (!program_.steps[i].judged) continue;
      const Outcome reset = trajectory.empty() ? RunReset(i) : trajectory[i];
      const auto difference = Compare(expected_[i], reset, ReferenceOf(i), options_.level);
      result_.steps[i].r = Cell(difference);
      if (!difference) continue;
      result_.step = i;
      result_.verdict = Verdict::kColdOnly;
      Blame(*difference, reset);
      return;
    }
  }

  // R of one judged step, from E's program state before the call that it belongs to.
  Outcome RunReset(int step) {
    const auto instance = Begin(program_, absl::StrCat("R", step));
    instance->Bind(false);
    const int call = program_.steps[step].call;
    for (int i = 0;; ++i) {
      if (i == call) {
        runtime_.Reset(0);
        instance->Bind(true);
      }
      Outcome outcome = instance->Step(i, i == step);
      if (i == step || Ends(program_.steps[i], outcome)) return outcome;
      if (i == call) instance->Bind(false);
    }
  }

  Outcomes RunResetTrajectory() {
    const auto instance = Begin(program_, "R");
    instance->Bind(true);
    Outcomes outcomes;
    for (int i = 0; i < result_.legal_steps; ++i) {
      if (program_.steps[i].call == i) runtime_.Reset(0);
      outcomes.push_back(instance->Step(i, program_.steps[i].judged));
    }
    return outcomes;
  }

  // Is S right once the framework's documented unsound shortcuts are off?
  bool ShortcutsExplain(int step) {
    runtime_.BeginCase();
    strict_ = true;
    const auto instance = Begin(program_, "S strict");
    instance->Bind(true);
    bool agree = true;
    for (int i = 0; agree && i <= step; ++i) {
      const bool judged = program_.steps[i].judged;
      const Outcome outcome = instance->Step(i, judged);
      agree = judged ? !Compare(expected_[i], outcome, ReferenceOf(i), options_.level)
                     : !outcome.raised;
    }
    strict_ = options_.sound;
    return agree;
  }

  // Runs that numbers are measured by, each made once, when first asked for.
  Reference ReferenceOf(int step) {
    const auto float64 = [this, step]() -> const Outcome* {
      if (!framework_.HasFloat64Reference(test_)) return nullptr;
      return UncompiledStep(Numbers::kFloat64, "E64", step, &float64_);
    };
    const auto perturbed = [this, step] {
      return UncompiledStep(Numbers::kPerturbed, "perturbed", step, &perturbed_);
    };
    return {float64, perturbed, &framework_.known_differences(), coarsest_};
  }

  const Outcome* UncompiledStep(Numbers numbers, const std::string& tag, int step,
                                std::optional<Outcomes>* outcomes) {
    if (!*outcomes) {
      const bool retaining = retaining_;
      if (retaining) Retained(false);
      runtime_.Suspend();  // the mode that asks is in the middle of its trajectory
      *outcomes = RunUncompiled(framework_.Emit(test_, numbers), result_.legal_steps, tag);
      runtime_.Resume();
      if (retaining) Retained(true);
    }
    return static_cast<size_t>(step) < (*outcomes)->size() ? &(**outcomes)[step] : nullptr;
  }

  static std::string Cell(const std::optional<Difference>& difference) {
    if (!difference) return "= E";
    if (difference->path.empty()) return difference->attribute;
    return absl::StrCat(difference->attribute, " of ", difference->path);
  }

  void Blame(const Difference& difference, const Outcome& outcome) {
    result_.difference = difference;
    if (difference.attribute != "raises" || !outcome.raised) return;
    result_.exception = outcome.raised->root;
    result_.frames = outcome.raised->frames;
  }

  const Framework& framework_;
  Runtime& runtime_;
  const TestCase& test_;
  const JudgeOptions options_;
  const Program program_;
  const std::string coarsest_;
  bool strict_;             // the framework's documented unsound shortcuts are off
  bool retaining_ = false;  // S's trajectory is under way
  Outcomes expected_;
  Outcomes retained_;                 // S's, as far as it came
  std::optional<Difference> broken_;  // invariant that S breaks at the step of the verdict
  std::optional<Outcomes> float64_, perturbed_;
  Judgement result_;
};

}  // namespace

std::optional<ResetPolicy> ParseResetPolicy(const std::string& name) {
  if (name == "demand") return ResetPolicy::kDemand;
  if (name == "sampled") return ResetPolicy::kSampled;
  if (name == "always") return ResetPolicy::kAlways;
  if (name == "trajectories") return ResetPolicy::kTrajectories;
  return std::nullopt;
}

Judgement Judge(const Framework& framework, Runtime& runtime, const TestCase& test,
                const JudgeOptions& options) {
  return Trial(framework, runtime, test, options).Run();
}

}  // namespace reprise
