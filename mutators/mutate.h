// Random edits of cases over the tables of the language. Deterministic in the generator that is
// handed in.
#ifndef REPRISE_MUTATORS_MUTATE_H_
#define REPRISE_MUTATORS_MUTATE_H_

#include <random>
#include <string>
#include <vector>

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

using Random = std::mt19937_64;

// Sequences are not grown beyond this: each call may compile, and most stateful faults need two to
// five calls. Longer cases come from people and from other corpora.
inline constexpr size_t kGrownSteps = 14;

// One kind of edit. Returns false where it does not apply; then the case may be left half edited.
struct MutationOperator {
  const char* name;
  int weight;
  bool (*apply)(const Capabilities& capabilities, Random& random, TestCase* test);
};

const std::vector<MutationOperator>& MutationOperators();

// Another legal case: differs from `test` in its text. `test` must be legal.
TestCase Mutate(const Capabilities& capabilities, const TestCase& test, Random& random);

// A legal case of at most `max_bytes` of text, made by halving the sequence, then dropping steps,
// operators and slots; the smallest that there is if none fits.
TestCase Shrink(const Capabilities& capabilities, const TestCase& test, size_t max_bytes);

// The same for a search: what goes is drawn at random.
TestCase ShrinkRandomly(const Capabilities& capabilities, const TestCase& test, size_t max_bytes,
                        Random& random);

// A random sequence of `steps` steps for the model of `test`, legal.
TestCase RandomSequence(const Capabilities& capabilities, const TestCase& test, size_t steps,
                        Random& random);

}  // namespace reprise

#endif  // REPRISE_MUTATORS_MUTATE_H_
