// Edits of one call: one field changed, all else equal, is the strongest move against a cache.
#ifndef REPRISE_MUTATORS_CALL_EDITS_H_
#define REPRISE_MUTATORS_CALL_EDITS_H_

#include "mutators/mutate.h"

namespace reprise {

// Changes one field of the `call` statement at `index`; false if the field drawn has no other
// value.
bool EditCall(const Capabilities& capabilities, Random& random, size_t index, TestCase* test);

bool EditSomeCall(const Capabilities& capabilities, Random& random, TestCase* test);

}  // namespace reprise

#endif  // REPRISE_MUTATORS_CALL_EDITS_H_
