// What an operator of the model returned to the caller in one call, as numbers: what the value
// invariants judge.
#ifndef REPRISE_ORACLE_RETURNED_H_
#define REPRISE_ORACLE_RETURNED_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/invariants.h"

namespace reprise {

using Values = std::vector<double>;

struct Returned {
  const Op& op;
  const Leaf& leaf;
  Values values;   // all finite
  double epsilon;  // of the coarser of its element type and what was computed with
  // The first operand, where it is an input and all its elements are finite; else nullptr.
  const Leaf* operand = nullptr;
  Values operand_values;
  bool evaluating = false;

  // What rounding explains at a magnitude, 64 ulps of it: see numerics.h. At least those of one.
  double Slack(double magnitude) const;
};

// What the `number`th returned value is, if `op` made it and it reaches the caller as it was made.
std::optional<Returned> WhatReturned(const Trajectory& trajectory, int step, const Op& op,
                                     size_t number);

// Lines of elements along a dimension: how many there are, how long, and where each element lies.
struct Lines {
  size_t outer, length, inner;
  size_t At(size_t line, size_t i) const {
    return (line / inner * length + i) * inner + line % inner;
  }
  size_t count() const { return outer * inner; }
};
Lines LinesAlong(const Shape& shape, size_t dim);

}  // namespace reprise

#endif  // REPRISE_ORACLE_RETURNED_H_
