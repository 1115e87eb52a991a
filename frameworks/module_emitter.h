// From a legal case to a Python program, for frameworks with module objects. The framework gives
// its words as a Dialect; program structure, slots and steps are written here.
#ifndef REPRISE_FRAMEWORKS_MODULE_EMITTER_H_
#define REPRISE_FRAMEWORKS_MODULE_EMITTER_H_

#include <string>

#include "frameworks/dialect.h"
#include "frameworks/program.h"
#include "frameworks/step_emitter.h"
#include "grammar/test_case.h"

namespace reprise {

struct ModuleEmitterOptions {
  CompileForms compile;
  std::string prologue;  // statements after the imports: options of the compiler
};

Program EmitModuleProgram(const TestCase& test, const Dialect& dialect,
                          const ModuleEmitterOptions& options);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_MODULE_EMITTER_H_
