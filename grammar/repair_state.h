// The part of repair that is about state: in-place writes, gradients and who may ask for them.
#ifndef REPRISE_GRAMMAR_REPAIR_STATE_H_
#define REPRISE_GRAMMAR_REPAIR_STATE_H_

#include "grammar/inferences.h"

namespace reprise {

// Expects a resolved case whose shapes are legal; keeps both. `inferences` are of the case.
void RepairState(TestCase* test, Inferences* inferences);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_REPAIR_STATE_H_
