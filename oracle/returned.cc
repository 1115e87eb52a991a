#include "oracle/returned.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/invariant_rows.h"
#include "oracle/numerics.h"

namespace reprise {
namespace {

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

double EpsilonOf(const std::string& dtype) {
  const FloatRule* rule = FindFloatRule(dtype);
  return rule == nullptr ? 0 : rule->epsilon;
}

}  // namespace

double Returned::Slack(double magnitude) const { return 64 * epsilon * std::max(magnitude, 1.0); }

std::optional<Returned> WhatReturned(const Trajectory& t, int step, const Op& op, size_t number) {
  if (!IsPlain(t.test, op, step)) return std::nullopt;
  const Outcome& outcome = *t.steps[static_cast<size_t>(step)];
  const Leaf* leaf = outcome.Find("results", ResultPath(t.test, number));
  if (leaf == nullptr || leaf->kind != "tensor" || leaf->shape.empty()) return std::nullopt;
  auto values = Decode(*leaf);
  const auto elements = static_cast<size_t>(NumElements(leaf->shape));
  if (!values || values->empty() || values->size() != elements || !Finite(*values))
    return std::nullopt;
  Returned r{op, *leaf, *std::move(values),
             std::max(EpsilonOf(t.coarsest), EpsilonOf(leaf->dtype))};
  r.evaluating = IsEvaluating(t.test, step);
  if (op.operands.empty() || FindInput(t.test, op.operands[0]) == nullptr) return r;
  const Leaf* operand = outcome.Find("arguments", op.operands[0]);
  if (operand == nullptr || operand->kind != "tensor") return r;
  auto operand_values = Decode(*operand);
  if (!operand_values || operand_values->empty() || !Finite(*operand_values)) return r;
  r.operand = operand;
  r.operand_values = *std::move(operand_values);
  return r;
}

Lines LinesAlong(const Shape& shape, size_t dim) {
  Lines lines{1, static_cast<size_t>(shape[dim]), 1};
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d != dim) (d < dim ? lines.outer : lines.inner) *= static_cast<size_t>(shape[d]);
  }
  return lines;
}

}  // namespace reprise
