// Runs the program of one case in the modes E (uncompiled), S (compiled, state retained) and R
// (compiled, reset before the call).
//
// R for a step starts from E's program state: a fresh instance of the program repeats, uncompiled,
// everything before the call, then the compiler is reset and the call alone runs compiled.
// (Repeating set-up and calls keeps aliasing, identity and hooks, which copying would not.) A
// backward belongs to its call: R compiles the call, repeats what stands between, then runs the
// backward.
#ifndef REPRISE_ORACLE_MODES_H_
#define REPRISE_ORACLE_MODES_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/test_case.h"
#include "oracle/compare.h"

namespace reprise {

using Outcomes = std::vector<Outcome>;  // one per step so far

class Modes {
 public:
  // `sound`: the framework's documented unsound shortcuts are off. `retained` as in JudgeOptions.
  Modes(const Framework& framework, Runtime& runtime, const TestCase& test, bool sound,
        std::function<void(bool)> retained);

  const Program& program() const { return program_; }

  // E's trajectory; ends with the step that raises.
  Outcomes Uncompiled();
  // Hands each outcome of S's first `steps` steps to `see` as it comes, until that says false.
  void Retained(int steps, const std::function<bool(Outcome)>& see);
  // The same, on an empty cache, with these shortcuts of the framework off.
  void RetainedAnew(const std::vector<std::string>& sound_shortcuts, int steps,
                    const std::function<bool(Outcome)>& see);
  // R of one judged step, after the reset of a tier: see Runtime::Reset.
  Outcome Reset(int step, int tier);
  // R as a plain third trajectory of the first `steps` steps.
  Outcomes ResetTrajectory(int steps);

  // What the numbers of a step are measured by: runs that are made once, when first asked for.
  Reference ReferenceOf(int step);

 private:
  std::unique_ptr<Runtime::Instance> Begin(const Program& program, const std::string& tag);
  void RunCompiled(const std::string& tag, int steps, const std::function<bool(Outcome)>& see);
  Outcomes RunUncompiled(const Program& program, size_t count, const std::string& tag);
  const Outcome* UncompiledStep(Numbers numbers, const std::string& tag, int step,
                                std::optional<Outcomes>* outcomes);
  void Retaining(bool on);

  const Framework& framework_;
  Runtime& runtime_;
  const TestCase& test_;
  const Program program_;
  const std::string coarsest_;
  const std::function<void(bool)> told_;
  std::vector<std::string> off_;  // shortcuts that are
  bool retaining_ = false;        // S's trajectory is under way
  std::optional<Outcomes> float64_, perturbed_;
};

// Does a step end its sequence? An exception does, unless the model declares that it may raise it.
bool Ends(const ProgramStep& step, const Outcome& outcome);

}  // namespace reprise

#endif  // REPRISE_ORACLE_MODES_H_
