#include "frameworks/pytorch/known_differences.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace reprise {
namespace {

bool IsGradient(const Leaf& leaf) {
  return leaf.section == "gradients" || absl::EndsWith(leaf.path, ".grad");
}

// All bits but the signs, which little-endian floats have in their last byte.
bool IsZeroTensor(const Leaf& leaf) {
  if (leaf.kind != "tensor") return false;
  const size_t size =
      leaf.data.size() / static_cast<size_t>(std::max<int64_t>(NumElements(leaf.shape), 1));
  for (size_t i = 0; i < leaf.data.size(); ++i) {
    const auto byte = static_cast<unsigned char>(leaf.data[i]);
    if (((i + 1) % size == 0 ? byte & 0x7f : byte) != 0) return false;
  }
  return true;
}

bool MissingGradientIsZero(const Leaf& expected, const Leaf& actual) {
  if (!IsGradient(expected)) return false;
  return (expected.kind == "NoneType" && IsZeroTensor(actual)) ||
         (actual.kind == "NoneType" && IsZeroTensor(expected));
}

bool IsRuntimeErrorThatSays(const Raised& raised, const char* text) {
  return raised.root == "RuntimeError" && absl::StrContains(raised.text, text);
}

// torch/csrc/autograd/saved_variable.cpp
bool OverwritesWhatItsGradientNeeds(const Raised& raised, const TestCase&) {
  return IsRuntimeErrorThatSays(raised, "needed for gradient computation has been modified");
}

// torch/_functorch/_aot_autograd/runtime_wrappers.py: the mode is part of what was compiled.
bool RefusesDeterminism(const Raised& raised, const TestCase&) {
  return IsRuntimeErrorThatSays(raised, "use_deterministic_algorithms") &&
         absl::StrContains(raised.text, "backward function");
}

// torch/_functorch/_aot_autograd: buffers that the compiler gave away cannot serve a second
// backward.
bool RefusesASecondBackward(const Raised& raised, const TestCase&) {
  return IsRuntimeErrorThatSays(raised, "donated buffers");
}

// torch/fx/experimental/symbolic_shapes.py
bool BreaksAPromise(const Raised& raised, const TestCase&) {
  for (const char* name : {"ConstraintViolationError", "GuardOnDataDependentSymNode",
                           "PendingUnbackedSymbolNotFound"}) {
    if (raised.root == name || raised.outer == name) return true;
  }
  return absl::StrContains(raised.text, "Constraints violated") ||
         absl::StrContains(raised.text, "Could not guard on data-dependent expression");
}

// torch/_dynamo/exc.py: elsewhere a graph break, which the user has forbidden.
bool WouldBreakAFullGraph(const Raised& raised, const TestCase& test) {
  return test.compile[kFullgraph] == "yes" &&
         (raised.root == "Unsupported" || raised.outer == "Unsupported");
}

}  // namespace

const KnownDifferences& PyTorchKnownDifferences() {
  static const auto* rows = new KnownDifferences{
      {
          {"missing gradient is zero", "a gradient of what does not contribute to the result",
           "compiled backward gives zeros where the uncompiled one leaves no gradient at all "
           "(PyTorch documentation, torch.compiler_backward)",
           MissingGradientIsZero},
      },
      {
          {"backward is traced with the forward",
           "the model overwrites what its own gradient needs",
           "uncompiled it raises in its backward; AOTAutograd, which traces the backward ahead of "
           "time, raises the same at the call (autograd's own words)",
           OverwritesWhatItsGradientNeeds},
          {"backward of another deterministic mode",
           "the deterministic mode changed between forward and backward",
           "a compiled backward refuses to run under deterministic algorithms if its forward did "
           "not (PyTorch's own message)",
           RefusesDeterminism},
          {"a second backward", "a backward that keeps its graph for another one",
           "a compiled backward may have given its buffers away, and then refuses retain_graph "
           "(PyTorch's own message: torch._functorch.config.donated_buffer)",
           RefusesASecondBackward},
          {"a broken promise", "a size that was marked is specialised by the model",
           "compilation refuses, as documented for mark_dynamic and mark_unbacked", BreaksAPromise},
          {"a graph break under fullgraph", "the case is compiled with fullgraph=True",
           "what would be a graph break raises torch._dynamo.exc.Unsupported (PyTorch "
           "documentation, torch.compile: fullgraph)",
           WouldBreakAFullGraph},
      },
  };
  return *rows;
}

}  // namespace reprise
