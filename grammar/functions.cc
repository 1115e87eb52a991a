#include "grammar/functions.h"

#include "grammar/row_index.h"

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

const UnaryRow* FindUnary(absl::string_view name) {
  static const auto* index = new RowIndex<UnaryRow>(Unaries());
  return index->Find(name);
}

const std::vector<CallableFormRow>& CallableForms() {
  static const auto* rows = new std::vector<CallableFormRow>{
      {"function", "a function of the framework where there is one, else one defined at top level"},
      {"lambda", "a lambda expression"},
      {"closure", "what a factory of functions returned"},
      {"method", "a bound method of an object"},
      {"descriptor", "a method of the tensor class, unbound"},
      {"partial", "functools.partial over a function of two arguments"},
      {"instance", "an object whose class has __call__"},
  };
  return *rows;
}

const CallableFormRow* FindCallableForm(absl::string_view name) {
  static const auto* index = new RowIndex<CallableFormRow>(CallableForms());
  return index->Find(name);
}

CallableLiteral ParseCallable(const std::string& literal) {
  const size_t colon = literal.find(':');
  const CallableFormRow* form =
      colon == std::string::npos ? nullptr : FindCallableForm(literal.substr(colon + 1));
  return {literal.substr(0, colon), form == nullptr ? &CallableForms()[0] : form};
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
      {"floating", {A::kTensor}, "the tensor's element type is a float type"},
      {"rank", {A::kTensor, A::kInt}, "the tensor has more dimensions than a number"},
      {"none", {A::kOptional}, "there is no tensor"},
      {"contains", {A::kDictionary, A::kKey}, "a dictionary has a key"},
      {"count", {A::kContainer, A::kInt}, "a container has more items than a number"},
      {"has", {A::kEntry}, "the attribute or entry exists"},
  };
  return *rows;
}

const PredicateRow* FindPredicate(absl::string_view name) {
  static const auto* index = new RowIndex<PredicateRow>(Predicates());
  return index->Find(name);
}

}  // namespace reprise
