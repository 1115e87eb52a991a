// Invariants of what a step leaves alone, and of gradients.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "oracle/invariant_rows.h"

namespace reprise {
namespace {

// The last step that was looked at, if nothing happened since.
const Outcome* Before(const Trajectory& t, int step) {
  if (step == 0) return nullptr;
  const auto before = static_cast<size_t>(step - 1);
  const Outcome* outcome = t.steps[before];
  return outcome == nullptr || outcome->raised ? nullptr : outcome;
}

// Leaves of a section that `covers` and that are not what they were before the step.
template <typename Covers>
std::optional<Difference> Changed(const Trajectory& t, int step, const char* section,
                                  Covers covers) {
  if (!IsCall(t.test.steps[static_cast<size_t>(step)])) return std::nullopt;
  const Outcome* before = Before(t, step);
  if (before == nullptr) return std::nullopt;
  const std::vector<Leaf>& leaves = t.steps[static_cast<size_t>(step)]->leaves;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Leaf& leaf = leaves[i];
    if (leaf.section != section || !covers(leaf)) continue;
    const Leaf* was = LeafLike(before, i, leaf);
    if (was == nullptr) was = before->Find(section, leaf.path);
    if (was == nullptr)
      return Difference{leaf.section, leaf.path, "", "was not there before the call"};
    if (was->kind != leaf.kind || was->dtype != leaf.dtype || was->shape != leaf.shape ||
        was->data != leaf.data)
      return Difference{leaf.section, leaf.path, "", "is not what it was before the call"};
  }
  return std::nullopt;
}

bool IsGradient(const Leaf& leaf) { return absl::EndsWith(leaf.path, ".grad"); }
bool IsGenerator(const Leaf& leaf) { return absl::StartsWith(leaf.path, "random state"); }

std::optional<Difference> StateKept(const Trajectory& t, int step) {
  // Training, batch norm writes its statistics.
  if (Writes(t.test) || (HasFlag(t.test, kByMode) && !IsEvaluating(t.test, step)))
    return std::nullopt;
  return Changed(t, step, "state", [](const Leaf& leaf) { return !IsGradient(leaf); });
}

std::optional<Difference> GradientsKept(const Trajectory& t, int step) {
  return Changed(t, step, "state", IsGradient);
}

std::optional<Difference> FlagsKept(const Trajectory& t, int step) {
  return Changed(t, step, "process", [](const Leaf& leaf) { return !IsGenerator(leaf); });
}

std::optional<Difference> GeneratorsKept(const Trajectory& t, int step) {
  if (Writes(t.test) || HasFlag(t.test, kRandom | kPythonRandom)) return std::nullopt;
  return Changed(t, step, "process", IsGenerator);
}

std::optional<Difference> InputsKept(const Trajectory& t, int step) {
  if (Writes(t.test) || !IsCall(t.test.steps[static_cast<size_t>(step)])) return std::nullopt;
  const Outcome& outcome = *t.steps[static_cast<size_t>(step)];
  for (const Leaf& leaf : outcome.leaves) {
    if (leaf.section != "arguments") continue;
    const Leaf* given = outcome.Find("given", leaf.path);
    if (given == nullptr || (given->data == leaf.data && given->shape == leaf.shape)) continue;
    return Difference{leaf.section, leaf.path, "", "is not what was passed"};
  }
  return std::nullopt;
}

std::optional<Difference> Unlike(const Leaf& gradient, const Leaf& of) {
  if (gradient.kind != "tensor" || of.kind != "tensor") return std::nullopt;
  if (gradient.dtype == of.dtype && gradient.shape == of.shape) return std::nullopt;
  return Difference{gradient.section, gradient.path, "",
                    absl::StrCat("is a ", gradient.dtype, " of ", ShapeText(gradient.shape),
                                 ", of what is a ", of.dtype, " of ", ShapeText(of.shape))};
}

std::optional<Difference> GradientForm(const Trajectory& t, int step) {
  if (WasDone(t.test, step, {"cast"})) return std::nullopt;
  for (const Leaf& leaf : t.steps[static_cast<size_t>(step)]->leaves) {
    if (leaf.section != "state" || !IsGradient(leaf)) continue;
    const std::string owner = leaf.path.substr(0, leaf.path.size() - std::string(".grad").size());
    const Leaf* of = t.steps[static_cast<size_t>(step)]->Find("state", owner);
    if (of == nullptr) continue;
    if (auto unlike = Unlike(leaf, *of)) return unlike;
  }
  return std::nullopt;
}

// A backward right after its call: what was frozen at the call gets no gradient.
std::optional<Difference> FrozenStayWithout(const Trajectory& t, int step) {
  if (t.test.steps[static_cast<size_t>(step)].row != FindStep("backward")) return std::nullopt;
  const Outcome* before = Before(t, step);
  if (before == nullptr) return std::nullopt;
  for (const Leaf& leaf : t.steps[static_cast<size_t>(step)]->leaves) {
    if (leaf.section != "state" || !IsGradient(leaf) || leaf.kind == "NoneType") continue;
    const Leaf* was = before->Find("state", leaf.path);
    const std::string owner = leaf.path.substr(0, leaf.path.size() - std::string(".grad").size());
    const Leaf* of = before->Find("state", owner);
    if (was == nullptr || of == nullptr || was->kind != "NoneType" || of->requires_grad) continue;
    return Difference{leaf.section, leaf.path, "", "appeared, though its owner asks for none"};
  }
  return std::nullopt;
}

}  // namespace

std::vector<InvariantRow> StateInvariants() {
  constexpr char kAfter[] = "right after another judged step";
  return {
      {"state_kept", "a call leaves parameters, buffers and slots alone",
       "right after another judged step; the model writes nothing, and behaves by mode only while "
       "evaluating",
       "exact", StateKept},
      {"inputs_kept", "a call leaves its arguments alone", "the model writes nothing", "exact",
       InputsKept},
      {"gradients_kept", "a call alone leaves gradients alone, and those that are None", kAfter,
       "exact", GradientsKept},
      {"flags_kept", "a call leaves modes, defaults and other flags of the process alone", kAfter,
       "exact", FlagsKept},
      {"generators_kept", "a call without random operators leaves generators alone",
       "right after another judged step; the model draws nothing", "exact", GeneratorsKept},
      {"gradient_form", "a gradient has the shape and element type of its owner",
       "both are tensors, and parameters were not cast since their gradients came", "exact",
       GradientForm},
      {"frozen", "what asks for no gradient gets none", "a backward right after its call", "exact",
       FrozenStayWithout},
  };
}

}  // namespace reprise
