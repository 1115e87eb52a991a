// From a legal case to a Python program, for frameworks with module objects. The framework gives
// its words as a Dialect; program structure, slots and steps are written here.
#ifndef REPRISE_FRAMEWORKS_MODULE_EMITTER_H_
#define REPRISE_FRAMEWORKS_MODULE_EMITTER_H_

#include <string>

#include "frameworks/dialect.h"
#include "frameworks/program.h"
#include "grammar/test_case.h"

namespace reprise {

struct ModuleEmitterOptions {
  std::string compile;      // expression over {target}: the compiled model
  bool in_float64 = false;  // write f32 and smaller floats as f64: the reference for numerics
};

Program EmitModuleProgram(const TestCase& test, const Dialect& dialect,
                          const ModuleEmitterOptions& options);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_MODULE_EMITTER_H_
