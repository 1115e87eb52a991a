// Attributes: the key=value and positional parts of a statement, described by table rows.
//
// A case keeps every attribute as its canonical text. Canonicalise() is total: whatever it is
// given, it returns a text that the row allows, the row's fallback if nothing else fits. References
// to other statements (slots, operators, calls) are resolved by resolve.cc, which knows the case.
#ifndef REPRISE_GRAMMAR_ATTRIBUTES_H_
#define REPRISE_GRAMMAR_ATTRIBUTES_H_

#include <string>
#include <vector>

#include "grammar/types.h"

namespace reprise {

enum class AttrKind : uint8_t {
  kInt,        // integer in [lo, hi]
  kFloat,      // finite number in [lo, hi]
  kChoice,     // one word of choices, which are separated by '|'
  kName,       // any identifier; a framework's capabilities say which are legal
  kInts,       // [2,-1,4]: at most kMaxRank integers in [lo, hi]
  kUnary,      // row of the table of unary functions
  kPredicate,  // row of the table of predicates with its arguments, or the name of a slot
  kFunction,   // slot or input that holds a callable or a module
  kSlot,       // slot that the statement's row accepts
  kModule,     // operator that owns a submodule; may be absent when fallback is ""
  kCall,       // number of an earlier call, counted from 1
  kLiteral,    // value of the type of the slot named by the preceding attribute
  kDtype,      // an element type
  kWritten,    // slot that the model writes; choices lists the types that fit
  kKey,        // position or key of an item of a container: a number or a name
  kContext,    // row of the table of contexts that may stand around a call
  kFlag,       // row of the table of process flags
  kFlagValue,  // value of the flag named by the preceding attribute
  kOp,         // operator with attributes that are numbers or words
  kOpAttr,     // name of such an attribute of the operator named before
  kOpValue,    // value of that attribute
};

struct AttrSpec {
  const char* name;
  AttrKind kind;
  const char* fallback = "";  // canonical text
  double lo = 0;
  double hi = 0;
  const char* choices = "";
  bool positional = false;  // printed without its name, in the order of the row
};

inline constexpr int kMaxRank = 5;

// Value of a tensor that a statement names: what the shared generator needs to make it.
struct TensorLiteral {
  Shape shape;
  Dtype dtype = Dtype::kF32;
  int64_t seed = 0;
  bool operator==(const TensorLiteral&) const = default;
};

// Canonical text of an attribute that needs no knowledge of the case.
std::string Canonicalise(const AttrSpec& spec, const std::string& text);

// Canonical literal of a type; `fallback_seed` is used where a tensor or an object has none.
// "tanh:lambda" is the function tanh in the form of a lambda (CallableForms).
std::string CanonicalLiteral(Type type, const std::string& text, int64_t fallback_seed);

// Readers of canonical texts. Each is total and returns a neutral value on foreign text.
int64_t ParseInt(const std::string& text, int64_t fallback);
double ParseFloat(const std::string& text, double fallback);
std::vector<int64_t> ParseInts(const std::string& text);
TensorLiteral ParseTensorLiteral(const std::string& text);
std::string TensorLiteralText(const TensorLiteral& tensor);
std::vector<std::string> Choices(const AttrSpec& spec);

// "name(a,b)" split into name and arguments; a bare word has no arguments.
struct CallText {
  std::string name;
  std::vector<std::string> arguments;
};
CallText ParseCallText(const std::string& text);
std::string CallTextOf(const std::string& name, const std::vector<std::string>& arguments);

inline constexpr size_t kMaxNameLength = 24;

// Lower-case identifier made from any text: [a-z][a-z0-9_]*, at most kMaxNameLength characters,
// never a word that programs or the language itself reserve. Empty if nothing usable is left.
std::string SanitiseName(const std::string& text);

// Canonical value of a string slot: letters, digits and '_' in double quotes.
std::string StringText(const std::string& text);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_ATTRIBUTES_H_
