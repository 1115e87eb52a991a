#include "oracle/judge.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/invariants.h"
#include "oracle/modes.h"

namespace reprise {
namespace {

class Trial {
 public:
  Trial(const Framework& framework, Runtime& runtime, const TestCase& test,
        const JudgeOptions& options)
      : framework_(framework),
        runtime_(runtime),
        test_(test),
        options_(options),
        modes_(framework, runtime, test, options.sound, options.retained),
        program_(modes_.program()),
        seen_(EmptyTrajectory()) {
    result_.level = options.level;
  }

  Judgement Run() {
    expected_ = modes_.Uncompiled();
    NoteLegality();
    if (options_.alone >= 0) {
      JudgeAlone();
      return std::move(result_);
    }
    retained_.reserve(expected_.size());
    modes_.Retained(result_.legal_steps, [this](Outcome outcome) {
      retained_.push_back(std::move(outcome));
      return GoesOn();
    });
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
  const ProgramStep& StepAt(int step) const { return program_.steps[static_cast<size_t>(step)]; }
  const Outcome& Expected(int step) const { return expected_[static_cast<size_t>(step)]; }
  StepReport& ReportOf(int step) { return result_.steps[static_cast<size_t>(step)]; }

  std::optional<Difference> CompareWithE(int step, const Outcome& outcome) {
    return Compare(Expected(step), outcome, modes_.ReferenceOf(step), options_.level);
  }

  // A call that raises without the compiler ends the case: what follows has no defined meaning.
  void NoteLegality() {
    for (const ProgramStep& step : program_.steps) {
      result_.steps.push_back({static_cast<int>(result_.steps.size()), step.judged});
    }
    result_.legal_steps = static_cast<int>(expected_.size());
    if (!expected_.empty() && Ends(StepAt(result_.legal_steps - 1), expected_.back())) {
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

  // Looks at the outcome that S showed last: does its trajectory go on?
  bool GoesOn() {
    const int i = static_cast<int>(retained_.size()) - 1;
    const Outcome& retained = retained_.back();
    StepReport& report = ReportOf(i);
    report.signals = retained.signals;
    Append(i, retained, &seen_);
    if (!StepAt(i).judged && !retained.raised) return true;
    if (const KnownException* known = framework_.known_differences().Find(retained, test_)) {
      EndAt(i, absl::StrCat("known difference, ", known->name));
      return false;
    }
    const auto difference = CompareWithE(i, retained);
    report.s = Cell(difference);
    if (!difference && options_.level >= Level::kFull) {
      broken_ = FindBrokenInvariant(seen_, i);
      if (broken_) report.s = Cell(broken_);
    }
    if (!difference && !broken_) return true;
    result_.step = i;
    Blame(difference ? *difference : *broken_, retained);
    return false;
  }

  // A trajectory with no steps yet, for the invariants.
  Trajectory EmptyTrajectory() {
    return {test_,
            {},
            [this](int step) { return modes_.ReferenceOf(step).perturbed(); },
            modes_.ReferenceOf(0).coarsest};
  }

  // Steps that are not judged are not looked at either.
  void Append(int step, const Outcome& outcome, Trajectory* trajectory) const {
    trajectory->steps.push_back(StepAt(step).judged ? &outcome : nullptr);
  }

  // S breaks an invariant where it agrees with E: does E break it, does R?
  void JudgeInvariant() {
    const int step = result_.step;
    Trajectory trajectory = EmptyTrajectory();
    for (int i = 0; i <= step; ++i) Append(i, Expected(i), &trajectory);
    if (IsBroken(broken_->attribute, trajectory, step)) {
      result_.verdict = Verdict::kUncompiled;
      return;
    }
    for (const int tier : {kMemoryOnly, kFreshCaches}) {
      const Outcome reset = modes_.Reset(step, tier);
      trajectory.steps[static_cast<size_t>(step)] = &reset;
      const bool broken = IsBroken(broken_->attribute, trajectory, step);
      ReportOf(step).r = broken ? Cell(broken_) : "= E";
      result_.verdict = broken ? Verdict::kStateless : Verdict::kStateful;
      result_.cure = broken ? "" : absl::StrCat("R", tier);
      if (!broken) return;
    }
  }

  // Which reset makes the call right? The weakest is tried first.
  void JudgeDisagreement() {
    const int step = result_.step;
    if (options_.level < Level::kThreeMode) {
      result_.verdict = Verdict::kUnsorted;
      return;
    }
    result_.aligned = GivenTheSame(Expected(step), retained_.back(), modes_.ReferenceOf(step));
    for (const int tier : {kMemoryOnly, kFreshCaches}) {
      const Outcome reset = modes_.Reset(step, tier);
      const auto difference = CompareWithE(step, reset);
      ReportOf(step).r = Cell(difference);
      if (!difference) {
        result_.verdict = Verdict::kStateful;
        result_.cure = absl::StrCat("R", tier);
        break;
      }
      const Outcome& retained = retained_.back();
      const bool same = !Compare(reset, retained, modes_.ReferenceOf(step), options_.level);
      // Exceptions whose texts differ are the same outcome.
      const bool both_raise = reset.raised && retained.raised;
      result_.verdict = same || both_raise ? Verdict::kStateless : Verdict::kUnstable;
    }
    if (result_.verdict == Verdict::kStateful && !options_.sound) FindShortcuts(step);
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
    if (options_.policy == ResetPolicy::kTrajectories)
      trajectory = modes_.ResetTrajectory(result_.legal_steps);
    for (int i = 0; i < result_.legal_steps; ++i) {
      if (!StepAt(i).judged) continue;
      const Outcome reset =
          trajectory.empty() ? modes_.Reset(i, kFreshCaches) : trajectory[static_cast<size_t>(i)];
      if (!JudgeReset(i, reset)) return;
    }
  }

  // False where R is off.
  bool JudgeReset(int step, const Outcome& reset) {
    const auto difference = CompareWithE(step, reset);
    ReportOf(step).r = Cell(difference);
    if (!difference) return true;
    result_.step = step;
    result_.verdict = Verdict::kColdOnly;
    Blame(*difference, reset);
    return false;
  }

  // R of one step in a process that has compiled nothing else.
  void JudgeAlone() {
    if (options_.alone >= result_.legal_steps || !StepAt(options_.alone).judged) return;
    JudgeReset(options_.alone, modes_.Reset(options_.alone, kFreshCaches));
  }

  // Is S right once shortcuts of the framework are off that its documentation calls unsound? All of
  // them are tried at once, then each alone.
  void FindShortcuts(int step) {
    const std::vector<std::string> all = runtime_.Shortcuts();
    result_.documented = !all.empty() && IsRightWithout(all, step);
    if (!result_.documented) return;
    for (const std::string& shortcut : all) {
      if (IsRightWithout({shortcut}, step)) result_.shortcuts.push_back(shortcut);
    }
  }

  bool IsRightWithout(const std::vector<std::string>& shortcuts, int step) {
    int i = 0;
    bool agree = true;
    modes_.RetainedAnew(shortcuts, step + 1, [&](const Outcome& outcome) {
      agree = StepAt(i).judged ? !CompareWithE(i, outcome) : !outcome.raised;
      ++i;
      return agree;
    });
    return agree;
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
  Modes modes_;
  const Program& program_;
  Outcomes expected_, retained_;      // E's and S's, as far as they came
  Trajectory seen_;                   // of S, for the invariants
  std::optional<Difference> broken_;  // invariant that S breaks at the step of the verdict
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
