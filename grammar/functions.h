// Two tables of small things that a model can be made of besides operators:
// unary functions (used by branches, callable slots, hooks) and predicates (what a branch tests).
// A framework has one template per row; see frameworks/dialect.h.
#ifndef REPRISE_GRAMMAR_FUNCTIONS_H_
#define REPRISE_GRAMMAR_FUNCTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "grammar/types.h"

namespace reprise {

// Elementwise function from a float tensor to one of equal shape and dtype.
struct UnaryRow {
  const char* name;
  const char* meaning;
};

const std::vector<UnaryRow>& Unaries();
const UnaryRow* FindUnary(absl::string_view name);

// Shape of Python object in which a function is held: "tanh:lambda".
struct CallableFormRow {
  const char* name;
  const char* meaning;
};

// The first row is what a bare function name means.
const std::vector<CallableFormRow>& CallableForms();
const CallableFormRow* FindCallableForm(absl::string_view name);

// "tanh:lambda" taken apart; the form is the first row's for a bare name.
struct CallableLiteral {
  std::string function;
  const CallableFormRow* form;
};
CallableLiteral ParseCallable(const std::string& literal);

enum class PredicateArg : uint8_t {
  kTruthSlot,     // slot or input of a plain type
  kNumberSlot,    // slot or input of type int or float
  kTensor,        // tensor in scope
  kIdentity,      // tensor or object in scope whose identity can be asked for
  kIdentityTwin,  // as kIdentity, of the same type as the argument before it
  kDim,           // dimension of the first argument
  kInt,           // small integer
  kLiteral,       // literal of the first argument's type
  kDtype,
  kOptional,    // slot or input that may be None
  kContainer,   // container in scope
  kDictionary,  // dictionary in scope
  kKey,         // key of a dictionary
  kEntry,       // slot that can be missing: a deletable attribute or entry
};

// Test on something that a compiler has to guard. `truth` has no name of its own in the text: it is
// written as the bare slot.
struct PredicateRow {
  const char* name;
  std::vector<PredicateArg> args;
  const char* meaning;
};

const std::vector<PredicateRow>& Predicates();
const PredicateRow* FindPredicate(absl::string_view name);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_FUNCTIONS_H_
