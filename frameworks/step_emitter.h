// The steps of a sequence as statements.
#ifndef REPRISE_FRAMEWORKS_STEP_EMITTER_H_
#define REPRISE_FRAMEWORKS_STEP_EMITTER_H_

#include <vector>

#include "frameworks/dialect.h"
#include "frameworks/program.h"
#include "frameworks/slot_forms.h"
#include "grammar/infer.h"
#include "grammar/test_case.h"

namespace reprise {

// How `compiled` is bound: expressions over {target}, by the step that asks (the compile statement,
// or a `wrap` with options of its own).
struct CompileForms {
  std::string first;
  std::string (*wrap)(const TestCase& test, const Step& step);
};

std::vector<ProgramStep> EmitSteps(const TestCase& test, const Dialect& dialect,
                                   const SlotForms& slots, const Inference& construction,
                                   const CompileForms& compile);

// "compiled = torch.compile(model)" and "compiled = model".
Binding BindCompiled(const std::string& expression);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_STEP_EMITTER_H_
