// Random pieces of cases: numbers, literals, attributes, steps, operators.
#ifndef REPRISE_MUTATORS_RANDOM_PARTS_H_
#define REPRISE_MUTATORS_RANDOM_PARTS_H_

#include <optional>
#include <string>
#include <vector>

#include "mutators/mutate.h"

namespace reprise {

// Uniform in [0, n); n must be positive.
size_t Below(Random& random, size_t n);
bool Chance(Random& random, double probability);

template <typename T>
T& Pick(Random& random, std::vector<T>& items) {
  return items[Below(random, items.size())];
}
template <typename T>
const T& Pick(Random& random, const std::vector<T>& items) {
  return items[Below(random, items.size())];
}

// A size that compilers treat specially (0, 1, small, growing) more often than not.
int64_t RandomSize(Random& random);
std::string RandomLiteral(Random& random, Type type);
// Text for an attribute; references are left to be resolved from a random word.
std::string RandomAttribute(Random& random, const AttrSpec& spec);
std::string RandomPredicate(Random& random, const TestCase& test);
// A step other than a call, of a kind that the framework has and the case has a use for.
Step RandomStateStep(const Capabilities& capabilities, Random& random, const TestCase& test);
// A step that acts on one slot; nullopt if no verb does.
std::optional<Step> RandomSlotStep(const Capabilities& capabilities, Random& random,
                                   const Slot& slot);
// An operator on values that exist before position `index`.
Op RandomOp(const Capabilities& capabilities, Random& random, const TestCase& test, size_t index);

// Indices of the `call` statements.
std::vector<size_t> CallStatements(const TestCase& test);

}  // namespace reprise

#endif  // REPRISE_MUTATORS_RANDOM_PARTS_H_
