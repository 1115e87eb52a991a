// Compares what one step showed in two modes, leaf by leaf.
#ifndef REPRISE_ORACLE_COMPARE_H_
#define REPRISE_ORACLE_COMPARE_H_

#include <functional>
#include <optional>
#include <string>

#include "frameworks/known_differences.h"
#include "frameworks/observation.h"
#include "oracle/level.h"

namespace reprise {

struct Difference {
  std::string section;    // results, arguments, gradients, state, process; "" for an exception
  std::string path;       // "result[1]", "model.h.weight"
  std::string attribute;  // raises, tree, kind, dtype, shape, order, requires_grad, alias, value
  std::string text;       // for people: what was expected, what came
};

// What numbers are measured by.
struct Reference {
  // Gives the float64 run of the same step, or nullptr. Called at most when values are close but
  // not close enough.
  std::function<const Outcome*()> run = [] { return nullptr; };
  // Gives the uncompiled run of the same step on perturbed numbers, or nullptr. Asked for only
  // before a value is called different: see numerics.h.
  std::function<const Outcome*()> perturbed = [] { return nullptr; };
  // What the framework allows; nullptr: nothing.
  const KnownDifferences* known = nullptr;
  // The floating-point type of the fewest digits that the case computes with.
  std::string coarsest = "f32";
};

// The leaf at the same place of another outcome, or nullptr. Outcomes of one step mostly agree on
// the places.
const Leaf* LeafLike(const Outcome* outcome, size_t index, const Leaf& like);

// Was the step given the same?
bool GivenTheSame(const Outcome& expected, const Outcome& actual, const Reference& reference);

// The first difference that the level looks at, in the order process, results, arguments,
// gradients, state; nullopt if the two agree up to numerics.h and what the framework allows.
std::optional<Difference> Compare(const Outcome& expected, const Outcome& actual,
                                  const Reference& reference, Level level = Level::kStructured);

}  // namespace reprise

#endif  // REPRISE_ORACLE_COMPARE_H_
