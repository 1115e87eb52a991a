// Confirmation: an alarm, or the death of a process, is a finding only if fresh processes, spawned
// and never forked, show the same thing every time.
#ifndef REPRISE_ORACLE_CONFIRM_H_
#define REPRISE_ORACLE_CONFIRM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/test_case.h"
#include "oracle/verdict.h"

namespace reprise {

inline constexpr int kConfirmations = 3;
inline constexpr int kReplaySeconds = 300;  // a replay that takes longer is killed

struct Replay {
  std::optional<Judgement> judgement;  // nullopt: the process died or said nothing
  // "exit 0", "signal 11 (SIGSEGV)", "timed out", "out of memory"
  std::string how_it_ended;
  bool started = false;  // it came as far as the case

  // Did the process die of the case?
  bool died() const { return started && !judgement; }
};

struct ReplayLimits {
  int64_t seconds = kReplaySeconds;  // for the start of the framework, and again for the case
  int64_t memory_mb = 0;             // resident; 0: no limit
  std::string log;                   // file that gets its standard error; empty: nobody does
};

// Runs a command in a new process that judges a file, prints an empty line when it comes to the
// case, and then one line of JSON. What exceeds a limit is killed.
Replay ReplayInFreshProcess(const std::vector<std::string>& command,
                            const ReplayLimits& limits = {});

// Do two judgements report the same kind of failure: verdict, what differs how, and which reset
// cures it?
bool SameKind(const Judgement& a, const Judgement& b);

// What fresh processes say of a case. It is written to `file` for so long, whose name completes the
// last word of `command`. nullopt with the reason unless all kConfirmations show the failure of
// `alarm`. A failure that no reset of the compiler cures is replayed once more, in a process that
// compiles nothing but the call (--alone=STEP): where that is right, it is stateful after all, and
// R2 cures it.
std::optional<Judgement> Confirm(const std::vector<std::string>& command, const TestCase& test,
                                 const std::string& file, const Judgement& alarm,
                                 std::string* why_not);

// How the process ends if all kConfirmations die of the case in the same way; else nullopt, with
// the reason.
std::optional<std::string> ConfirmDeath(const std::vector<std::string>& command,
                                        const ReplayLimits& limits, std::string* why_not);

}  // namespace reprise

#endif  // REPRISE_ORACLE_CONFIRM_H_
