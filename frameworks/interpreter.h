// Starts the embedded Python interpreter, once per process.
#ifndef REPRISE_FRAMEWORKS_INTERPRETER_H_
#define REPRISE_FRAMEWORKS_INTERPRETER_H_

#include <string>

#include "absl/status/status.h"

namespace reprise {

// `python` is the interpreter of a virtual environment, whose packages are then found. No signal
// handlers, fixed hash seed, UTF-8, no user settings. kFailedPrecondition if it cannot be started.
absl::Status StartInterpreter(const std::string& python);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_INTERPRETER_H_
