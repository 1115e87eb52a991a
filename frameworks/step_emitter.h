// The steps of a case as Python statements, with what the oracle looks at after each.
#ifndef REPRISE_FRAMEWORKS_STEP_EMITTER_H_
#define REPRISE_FRAMEWORKS_STEP_EMITTER_H_

#include <vector>

#include "frameworks/dialect.h"
#include "frameworks/program.h"
#include "frameworks/slot_forms.h"
#include "grammar/infer.h"
#include "grammar/test_case.h"

namespace reprise {

std::vector<ProgramStep> EmitSteps(const TestCase& test, const Dialect& dialect,
                                   const SlotForms& slots, const Inference& construction);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_STEP_EMITTER_H_
