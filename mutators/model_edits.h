// Edits of the model: operators, slots, inputs, compile options.
#ifndef REPRISE_MUTATORS_MODEL_EDITS_H_
#define REPRISE_MUTATORS_MODEL_EDITS_H_

#include "mutators/mutate.h"

namespace reprise {

bool InsertOp(const Capabilities& capabilities, Random& random, TestCase* test);
bool DeleteOp(const Capabilities& capabilities, Random& random, TestCase* test);
bool ReplaceOp(const Capabilities& capabilities, Random& random, TestCase* test);
bool EditOp(const Capabilities& capabilities, Random& random, TestCase* test);
// A new slot, with an operator that reads it.
bool AddSlot(const Capabilities& capabilities, Random& random, TestCase* test);
// A new slot, a step that acts on it, and a return that may notice.
bool AddSlotAndStep(const Capabilities& capabilities, Random& random, TestCase* test);
// A new input, with an operator that reads it.
bool AddInput(const Capabilities& capabilities, Random& random, TestCase* test);
// A branch on whether two inputs are one object, with the inputs if they are missing.
bool AddIdentityTest(const Capabilities& capabilities, Random& random, TestCase* test);
bool DropSlotOrInput(const Capabilities& capabilities, Random& random, TestCase* test);
bool EditCompile(const Capabilities& capabilities, Random& random, TestCase* test);

}  // namespace reprise

#endif  // REPRISE_MUTATORS_MODEL_EDITS_H_
