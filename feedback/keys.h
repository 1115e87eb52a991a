// Behaviour keys: small facts about what a case passed, what the compiler did with it in mode S,
// and what had happened before. They are ids of features, so that libFuzzer steers by them, and
// they have names for people. They come from S alone: when R runs does not change them.
//
// A key is a cell of a family. Families are fixed tables (lattice.h); ids depend on nothing else.
#ifndef REPRISE_FEEDBACK_KEYS_H_
#define REPRISE_FEEDBACK_KEYS_H_

#include <string>
#include <vector>

#include "feedback/lattice.h"
#include "frameworks/signals.h"
#include "grammar/test_case.h"

namespace reprise {

struct Key {
  size_t family = 0;  // position in Families()
  size_t cell = 0;
  auto operator<=>(const Key&) const = default;
};

// Input, path, guard, history, words.
const std::vector<const Family*>& Families();

std::string NameOf(const Key& key);

// The keys of each step, sorted. `signals` holds what mode S showed, step by step; its event is ""
// for steps that S did not reach, and for those that are not judged.
std::vector<std::vector<Key>> KeysByStep(const TestCase& test,
                                         const std::vector<CallSignals>& signals);

// All keys of a case, sorted, each once.
std::vector<Key> KeysOf(const TestCase& test, const std::vector<CallSignals>& signals);

// Sets the features of a judged case, among them the one that is always on.
void EmitBehaviour(const TestCase& test, const std::vector<CallSignals>& signals);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_KEYS_H_
