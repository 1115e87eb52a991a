// Words of the language that every other part shares: element types, value types, shapes, and
// their one canonical spelling. Nothing here depends on a framework.
#ifndef REPRISE_GRAMMAR_TYPES_H_
#define REPRISE_GRAMMAR_TYPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reprise {

// Element type of a tensor.
enum class Dtype : uint8_t { kF16, kBF16, kF32, kF64, kI32, kI64, kBool };
inline constexpr int kDtypeCount = 7;

const char* Name(Dtype dtype);
std::optional<Dtype> ParseDtype(const std::string& text);
bool IsFloat(Dtype dtype);
bool IsInteger(Dtype dtype);  // integers only, not bool

// Type of a value that a model can read: what a slot holds, what an input takes.
enum class Type : uint8_t {
  kInt,
  kFloat,
  kBool,
  kStr,
  kTensor,
  kCallable,
  kModule,
  kObject,
  kAny,        // a Python value of any plain type, or None: equal values of other types
  kDtype,      // an element type
  kScalar,     // a NumPy float
  kOptional,   // a tensor or None
  kRandom,     // Python's random.Random
  kGenerator,  // the framework's random generator
  kList,       // containers of tensors
  kTuple,
  kDict,
  kData,  // a dataclass
};
inline constexpr int kTypeCount = 18;

const char* Name(Type type);
std::optional<Type> ParseType(const std::string& text);
bool IsNumber(Type type);     // usable as a number in arithmetic
bool IsPlain(Type type);      // immutable Python value whose identity means nothing
bool IsContainer(Type type);  // holds tensors
bool HasShape(Type type);     // declared with element type and sizes

// Sizes of a tensor, outermost first. Empty for a scalar tensor.
using Shape = std::vector<int64_t>;

// Product of the sizes; saturates at INT64_MAX.
int64_t NumElements(const Shape& shape);

// "[2,8]"
std::string ShapeText(const Shape& shape);

// Numbers in their shortest spelling that reads back as the same value; a float always carries a
// point or an exponent, so that its type survives.
std::string IntText(int64_t value);
std::string FloatText(double value);

// Stable 64-bit FNV-1a hash. Used where a reference names nothing: it is taken modulo what exists.
uint64_t StableHash(const std::string& text);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_TYPES_H_
