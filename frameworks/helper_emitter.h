// What stands before the model in a program: imports, and the definitions that it and its steps
// name. Only what is used is written.
#ifndef REPRISE_FRAMEWORKS_HELPER_EMITTER_H_
#define REPRISE_FRAMEWORKS_HELPER_EMITTER_H_

#include <string>

#include "frameworks/dialect.h"
#include "frameworks/forward_emitter.h"
#include "frameworks/slot_forms.h"
#include "grammar/test_case.h"

namespace reprise {

// Import lines for a program text.
std::string EmitImports(const Dialect& dialect, const std::string& used);

// Definitions for a program text: rand(), unary functions and classes, callables of every form,
// things, dataclasses, what operators and contexts define.
std::string EmitHelpers(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                        const ForwardEmitter& forward, const std::string& used);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_HELPER_EMITTER_H_
