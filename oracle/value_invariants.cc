// Invariants of what one operator of the model returned.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "grammar/history.h"
#include "grammar/shape_rules.h"
#include "oracle/invariant_rows.h"
#include "oracle/numerics.h"

namespace reprise {
namespace {

using Values = std::vector<double>;

// What an operator returned to the caller in one call, and what it was given where that is known.
struct Returned {
  const Op& op;
  const Leaf& leaf;
  Values values;
  double epsilon;                 // of the coarser of its element type and what was computed with
  const Leaf* operand = nullptr;  // the first one, where it is an input
  std::optional<Values> operand_values;
  bool evaluating = false;

  double Largest() const {
    double largest = 0;
    for (double v : values) largest = std::max(largest, std::abs(v));
    return largest;
  }
};

// Of one row of values along a dimension, and how many there are of it.
struct Lines {
  size_t outer, length, inner;
  size_t At(size_t line, size_t i) const {
    return (line / inner * length + i) * inner + line % inner;
  }
  size_t count() const { return outer * inner; }
};

Lines Along(const Shape& shape, size_t dim) {
  Lines lines{1, static_cast<size_t>(shape[dim]), 1};
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d != dim) (d < dim ? lines.outer : lines.inner) *= static_cast<size_t>(shape[d]);
  }
  return lines;
}

Lines AlongAttribute(const Returned& r) {
  return Along(r.leaf.shape, ResolveDim(AttrInt(r.op, "dim"), r.leaf.shape.size()).value_or(0));
}

using Check = std::optional<std::string> (*)(const Returned& r);

bool Finite(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Does what the operator returned reach the caller as it is?
bool IsPlain(const TestCase& test, const Op& op, int step) {
  const Step& call = test.steps[static_cast<size_t>(RootOfCall(test, step))];
  const std::string& under = Attr(call, "under");
  const bool transformed = op.context != nullptr && (op.context->flags & kTransform) != 0;
  return (under.empty() || (FindContext(under)->flags & kNoGrad) != 0) && !transformed &&
         !Writes(test) && !WasDone(test, step, {"hook", "cast", "flag"});
}

const Leaf* LeafNamed(const Outcome& outcome, const std::string& section, const std::string& path) {
  for (const Leaf& leaf : outcome.leaves) {
    if (leaf.section == section && leaf.path == path) return &leaf;
  }
  return nullptr;
}

std::optional<Returned> WhatReturned(const Trajectory& t, int step, const Op& op, size_t number) {
  const Outcome& outcome = *t.steps[static_cast<size_t>(step)];
  const std::string path =
      t.test.returns.size() == 1 ? "result" : absl::StrCat("result[", number, "]");
  const Leaf* leaf = LeafNamed(outcome, "results", path);
  if (leaf == nullptr || leaf->kind != "tensor" || leaf->shape.empty()) return std::nullopt;
  auto values = Decode(*leaf);
  const auto elements = static_cast<size_t>(NumElements(leaf->shape));
  if (!values || values->empty() || values->size() != elements || !Finite(*values))
    return std::nullopt;
  double epsilon = FindFloatRule(t.coarsest) == nullptr ? 0 : FindFloatRule(t.coarsest)->epsilon;
  if (const FloatRule* rule = FindFloatRule(leaf->dtype))
    epsilon = std::max(epsilon, rule->epsilon);
  Returned r{op,      *leaf,        *std::move(values),        epsilon,
             nullptr, std::nullopt, IsEvaluating(t.test, step)};
  if (!op.operands.empty() && FindInput(t.test, op.operands[0]) != nullptr) {
    r.operand = LeafNamed(outcome, "arguments", op.operands[0]);
    if (r.operand != nullptr && r.operand->kind == "tensor") r.operand_values = Decode(*r.operand);
    if (r.operand_values && (r.operand_values->empty() || !Finite(*r.operand_values)))
      r.operand_values = std::nullopt;
  }
  return r;
}

// Rounding of a sum of `count` terms of at most one, by the rule of numerics.h.
double Slack(const Returned& r, double magnitude) {
  return 64 * r.epsilon * std::max(magnitude, 1.0);
}

std::optional<std::string> SumsTo(const Returned& r, double wanted, double (*map)(double)) {
  const Lines lines = AlongAttribute(r);
  for (size_t line = 0; line < lines.count(); ++line) {
    double sum = 0;
    for (size_t i = 0; i < lines.length; ++i) sum += map(r.values[lines.At(line, i)]);
    if (std::abs(sum - wanted) > Slack(r, 1) * std::sqrt(static_cast<double>(lines.length)))
      return absl::StrCat("a row sums to ", sum, " instead of ", wanted);
  }
  return std::nullopt;
}

std::optional<std::string> Softmax(const Returned& r) {
  if (r.op.row->name != std::string("softmax")) return std::nullopt;
  return SumsTo(r, 1, [](double v) { return v; });
}

std::optional<std::string> LogSoftmax(const Returned& r) {
  if (r.op.row->name != std::string("log_softmax")) return std::nullopt;
  return SumsTo(r, 1, [](double v) { return std::exp(v); });
}

std::optional<std::string> OneHot(const Returned& r) {
  if (r.op.row->name != std::string("one_hot")) return std::nullopt;
  const Lines lines = Along(r.leaf.shape, r.leaf.shape.size() - 1);
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
    const double slack = Slack(r, std::isfinite(hi) ? std::max(std::abs(lo), std::abs(hi)) : 1);
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
  if (r.op.row->name != std::string("clamp")) return std::nullopt;
  return Outside(r, ParseFloat(Attr(r.op, "lo"), 0), ParseFloat(Attr(r.op, "hi"), 0));
}

std::optional<std::string> Sorted(const Returned& r) {
  const std::string name = r.op.row->name;
  if (name != "sort" && name != "topk") return std::nullopt;
  const double sign = name == "sort" ? 1 : -1;
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
  const std::string name = r.op.row->name;
  if (name != "floor" && name != "round" && name != "sign") return std::nullopt;
  for (double v : r.values) {
    if (v != std::floor(v)) return absl::StrCat(v, " is no whole number");
  }
  return std::nullopt;
}

// By value and not by index: of equal elements any one will do.
std::optional<std::string> Extreme(const Returned& r) {
  const std::string name = r.op.row->name;
  if ((name != "argmax" && name != "argmin") || !r.operand_values) return std::nullopt;
  const auto dim = ResolveDim(AttrInt(r.op, "dim"), r.operand->shape.size());
  if (!dim) return std::nullopt;
  const Lines lines = Along(r.operand->shape, *dim);
  if (lines.count() != r.values.size()) return std::nullopt;
  const double sign = name == "argmax" ? 1 : -1;
  for (size_t line = 0; line < lines.count(); ++line) {
    const double at = r.values[line];
    if (at < 0 || at >= static_cast<double>(lines.length))
      return absl::StrCat("position ", at, " of ", lines.length);
    const double chosen = (*r.operand_values)[lines.At(line, static_cast<size_t>(at))];
    for (size_t i = 0; i < lines.length; ++i) {
      const double v = (*r.operand_values)[lines.At(line, i)];
      if (sign * (v - chosen) > 0) return absl::StrCat("chose ", chosen, ", and ", v, " is there");
    }
  }
  return std::nullopt;
}

// Convex combinations, choices and rearrangements of the operand's elements.
std::optional<std::string> InHull(const Returned& r) {
  static constexpr const char* kOps[] = {
      "max_pool1d",  "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d",
      "interpolate", "amax",       "amin",       "max",
      "mean",        "sort",       "topk"};
  const bool covered = std::any_of(std::begin(kOps), std::end(kOps), [&](const char* op) {
    return r.op.row->name == std::string(op);
  });
  if (!covered || !r.operand_values) return std::nullopt;
  const auto [lo, hi] = std::minmax_element(r.operand_values->begin(), r.operand_values->end());
  const double slack = Slack(r, std::max(std::abs(*lo), std::abs(*hi)));
  for (double v : r.values) {
    if (v < *lo - slack || v > *hi + slack)
      return absl::StrCat(v, " is outside of the operand's [", *lo, ", ", *hi, "]");
  }
  return std::nullopt;
}

std::optional<std::string> Unchanged(const Returned& r) {
  const std::string name = r.op.row->name;
  static constexpr const char* kOps[] = {"contiguous", "detach",      "clone",        "own_strides",
                                         "reshape",    "view",        "flatten",      "unsqueeze",
                                         "squeeze",    "graph_break", "channels_last"};
  const bool covered =
      (name == "dropout" && r.evaluating) ||
      std::any_of(std::begin(kOps), std::end(kOps), [&](const char* op) { return name == op; });
  if (!covered || !r.operand_values || r.operand->dtype != r.leaf.dtype) return std::nullopt;
  if (*r.operand_values == r.values) return std::nullopt;
  return "is not what went in";
}

std::optional<std::string> Triangular(const Returned& r) {
  if (r.op.row->name != std::string("tril")) return std::nullopt;
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
  if (r.op.row->name != std::string("instance_norm") || !r.operand_values) return std::nullopt;
  double largest = 0;
  for (double v : *r.operand_values) largest = std::max(largest, std::abs(v));
  const double slack = Slack(r, std::max(r.Largest(), largest / std::sqrt(1e-5)));
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

template <Check check>
std::optional<Difference> OfReturned(const Trajectory& t, int step) {
  if (!IsCall(t.test.steps[static_cast<size_t>(step)])) return std::nullopt;
  const std::vector<Op> ops = HistoryBefore(t.test, static_cast<size_t>(step)).ops;
  for (size_t i = 0; i < t.test.returns.size(); ++i) {
    const auto op = std::find_if(ops.begin(), ops.end(),
                                 [&](const Op& o) { return o.name == t.test.returns[i]; });
    if (op == ops.end() || !IsPlain(t.test, *op, step)) continue;
    const auto returned = WhatReturned(t, step, *op, i);
    if (!returned) continue;
    if (const auto broken = check(*returned)) {
      return Difference{"results", returned->leaf.path, "",
                        absl::StrCat("of ", op->row->name, " ", *broken)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<InvariantRow> ValueInvariants() {
  constexpr char kWhen[] = "the operator's result is returned as it is; all numbers are finite";
  constexpr char kWhenInput[] = "the operator's operand is an input and its result is returned";
  constexpr char kUlps[] = "64 ulps at magnitude one";
  return {
      {"softmax_rows", "softmax: each row sums to one", kWhen,
       "64 ulps times the root of its length", OfReturned<Softmax>},
      {"log_softmax_rows", "log_softmax: exponentials of each row sum to one", kWhen,
       "64 ulps times the root of its length", OfReturned<LogSoftmax>},
      {"one_hot_rows", "one_hot: a single one in each row, else zeros", kWhen, "exact",
       OfReturned<OneHot>},
      {"bounded", "functions with a bounded range stay in it", kWhen, "64 ulps of the larger bound",
       OfReturned<Bounded>},
      {"clamped", "clamp: between its bounds", kWhen, "64 ulps of the larger bound",
       OfReturned<Clamped>},
      {"sorted", "sort ascends, topk descends", kWhen, "exact", OfReturned<Sorted>},
      {"whole_numbers", "floor, round, sign: whole numbers", kWhen, "exact", OfReturned<Whole>},
      {"extreme", "argmax, argmin: what they point at is extreme, by value", kWhenInput, "exact",
       OfReturned<Extreme>},
      {"in_hull", "pooling, means, extrema, choices: between the operand's extrema", kWhenInput,
       kUlps, OfReturned<InHull>},
      {"unchanged", "copies, views, and dropout in evaluation mode: what went in", kWhenInput,
       "exact", OfReturned<Unchanged>},
      {"triangular", "tril: zeros above the diagonal", kWhen, "exact", OfReturned<Triangular>},
      {"normalised", "instance_norm: mean zero and at most unit variance", kWhenInput,
       "64 ulps of the operand's largest element over the root of its eps", OfReturned<Normalised>},
  };
}

}  // namespace reprise
