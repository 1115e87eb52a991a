// Invariants of what one operator of the model returned.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "grammar/history.h"
#include "grammar/shape_rules.h"
#include "oracle/invariant_rows.h"
#include "oracle/returned.h"

namespace reprise {
namespace {

using Check = std::optional<std::string> (*)(const Returned& r);

Lines AlongAttribute(const Returned& r) {
  return LinesAlong(r.leaf.shape,
                    ResolveDim(AttrInt(r.op, "dim"), r.leaf.shape.size()).value_or(0));
}

std::optional<std::string> SumsTo(const Returned& r, double wanted, double (*map)(double)) {
  const Lines lines = AlongAttribute(r);
  for (size_t line = 0; line < lines.count(); ++line) {
    double sum = 0;
    for (size_t i = 0; i < lines.length; ++i) sum += map(r.values[lines.At(line, i)]);
    if (std::abs(sum - wanted) > r.Slack(1) * std::sqrt(static_cast<double>(lines.length)))
      return absl::StrCat("a row sums to ", sum, " instead of ", wanted);
  }
  return std::nullopt;
}

std::optional<std::string> Softmax(const Returned& r) {
  return SumsTo(r, 1, [](double v) { return v; });
}

std::optional<std::string> LogSoftmax(const Returned& r) {
  return SumsTo(r, 1, [](double v) { return std::exp(v); });
}

std::optional<std::string> OneHot(const Returned& r) {
  const Lines lines = LinesAlong(r.leaf.shape, r.leaf.shape.size() - 1);
  for (size_t line = 0; line < lines.count(); ++line) {
    double sum = 0;
    for (size_t i = 0; i < lines.length; ++i) {
      const double v = r.values[lines.At(line, i)];
      if (v != 0 && v != 1) return absl::StrCat("holds ", v);
      sum += v;
    }
    if (sum != 1) return absl::StrCat("a row has ", sum, " ones");
  }
  return std::nullopt;
}

struct Bounds {
  const char* op;
  double lo, hi;
};
// Ranges of the functions; minima of the last ones to three digits, rounded down.
constexpr Bounds kBounds[] = {
    {"relu", 0, INFINITY},
    {"sigmoid", 0, 1},
    {"tanh", -1, 1},
    {"sin", -1, 1},
    {"cos", -1, 1},
    {"erf", -1, 1},
    {"relu6", 0, 6},
    {"hardtanh", -1, 1},
    {"softplus", 0, INFINITY},
    {"abs", 0, INFINITY},
    {"square", 0, INFINITY},
    {"exp", 0, 55},
    {"sqrt", 0.316, INFINITY},
    {"log1p", 0, INFINITY},
    {"reciprocal", 0, 1},
    {"logsigmoid", -INFINITY, 0},
    {"softmax", 0, 1},
    {"log_softmax", -INFINITY, 0},
    {"sign", -1, 1},
    {"norm", 0, INFINITY},
    {"var", 0, INFINITY},
    {"std", 0, INFINITY},
    {"cosine_similarity", -1, 1},
    {"cdist", 0, INFINITY},
    {"mse_loss", 0, INFINITY},
    {"cross_entropy", 0, INFINITY},
    {"elu", -1, INFINITY},
    {"selu", -1.759, INFINITY},
    {"gelu", -0.171, INFINITY},
    {"silu", -0.279, INFINITY},
    {"mish", -0.31, INFINITY},
    {"hardswish", -0.376, INFINITY},
};

std::optional<std::string> Outside(const Returned& r, double lo, double hi) {
  for (double v : r.values) {
    const double slack = r.Slack(std::isfinite(hi) ? std::max(std::abs(lo), std::abs(hi)) : 1);
    if (v < lo - slack || v > hi + slack)
      return absl::StrCat(v, " is outside of [", lo, ", ", hi, "]");
  }
  return std::nullopt;
}

std::optional<std::string> Bounded(const Returned& r) {
  for (const Bounds& bounds : kBounds) {
    if (r.op.row->name == std::string(bounds.op)) return Outside(r, bounds.lo, bounds.hi);
  }
  return std::nullopt;
}

std::optional<std::string> Clamped(const Returned& r) {
  return Outside(r, ParseFloat(Attr(r.op, "lo"), 0), ParseFloat(Attr(r.op, "hi"), 0));
}

std::optional<std::string> Sorted(const Returned& r) {
  const double sign = r.op.row->name == std::string("sort") ? 1 : -1;
  const Lines lines = AlongAttribute(r);
  for (size_t line = 0; line < lines.count(); ++line) {
    for (size_t i = 1; i < lines.length; ++i) {
      const double a = r.values[lines.At(line, i - 1)], b = r.values[lines.At(line, i)];
      if (sign * (b - a) < 0) return absl::StrCat(a, " stands before ", b);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Whole(const Returned& r) {
  for (double v : r.values) {
    if (v != std::floor(v)) return absl::StrCat(v, " is no whole number");
  }
  return std::nullopt;
}

// By value and not by index: of equal elements any one will do.
std::optional<std::string> Extreme(const Returned& r) {
  if (r.operand == nullptr) return std::nullopt;
  const auto dim = ResolveDim(AttrInt(r.op, "dim"), r.operand->shape.size());
  if (!dim) return std::nullopt;
  const Lines lines = LinesAlong(r.operand->shape, *dim);
  if (lines.count() != r.values.size()) return std::nullopt;
  const double sign = r.op.row->name == std::string("argmax") ? 1 : -1;
  for (size_t line = 0; line < lines.count(); ++line) {
    const double at = r.values[line];
    if (at < 0 || at >= static_cast<double>(lines.length))
      return absl::StrCat("position ", at, " of ", lines.length);
    const double chosen = r.operand_values[lines.At(line, static_cast<size_t>(at))];
    for (size_t i = 0; i < lines.length; ++i) {
      const double v = r.operand_values[lines.At(line, i)];
      if (sign * (v - chosen) > 0) return absl::StrCat("chose ", chosen, ", and ", v, " is there");
    }
  }
  return std::nullopt;
}

// Convex combinations, choices and rearrangements of the operand's elements.
std::optional<std::string> InHull(const Returned& r) {
  if (r.operand == nullptr) return std::nullopt;
  const auto [lo, hi] = std::minmax_element(r.operand_values.begin(), r.operand_values.end());
  const double slack = r.Slack(std::max(std::abs(*lo), std::abs(*hi)));
  for (double v : r.values) {
    if (v < *lo - slack || v > *hi + slack)
      return absl::StrCat(v, " is outside of the operand's [", *lo, ", ", *hi, "]");
  }
  return std::nullopt;
}

std::optional<std::string> Unchanged(const Returned& r) {
  if ((r.op.row->flags & kByMode) != 0 && !r.evaluating) return std::nullopt;
  if (r.operand == nullptr || r.operand->dtype != r.leaf.dtype || r.operand_values == r.values)
    return std::nullopt;
  return "is not what went in";
}

std::optional<std::string> Triangular(const Returned& r) {
  const size_t rank = r.leaf.shape.size();
  const auto rows = static_cast<size_t>(r.leaf.shape[rank - 2]),
             columns = static_cast<size_t>(r.leaf.shape[rank - 1]);
  for (size_t i = 0; i < r.values.size(); ++i) {
    if (i % columns > i / columns % rows && r.values[i] != 0)
      return absl::StrCat("holds ", r.values[i], " above the diagonal");
  }
  return std::nullopt;
}

// Without affine parameters: mean zero, and variance v/(v + 1e-5), so at most one. What the operand
// lost in rounding its mean is divided by the root of v + 1e-5.
std::optional<std::string> Normalised(const Returned& r) {
  if (r.operand == nullptr) return std::nullopt;
  double largest = 0;
  for (double v : r.operand_values) largest = std::max(largest, std::abs(v));
  const double slack = r.Slack(largest / std::sqrt(1e-5));
  const size_t rank = r.leaf.shape.size();
  const auto size = static_cast<size_t>(r.leaf.shape[rank - 1] * r.leaf.shape[rank - 2]);
  for (size_t from = 0; from + size <= r.values.size(); from += size) {
    const auto begin = r.values.begin() + static_cast<long>(from);
    const double mean =
        std::accumulate(begin, begin + static_cast<long>(size), 0.0) / static_cast<double>(size);
    double variance = 0;
    for (size_t i = from; i < from + size; ++i)
      variance += (r.values[i] - mean) * (r.values[i] - mean);
    variance /= static_cast<double>(size);
    if (std::abs(mean) > slack || variance > 1 + 2 * slack)
      return absl::StrCat("mean ", mean, ", variance ", variance);
  }
  return std::nullopt;
}

// The row's check, of what operators of these names returned.
InvariantRow Row(const char* name, const char* property, const char* precondition,
                 const char* tolerance, const std::vector<const char*>& names, Check check) {
  std::vector<const OpRow*> covered;
  for (const char* op : names) covered.push_back(FindOperator(op));
  const auto broken = [covered, check](const Trajectory& t, int step) -> std::optional<Difference> {
    if (!IsCall(t.test.steps[static_cast<size_t>(step)])) return std::nullopt;
    for (size_t i = 0; i < t.test.returns.size(); ++i) {
      const Op* op = FindOp(t.test, t.test.returns[i]);
      if (op == nullptr || std::find(covered.begin(), covered.end(), op->row) == covered.end())
        continue;
      // `variant` changes attributes: the operator as it is now.
      const History history = HistoryBefore(t.test, static_cast<size_t>(step));
      const Op& now = history.ops()[static_cast<size_t>(op - t.test.ops.data())];
      const auto returned = WhatReturned(t, step, now, i);
      const auto text = returned ? check(*returned) : std::nullopt;
      if (text) {
        return Difference{"results", returned->leaf.path, "",
                          absl::StrCat("of ", now.row->name, " ", *text)};
      }
    }
    return std::nullopt;
  };
  return {name, property, precondition, tolerance, broken};
}

}  // namespace

std::vector<InvariantRow> ValueInvariants() {
  constexpr char kWhen[] = "the operator's result is returned as it is; all numbers are finite";
  constexpr char kWhenInput[] = "the operator's operand is an input and its result is returned";
  constexpr char kUlps[] = "64 ulps at magnitude one";
  std::vector<const char*> bounded;
  for (const Bounds& bounds : kBounds) bounded.push_back(bounds.op);
  return {
      Row("softmax_rows", "softmax: each row sums to one", kWhen,
          "64 ulps times the root of its length", {"softmax"}, Softmax),
      Row("log_softmax_rows", "log_softmax: exponentials of each row sum to one", kWhen,
          "64 ulps times the root of its length", {"log_softmax"}, LogSoftmax),
      Row("one_hot_rows", "one_hot: a single one in each row, else zeros", kWhen, "exact",
          {"one_hot"}, OneHot),
      Row("bounded", "functions with a bounded range stay in it", kWhen,
          "64 ulps of the larger bound", bounded, Bounded),
      Row("clamped", "clamp: between its bounds", kWhen, "64 ulps of the larger bound", {"clamp"},
          Clamped),
      Row("sorted", "sort ascends, topk descends", kWhen, "exact", {"sort", "topk"}, Sorted),
      Row("whole_numbers", "floor, round, sign: whole numbers", kWhen, "exact",
          {"floor", "round", "sign"}, Whole),
      Row("extreme", "argmax, argmin: what they point at is extreme, by value", kWhenInput, "exact",
          {"argmax", "argmin"}, Extreme),
      Row("in_hull", "pooling, means, extrema, choices: between the operand's extrema", kWhenInput,
          kUlps,
          {"max_pool1d", "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "interpolate", "amax",
           "amin", "max", "mean", "sort", "topk"},
          InHull),
      Row("unchanged", "copies, views, and dropout in evaluation mode: what went in", kWhenInput,
          "exact",
          {"contiguous", "detach", "clone", "own_strides", "reshape", "view", "flatten",
           "unsqueeze", "squeeze", "graph_break", "channels_last", "empty_copy", "dropout"},
          Unchanged),
      Row("triangular", "tril: zeros above the diagonal", kWhen, "exact", {"tril"}, Triangular),
      Row("normalised", "instance_norm: mean zero and at most unit variance", kWhenInput,
          "64 ulps of the operand's largest element over the root of its eps", {"instance_norm"},
          Normalised),
  };
}

}  // namespace reprise
