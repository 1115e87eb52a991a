#include "grammar/functions.h"

namespace reprise {

const std::vector<UnaryRow>& Unaries() {
  static const auto* rows = new std::vector<UnaryRow>{
      {"relu", "max(x, 0)"},
      {"tanh", "hyperbolic tangent"},
      {"sigmoid", "1 / (1 + exp(-x))"},
      {"sin", "sine"},
      {"neg", "-x"},
      {"abs", "absolute value"},
      {"square", "x * x"},
      {"twice", "x * 2"},
      {"inc", "x + 1"},
      {"dec", "x - 1"},
  };
  return *rows;
}

const UnaryRow* FindUnary(const std::string& name) {
  for (const UnaryRow& row : Unaries()) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

const std::vector<PredicateRow>& Predicates() {
  using A = PredicateArg;
  static const auto* rows = new std::vector<PredicateRow>{
      {"training", {}, "the model is in training mode"},
      {"grad_enabled", {}, "gradients are being recorded"},
      {"truth", {A::kTruthSlot}, "the slot is true (written as the bare slot)"},
      {"less", {A::kNumberSlot, A::kLiteral}, "slot < number"},
      {"equals", {A::kTruthSlot, A::kLiteral}, "slot == literal"},
      {"size", {A::kTensor, A::kDim, A::kInt}, "a size is above a number"},
      {"divides", {A::kTensor, A::kDim, A::kInt}, "a size is a multiple of a number"},
      {"longer", {A::kTensor, A::kTensor}, "first size of one tensor is above that of the other"},
      {"same", {A::kIdentity, A::kIdentityTwin}, "two names stand for one object (Python's `is`)"},
      {"dtype", {A::kTensor, A::kDtype}, "the tensor has this element type"},
      {"requires_grad", {A::kTensor}, "the tensor asks for a gradient"},
      {"contiguous", {A::kTensor}, "the tensor is laid out row by row"},
  };
  return *rows;
}

const PredicateRow* FindPredicate(const std::string& name) {
  for (const PredicateRow& row : Predicates()) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

}  // namespace reprise
