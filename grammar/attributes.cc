#include "grammar/attributes.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "grammar/functions.h"
#include "grammar/tables.h"

namespace reprise {
namespace {

constexpr double kMaxMagnitude = 1e30;
constexpr int64_t kMaxSize = 64;
constexpr int64_t kMaxSeed = 1'000'000;
constexpr int64_t kObjects = 4;

std::string ClampedFloat(const std::string& text, double fallback, double lo, double hi) {
  const double value = ParseFloat(text, fallback);
  return FloatText(std::isfinite(value) ? std::clamp(value, lo, hi) : fallback);
}

}  // namespace

int64_t ParseInt(const std::string& text, int64_t fallback) {
  int64_t value;
  if (absl::SimpleAtoi(text, &value)) return value;
  double number;  // "2.0" where an integer is wanted
  if (absl::SimpleAtod(text, &number) && std::abs(number) < 1e15)
    return static_cast<int64_t>(number);
  return fallback;
}

double ParseFloat(const std::string& text, double fallback) {
  double value;
  return absl::SimpleAtod(text, &value) && std::isfinite(value) ? value : fallback;
}

std::vector<int64_t> ParseInts(const std::string& text) {
  std::vector<int64_t> values;
  const size_t open = text.find('[');
  if (open == std::string::npos) return values;
  const size_t close = text.find(']', open);
  const std::string body =
      text.substr(open + 1, close == std::string::npos ? close : close - open - 1);
  if (body.empty()) return values;
  for (absl::string_view part : absl::StrSplit(body, ',')) {
    if (values.size() == kMaxRank) break;
    values.push_back(ParseInt(std::string(absl::StripAsciiWhitespace(part)), 1));
  }
  return values;
}

TensorLiteral ParseTensorLiteral(const std::string& text) {
  TensorLiteral tensor;
  for (int64_t size : ParseInts(text)) {
    tensor.shape.push_back(std::clamp<int64_t>(size, 0, kMaxSize));
  }
  const size_t close = text.find(']');
  if (close == std::string::npos) return tensor;
  for (absl::string_view part : absl::StrSplit(text.substr(close + 1), ':')) {
    const std::string word(part);
    if (const auto dtype = ParseDtype(word)) {
      tensor.dtype = *dtype;
    } else if (word.size() > 1 && word[0] == 's') {
      tensor.seed = std::clamp<int64_t>(ParseInt(word.substr(1), 0), 0, kMaxSeed);
    }
  }
  return tensor;
}

std::string TensorLiteralText(const TensorLiteral& tensor) {
  std::string text = ShapeText(tensor.shape);
  if (tensor.dtype != Dtype::kF32) absl::StrAppend(&text, ":", Name(tensor.dtype));
  absl::StrAppend(&text, ":s", tensor.seed);
  return text;
}

std::vector<std::string> Choices(const AttrSpec& spec) { return absl::StrSplit(spec.choices, '|'); }

CallText ParseCallText(const std::string& text) {
  const size_t open = text.find('(');
  if (open == std::string::npos) return {text, {}};
  CallText call{text.substr(0, open), {}};
  std::string body = text.substr(open + 1);
  if (!body.empty() && body.back() == ')') body.pop_back();
  int depth = 0;
  std::string part;
  for (char c : body) {
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c == ',' && depth <= 0) {
      call.arguments.push_back(std::move(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!part.empty() || !call.arguments.empty()) call.arguments.push_back(std::move(part));
  return call;
}

std::string CallTextOf(const std::string& name, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return name;
  return absl::StrCat(name, "(", absl::StrJoin(arguments, ","), ")");
}

std::string StringText(const std::string& text) {
  std::string value;
  for (char c : text) {
    if ((absl::ascii_isalnum(c) || c == '_') && value.size() < 16) value += c;
  }
  return absl::StrCat("\"", value, "\"");
}

std::string Canonicalise(const AttrSpec& spec, const std::string& text) {
  switch (spec.kind) {
    case AttrKind::kInt: {
      const auto lo = static_cast<int64_t>(spec.lo), hi = static_cast<int64_t>(spec.hi);
      const int64_t value = ParseInt(text, ParseInt(spec.fallback, lo));
      return IntText(std::clamp(value, lo, hi));
    }
    case AttrKind::kFloat:
      return ClampedFloat(text, ParseFloat(spec.fallback, spec.lo), spec.lo, spec.hi);
    case AttrKind::kChoice: {
      const std::vector<std::string> choices = Choices(spec);
      const bool known = std::find(choices.begin(), choices.end(), text) != choices.end();
      return known ? text : spec.fallback;
    }
    case AttrKind::kName: {
      std::string name;
      for (char c : text) {
        if ((absl::ascii_isalnum(c) || c == '_') && name.size() < 32)
          name += absl::ascii_tolower(c);
      }
      return name.empty() ? spec.fallback : name;
    }
    case AttrKind::kInts: {
      if (text.find('[') == std::string::npos) return spec.fallback;
      std::vector<int64_t> values = ParseInts(text);
      for (int64_t& value : values) {
        value = std::clamp(value, static_cast<int64_t>(spec.lo), static_cast<int64_t>(spec.hi));
      }
      return ShapeText(values);
    }
    case AttrKind::kUnary:
      return FindUnary(text) ? text : spec.fallback;
    case AttrKind::kDtype: {
      const auto dtype = ParseDtype(text);
      return dtype && IsFloat(*dtype) ? text : spec.fallback;
    }
    case AttrKind::kContext: {
      const ContextRow* row = FindContext(text);
      return row != nullptr && (row->flags & kAround) != 0 ? text : spec.fallback;
    }
    case AttrKind::kFlag:
      return FindFlag(text) != nullptr
                 ? text
                 : ProcessFlags()[StableHash(text) % ProcessFlags().size()].name;
    case AttrKind::kKey: {
      const std::string name = SanitiseName(text);
      if (!name.empty()) return name;
      return IntText(std::clamp<int64_t>(ParseInt(text, 0), 0, 7));
    }
    default:
      return text;
  }
}

namespace {

std::string CanonicalTensor(const std::string& text, int64_t fallback_seed) {
  const bool has_seed = text.find(":s") != std::string::npos;
  TensorLiteral tensor = ParseTensorLiteral(text);
  if (!has_seed) tensor.seed = fallback_seed;
  return TensorLiteralText(tensor);
}

std::string CanonicalCallable(const std::string& text) {
  CallableLiteral literal = ParseCallable(text);
  if (FindUnary(literal.function) == nullptr)
    literal.function = Unaries()[StableHash(text) % Unaries().size()].name;
  if (literal.form == &CallableForms()[0]) return literal.function;
  return absl::StrCat(literal.function, ":", literal.form->name);
}

// A literal of any plain type keeps the type that its text has.
std::string CanonicalAny(const std::string& text) {
  if (text == "none" || text == "true" || text == "false") return text;
  if (!text.empty() && text[0] == '"') return StringText(text);
  int64_t integer;
  if (absl::SimpleAtoi(text, &integer)) return CanonicalLiteral(Type::kInt, text, 1);
  double number;
  if (absl::SimpleAtod(text, &number)) return CanonicalLiteral(Type::kFloat, text, 1);
  return "1";
}

}  // namespace

std::string CanonicalLiteral(Type type, const std::string& text, int64_t fallback_seed) {
  switch (type) {
    case Type::kInt:
      return IntText(std::clamp<int64_t>(ParseInt(text, 2), -1'000'000, 1'000'000));
    case Type::kFloat:
    case Type::kScalar:
      return ClampedFloat(text, 1.5, -kMaxMagnitude, kMaxMagnitude);
    case Type::kBool:
      return text == "false" || text == "0" || text == "False" ? "false" : "true";
    case Type::kStr:
      return StringText(text);
    case Type::kAny:
      return CanonicalAny(text);
    case Type::kDtype:
      return Name(ParseDtype(text).value_or(Dtype::kF64));
    case Type::kTensor:
      return CanonicalTensor(text, fallback_seed);
    case Type::kOptional:
      return text.find('[') == std::string::npos ? "none" : CanonicalTensor(text, fallback_seed);
    case Type::kRandom:
    case Type::kGenerator:
      return IntText(std::clamp<int64_t>(ParseInt(text, fallback_seed), 0, 99'999));
    case Type::kCallable:
      return CanonicalCallable(text);
    case Type::kModule:
      return FindUnary(text) ? text : Unaries()[StableHash(text) % Unaries().size()].name;
    case Type::kObject: {
      const bool numbered = text.size() > 1 && text[0] == '#';
      const int64_t number = numbered ? ParseInt(text.substr(1), 1) : fallback_seed;
      return absl::StrCat("#", (std::max<int64_t>(number, 1) - 1) % kObjects + 1);
    }
    default:  // containers have no literals of their own
      break;
  }
  return text;
}

}  // namespace reprise
