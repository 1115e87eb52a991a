// A libFuzzer target for one framework: everything but its name. A target's file calls these two
// from the functions that libFuzzer looks for.
//
// Flags of ours start with "--", so libFuzzer passes them to the processes that it starts:
//   --backend=NAME    run every case on this backend
//   --plant=FILE      plant a fault: a Python file whose plant() is called after the import
//   --campaign=DIR    keep findings in this folder and go on, instead of aborting at the first
//   --known-issues=FILE  swallow alarms with these signatures: see report/known_issues.h
//   --in-flight=FILE  note in this file which case is being judged
//   --bury=FILE       make a finding of such a note of a process that died, with exit code
//                     --died=N, and leave: see fuzz_targets/bury.h
//   --r-policy=...    demand, sampled (default), always, trajectories: see oracle/judge.h
//   --shortcuts=...   sound: with the framework's documented unsound shortcuts off (default when
//                     fuzzing); shipped: as it is (default when a file is reproduced)
//   --oracle=LEVEL    crash, two-mode, three-mode, structured, full (default): see oracle/level.h
//   --lines=yes|no    executed lines of the compiler are features (default: yes when fuzzing)
//   --recycle=FILE    frameworks keep memory for every compile: beyond --recycle-mb=N (5000) the
//                     target makes this file and ends between two inputs, to be started again; in
//                     -merge and -fork it ends without, since libFuzzer starts the next process
//   --features=FILE   append a line for each input: the numbers of its features, in order
//   --judge=FILE      judge one file, print JSON, leave (processes that confirm an alarm);
//                     with --alone=STEP only that step, reset, with nothing compiled before
#ifndef REPRISE_FUZZ_TARGETS_TARGET_H_
#define REPRISE_FUZZ_TARGETS_TARGET_H_

#include <cstddef>
#include <cstdint>

namespace reprise {

// Reads and completes the command line. The framework is not imported here: the outer processes of
// -merge, -fork, -jobs and -minimize_crash come here too, and never run an input.
int InitializeTarget(const char* framework, int* argc, char*** argv);

// Judges one input. Aborts with a report if it is a confirmed alarm (unless in a campaign).
int RunTarget(const uint8_t* data, size_t size);

// LLVMFuzzerCustomMutator.
size_t MutateTarget(uint8_t* data, size_t size, size_t max_size, unsigned seed);

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_TARGET_H_
