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
