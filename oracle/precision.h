// How coarse are the numbers that a case computes with?
#ifndef REPRISE_ORACLE_PRECISION_H_
#define REPRISE_ORACLE_PRECISION_H_

#include "grammar/test_case.h"

namespace reprise {

// The floating-point type with the fewest digits that the case mentions anywhere; f32 at least, in
// which weights and inputs are drawn. A result of a finer type has no more digits than that if it
// comes from a cast.
Dtype CoarsestFloat(const TestCase& test);

}  // namespace reprise

#endif  // REPRISE_ORACLE_PRECISION_H_
