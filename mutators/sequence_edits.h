// Edits of the sequence: which steps there are, and in which order.
#ifndef REPRISE_MUTATORS_SEQUENCE_EDITS_H_
#define REPRISE_MUTATORS_SEQUENCE_EDITS_H_

#include "mutators/mutate.h"

namespace reprise {

bool AppendReturn(const Capabilities& capabilities, Random& random, TestCase* test);
// A copy of an earlier call with one field changed, put after it.
bool AppendVariant(const Capabilities& capabilities, Random& random, TestCase* test);
bool InsertStateStep(const Capabilities& capabilities, Random& random, TestCase* test);
// A state step, then a call that may notice.
bool AppendUpdateAndReturn(const Capabilities& capabilities, Random& random, TestCase* test);
bool EditStateStep(const Capabilities& capabilities, Random& random, TestCase* test);
bool DeleteStep(const Capabilities& capabilities, Random& random, TestCase* test);
bool MoveStep(const Capabilities& capabilities, Random& random, TestCase* test);

}  // namespace reprise

#endif  // REPRISE_MUTATORS_SEQUENCE_EDITS_H_
