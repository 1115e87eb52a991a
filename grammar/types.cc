#include "grammar/types.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace reprise {
namespace {

constexpr const char* kDtypeNames[kDtypeCount] = {"f16", "bf16", "f32", "f64",
                                                  "i32", "i64",  "bool"};
constexpr const char* kTypeNames[kTypeCount] = {
    "int",   "float",  "bool",     "str",    "tensor",    "callable", "module", "object", "any",
    "dtype", "scalar", "optional", "random", "generator", "list",     "tuple",  "dict",   "data"};

template <typename Enum, size_t n>
std::optional<Enum> Find(const char* const (&names)[n], const std::string& text) {
  for (size_t i = 0; i < n; ++i) {
    if (text == names[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* Name(Dtype dtype) { return kDtypeNames[static_cast<int>(dtype)]; }
std::optional<Dtype> ParseDtype(const std::string& text) { return Find<Dtype>(kDtypeNames, text); }
bool IsFloat(Dtype dtype) { return dtype <= Dtype::kF64; }
bool IsInteger(Dtype dtype) { return dtype == Dtype::kI32 || dtype == Dtype::kI64; }

const char* Name(Type type) { return kTypeNames[static_cast<int>(type)]; }
std::optional<Type> ParseType(const std::string& text) { return Find<Type>(kTypeNames, text); }
bool IsNumber(Type type) {
  return type == Type::kInt || type == Type::kFloat || type == Type::kScalar;
}
bool IsPlain(Type type) {
  return type <= Type::kStr || type == Type::kAny || type == Type::kDtype || type == Type::kScalar;
}
bool IsContainer(Type type) { return type >= Type::kList; }
bool HasShape(Type type) {
  return type == Type::kTensor || type == Type::kOptional || IsContainer(type);
}

int64_t NumElements(const Shape& shape) {
  int64_t product = 1;
  for (int64_t size : shape) {
    if (size > 0 && product > std::numeric_limits<int64_t>::max() / size) {
      return std::numeric_limits<int64_t>::max();
    }
    product *= size;
  }
  return product;
}

std::string ShapeText(const Shape& shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ","), "]");
}

std::string IntText(int64_t value) { return absl::StrCat(value); }

std::string FloatText(double value) {
  if (!std::isfinite(value)) value = 0;
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

uint64_t StableHash(const std::string& text) {
  uint64_t hash = 14695981039346656037ULL;
  for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ULL;
  return hash;
}

}  // namespace reprise
