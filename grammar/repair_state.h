// The part of repair that is about state: in-place writes, gradients and who may ask for them.
#ifndef REPRISE_GRAMMAR_REPAIR_STATE_H_
#define REPRISE_GRAMMAR_REPAIR_STATE_H_

#include "grammar/test_case.h"

namespace reprise {

// Expects a resolved case whose shapes are legal; keeps both.
void RepairState(TestCase* test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_REPAIR_STATE_H_
