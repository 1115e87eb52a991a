// Properties that a correct run of a model has whatever it is compared with: the level `full`.
//
// A row is checked on one mode's own trajectory, at one judged step, when all modes agree there. It
// needs no further execution: what it relates to each other are the values that a step showed, or
// those of two calls of the sequence (a repeat, or a call with more or other rows). A row that does
// not hold in S holds in E and R (stateful), in E alone (stateless), or nowhere: then the framework
// is wrong without its compiler, too.
//
// One invariant is not a row, because it is the oracle itself: a cache hit equals a forced fresh
// compile is S = R.
//
// Rows have preconditions that are read off the case, never off the values that they judge.
#ifndef REPRISE_ORACLE_INVARIANTS_H_
#define REPRISE_ORACLE_INVARIANTS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grammar/test_case.h"
#include "oracle/compare.h"

namespace reprise {

// What a row looks at: one mode's outcomes, as many as there are.
struct Trajectory {
  const TestCase& test;
  std::vector<const Outcome*> steps;  // nullptr: not observed
  // The uncompiled run of a step on perturbed numbers, or nullptr: see numerics.h.
  std::function<const Outcome*(int step)> perturbed;
  std::string coarsest;  // floating-point type of the fewest digits that takes part
};

struct InvariantRow {
  const char* name;
  const char* property;      // what it belongs to, and what it says
  const char* precondition;  // when it must hold
  const char* tolerance;
  // How it is broken at a judged step, which has not raised: where, and by what; nullopt where it
  // holds or says nothing.
  std::function<std::optional<Difference>(const Trajectory& trajectory, int step)> check;
};

const std::vector<InvariantRow>& Invariants();

// The first row that a step breaks; its name is part of the difference's attribute.
std::optional<Difference> FindBrokenInvariant(const Trajectory& trajectory, int step);

// Of one row. Used to ask another mode.
bool IsBroken(const std::string& attribute, const Trajectory& trajectory, int step);

}  // namespace reprise

#endif  // REPRISE_ORACLE_INVARIANTS_H_
