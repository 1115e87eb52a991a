#include "oracle/known_differences.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "oracle/numerics.h"

namespace reprise {
namespace {

bool IsGradient(const Leaf& leaf) {
  return leaf.section == "gradients" || absl::EndsWith(leaf.path, ".grad");
}

bool IsZeroTensor(const Leaf& leaf) {
  if (leaf.kind != "tensor") return false;
  const auto values = Decode(leaf);
  return values && std::all_of(values->begin(), values->end(), [](double v) { return v == 0; });
}

bool MissingGradientIsZero(const Leaf& expected, const Leaf& actual) {
  if (!IsGradient(expected)) return false;
  return (expected.kind == "NoneType" && IsZeroTensor(actual)) ||
         (actual.kind == "NoneType" && IsZeroTensor(expected));
}

// Autograd's own words (torch/csrc/autograd/saved_variable.cpp).
bool OverwritesWhatItsGradientNeeds(const Raised& raised) {
  return raised.root == "RuntimeError" &&
         absl::StrContains(raised.text, "needed for gradient computation has been modified");
}

// torch/_functorch/_aot_autograd/runtime_wrappers.py: the mode is part of what was compiled.
bool RefusesDeterminism(const Raised& raised) {
  return raised.root == "RuntimeError" &&
         absl::StrContains(raised.text, "use_deterministic_algorithms") &&
         absl::StrContains(raised.text, "backward function");
}

// torch/_functorch/_aot_autograd: buffers that the compiler gave away cannot serve a second
// backward.
bool RefusesASecondBackward(const Raised& raised) {
  return raised.root == "RuntimeError" && absl::StrContains(raised.text, "donated buffers");
}

// torch/fx/experimental/symbolic_shapes.py: the user promised what the model does not keep.
bool BreaksAPromise(const Raised& raised) {
  for (const char* name : {"ConstraintViolationError", "GuardOnDataDependentSymNode",
                           "PendingUnbackedSymbolNotFound"}) {
    if (raised.root == name || raised.outer == name) return true;
  }
  return absl::StrContains(raised.text, "Constraints violated") ||
         absl::StrContains(raised.text, "Could not guard on data-dependent expression");
}

}  // namespace

bool IsDeclared(const Raised& raised) {
  return raised.root == "ValueError" || raised.root == "IndexError";
}

const std::vector<KnownException>& KnownExceptions() {
  static const auto* rows = new std::vector<KnownException>{
      {"backward is traced with the forward",
       "a model that overwrites what its gradient needs raises in its backward; a compiler that "
       "traces the backward ahead of time (AOTAutograd) raises the same at the call",
       OverwritesWhatItsGradientNeeds},
      {"backward of another deterministic mode",
       "a compiled backward refuses to run under deterministic algorithms if its forward did not "
       "(PyTorch's own message)",
       RefusesDeterminism},
      {"a second backward",
       "a compiled backward may have given its buffers away, and then refuses retain_graph "
       "(PyTorch's own message: torch._functorch.config.donated_buffer)",
       RefusesASecondBackward},
      {"a broken promise",
       "a size that was marked dynamic or unbacked is specialised by the model; compilation "
       "refuses, as documented for mark_dynamic and mark_unbacked",
       BreaksAPromise},
  };
  return *rows;
}

const KnownException* FindKnownException(const Outcome& outcome) {
  if (!outcome.raised) return nullptr;
  for (const KnownException& row : KnownExceptions()) {
    if (row.covers(*outcome.raised)) return &row;
  }
  return nullptr;
}

const std::vector<KnownDifference>& KnownDifferences() {
  static const auto* rows = new std::vector<KnownDifference>{
      {"missing gradient is zero",
       "compiled backward gives zeros for what does not contribute, where the uncompiled one "
       "leaves "
       "no gradient at all (PyTorch documentation, torch.compiler_backward)",
       MissingGradientIsZero},
  };
  return *rows;
}

const KnownDifference* FindKnownDifference(const Leaf& expected, const Leaf& actual) {
  for (const KnownDifference& row : KnownDifferences()) {
    if (row.covers(expected, actual)) return &row;
  }
  return nullptr;
}

}  // namespace reprise
