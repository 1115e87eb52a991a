// When do two runs of a program agree on numbers?
//
// Integers and booleans: exactly, indices of extrema too (that argmax takes the first of several is
// promised; what sort and topk do with ties is not, so the language returns their values alone).
// NaNs: in the same places. Infinities: the same ones. Zeros: whatever their signs. Other floats by
// the rule that framework developers accept (torch._dynamo.utils.same with fp64_ref compares
// against a float64 run in the same spirit): with e the uncompiled result, s the compiled one and r
// the float64 run of the uncompiled program,
//
//   max|s - r| <= kErrorRatio * max|e - r| + ulps(dtype) * eps(dtype) * max|r|
//
// over the tensor; for f32 the last term is 64 ulps, 7.6e-6, which is less than the 1e-5 that both
// torch.testing.assert_close and torch._dynamo.utils.same forgive at magnitude one. r costs a run,
// so it is asked for only where the cheap test |s - e| <= kCheapUlps * eps(dtype) * max|e| fails.
// Complex numbers are pairs of floats. The 8-bit floats, which nobody computes with, may be off by
// one of their own ulps.
//
// Where there is no r, or e itself is nowhere near r (the widened program did something else), the
// tolerances of torch.testing.assert_close decide, for the coarsest type that takes part: a float32
// that was cast to float64 is off by what a float32 is off.
//
// Last, before a value is called different: does it hang on the last digits? With e' the uncompiled
// run on numbers that are off by 2^-20 of themselves, a difference of up to
//
//   kCondition * max|e' - e|
//
// over the tensor is rounding made large: a floor, a comparison or an argmax that jumps, a sum that
// cancels. Integers and booleans that change at all under the perturbation hang on it, too. (The
// condition number of numerical analysis, by sampling; the perturbation is ten roundings of f32.)
#ifndef REPRISE_ORACLE_NUMERICS_H_
#define REPRISE_ORACLE_NUMERICS_H_

#include <optional>
#include <string>
#include <vector>

#include "frameworks/observation.h"

namespace reprise {

inline constexpr double kErrorRatio = 3;
inline constexpr double kCheapUlps = 4;
inline constexpr double kCondition = 4;

// Elements of a tensor or float leaf as doubles, two for a complex one; nullopt for a dtype that is
// not one of ours.
std::optional<std::vector<double>> Decode(const Leaf& leaf);

struct FloatRule {
  const char* dtype;
  double epsilon;             // distance from 1 to the next number
  double ulps;                // forgiven beyond a multiple of the uncompiled error
  double relative, absolute;  // torch/testing/_comparison.py, default_tolerances
};

// nullptr for dtypes that are compared exactly.
const FloatRule* FindFloatRule(const std::string& dtype);

enum class Agreement { kEqual, kDifferent, kAskReference };

// Compares the values of two leaves of equal kind, dtype and shape. `reference` is nullptr at
// first; when the answer is kAskReference, ask again with the leaf of the float64 run, or with
// `reference_exhausted` if there is none. `coarsest` is the floating-point type of the fewest
// digits that takes part in the computation.
Agreement CompareValues(const Leaf& expected, const Leaf& actual, const Leaf* reference,
                        bool reference_exhausted, const std::string& coarsest = "f32");

// Do the two values differ by no more than rounding explains? `perturbed` is the same leaf of the
// uncompiled run on perturbed numbers, or nullptr.
bool IllConditioned(const Leaf& expected, const Leaf& actual, const Leaf* perturbed);

// "differs by 2.5 at [1,0]: expected 1.0, got 3.5", for the worst element.
std::string DescribeValues(const Leaf& expected, const Leaf& actual);

}  // namespace reprise

#endif  // REPRISE_ORACLE_NUMERICS_H_
