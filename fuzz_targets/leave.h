// Leaving a process that holds too much memory, without losing an input. (Frameworks keep memory
// for every compile; libFuzzer's own limit kills the process and drops what it was running.)
//
// While fuzzing, libFuzzer is asked to end after the current input: SIGUSR1. In -merge that would
// be the end of everything: the outer process takes exit code 0 for "all files are done", and drops
// the others. There the process takes back the line of the control file which says that it has
// started its current input, and ends with another exit code: the outer process starts the next one
// with that input. (Of the control file only the last line is touched, "STARTED index size", which
// libFuzzer writes and flushes just before it calls the target.)
#ifndef REPRISE_FUZZ_TARGETS_LEAVE_H_
#define REPRISE_FUZZ_TARGETS_LEAVE_H_

#include <string>

#include "fuzz_targets/options.h"

namespace reprise {

// Exit code of a merge process that has handed its input back.
inline constexpr int kExitHandedBack = 75;

// Takes back the last line of a control file if it says that an input was started. True if it did.
bool HandBackInput(const std::string& control_file);

// Between two inputs of fuzzing: asks libFuzzer to end here if this process has grown too large.
void LeaveIfLarge(const TargetOptions& options);

// Before an input of a merge: leaves if this process has grown too large. The first input of a
// process is always run, so that a merge comes to its end.
void LeaveMergeIfLarge(const TargetOptions& options);

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_LEAVE_H_
