#include "oracle/numerics.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

template <typename T>
std::vector<double> DecodeAs(const std::string& data) {
  std::vector<double> values(data.size() / sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

double FromHalf(uint16_t bits) {
  const int sign = bits >> 15, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double value;
  if (exponent == 31) {
    value = fraction == 0 ? INFINITY : NAN;
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  }
  return sign != 0 ? -value : value;
}

double FromBfloat(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

std::vector<double> DecodeBits(const std::string& data, double (*convert)(uint16_t)) {
  std::vector<double> values(data.size() / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    uint16_t bits;
    std::memcpy(&bits, data.data() + 2 * i, 2);
    values[i] = convert(bits);
  }
  return values;
}

// The 8-bit floats of the OCP specification (OFP8): e4m3 has no infinities and one NaN pattern,
// e5m2 is the upper byte of a half.
double FromE4M3(uint8_t bits) {
  const int exponent = (bits >> 3) & 15, fraction = bits & 7;
  double value = exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(fraction + 8, exponent - 10);
  if (exponent == 15 && fraction == 7) value = NAN;
  return (bits & 0x80) != 0 ? -value : value;
}

double FromE5M2(uint8_t bits) { return FromHalf(static_cast<uint16_t>(bits << 8)); }

std::vector<double> DecodeBytes(const std::string& data, double (*convert)(uint8_t)) {
  std::vector<double> values;
  for (char byte : data) values.push_back(convert(static_cast<uint8_t>(byte)));
  return values;
}

double MaxFinite(const std::vector<double>& values) {
  double largest = 0;
  for (double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

// NaN or infinity on one side only, or infinities of different sign.
bool PatternsDiffer(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  return (std::isinf(a) || std::isinf(b)) && a != b;
}

double MaxError(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a[i]) && std::isfinite(b[i]))
      largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

constexpr FloatRule kRules[] = {
    {"f8e5m2", 0x1p-2, 1, 0x1p-2, 0x1p-16}, {"f8e4m3", 0x1p-3, 1, 0x1p-3, 0x1p-9},
    {"f16", 0x1p-10, 8, 1e-3, 1e-5},        {"bf16", 0x1p-7, 8, 1.6e-2, 1e-5},
    {"f32", 0x1p-23, 64, 1.3e-6, 1e-5},     {"f64", 0x1p-52, 64, 1e-7, 1e-7},
    {"c64", 0x1p-23, 64, 1.3e-6, 1e-5},     {"c128", 0x1p-52, 64, 1e-7, 1e-7},
};

}  // namespace

std::optional<std::vector<double>> Decode(const Leaf& leaf) {
  if (leaf.dtype == "f16") return DecodeBits(leaf.data, FromHalf);
  if (leaf.dtype == "bf16") return DecodeBits(leaf.data, FromBfloat);
  if (leaf.dtype == "f8e4m3") return DecodeBytes(leaf.data, FromE4M3);
  if (leaf.dtype == "f8e5m2") return DecodeBytes(leaf.data, FromE5M2);
  if (leaf.dtype == "c64") return DecodeAs<float>(leaf.data);
  if (leaf.dtype == "c128") return DecodeAs<double>(leaf.data);
  if (leaf.dtype == "f32") return DecodeAs<float>(leaf.data);
  if (leaf.dtype == "f64") return DecodeAs<double>(leaf.data);
  if (leaf.dtype == "i32") return DecodeAs<int32_t>(leaf.data);
  if (leaf.dtype == "i64") return DecodeAs<int64_t>(leaf.data);
  if (leaf.dtype == "bool") return DecodeAs<uint8_t>(leaf.data);
  return std::nullopt;
}

const FloatRule* FindFloatRule(const std::string& dtype) {
  const auto* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const FloatRule& r) { return dtype == r.dtype; });
  return rule == std::end(kRules) ? nullptr : rule;
}

Agreement CompareValues(const Leaf& expected, const Leaf& actual, const Leaf* reference,
                        bool reference_exhausted, const std::string& coarsest) {
  if (expected.data == actual.data) return Agreement::kEqual;
  const FloatRule* rule = FindFloatRule(expected.dtype);
  if (rule == nullptr || expected.data.size() != actual.data.size()) return Agreement::kDifferent;
  const double eps = rule->epsilon;
  const std::vector<double> e = *Decode(expected), s = *Decode(actual);
  for (size_t i = 0; i < e.size(); ++i) {
    if (PatternsDiffer(e[i], s[i])) return Agreement::kDifferent;
  }
  if (MaxError(e, s) <= kCheapUlps * eps * MaxFinite(e)) return Agreement::kEqual;
  if (reference == nullptr && !reference_exhausted) return Agreement::kAskReference;
  if (reference != nullptr) {
    const auto r = Decode(*reference);
    if (r && r->size() == e.size()) {
      const double error = MaxError(e, *r), magnitude = MaxFinite(*r);
      // An uncompiled run that lost half of its digits says nothing about the compiled one.
      const bool sane = error <= std::sqrt(eps) * std::max(magnitude, 1.0);
      if (sane) {
        const bool close = MaxError(s, *r) <= kErrorRatio * error + rule->ulps * eps * magnitude;
        return close ? Agreement::kEqual : Agreement::kDifferent;
      }
    }
  }
  const FloatRule* coarse = FindFloatRule(coarsest);
  const FloatRule& tolerance =
      coarse != nullptr && coarse->epsilon > rule->epsilon ? *coarse : *rule;
  for (size_t i = 0; i < e.size(); ++i) {
    if (!std::isfinite(e[i])) continue;
    if (std::abs(s[i] - e[i]) > tolerance.absolute + tolerance.relative * std::abs(e[i])) {
      return Agreement::kDifferent;
    }
  }
  return Agreement::kEqual;
}

bool IllConditioned(const Leaf& expected, const Leaf& actual, const Leaf* perturbed) {
  if (perturbed == nullptr || perturbed->data.size() != expected.data.size()) return false;
  if (perturbed->dtype != expected.dtype || perturbed->kind != expected.kind) return false;
  const auto e = Decode(expected), s = Decode(actual), p = Decode(*perturbed);
  if (!e || !s || !p || e->size() != s->size() || expected.data == perturbed->data) return false;
  if (FindFloatRule(expected.dtype) == nullptr) return true;
  for (size_t i = 0; i < e->size(); ++i) {
    if (PatternsDiffer((*e)[i], (*s)[i]) && !PatternsDiffer((*e)[i], (*p)[i])) return false;
  }
  return MaxError(*e, *s) <= kCondition * MaxError(*e, *p);
}

std::string DescribeValues(const Leaf& expected, const Leaf& actual) {
  const auto e = Decode(expected), s = Decode(actual);
  if (!e || !s || e->size() != s->size() || e->empty())
    return "expected " + expected.data + ", got " + actual.data;
  size_t worst = 0;
  double largest = -1;
  for (size_t i = 0; i < e->size(); ++i) {
    const double deviation =
        PatternsDiffer((*e)[i], (*s)[i]) ? INFINITY : std::abs((*e)[i] - (*s)[i]);
    if (deviation > largest) {
      largest = deviation;
      worst = i;
    }
  }
  std::vector<int64_t> index(expected.shape.size());
  const bool complex = expected.dtype[0] == 'c';
  size_t rest = complex ? worst / 2 : worst;
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = static_cast<int64_t>(rest) % expected.shape[d];
    rest /= static_cast<size_t>(expected.shape[d]);
  }
  const std::string where = index.empty() ? "" : " at " + ShapeText(index);
  return absl::StrCat("differs by ", largest, where, ": expected ", (*e)[worst], ", got ",
                      (*s)[worst]);
}

}  // namespace reprise
