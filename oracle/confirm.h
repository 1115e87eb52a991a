// Confirmation: an alarm is a finding only if fresh processes, spawned and never forked, see the
// same thing every time.
#ifndef REPRISE_ORACLE_CONFIRM_H_
#define REPRISE_ORACLE_CONFIRM_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/verdict.h"

namespace reprise {

inline constexpr int kConfirmations = 3;
inline constexpr int kReplaySeconds = 300;  // a replay that takes longer is killed

struct Replay {
  std::optional<Judgement> judgement;  // nullopt: the process died or said nothing
  std::string how_it_ended;            // "exit 0", "signal 11", "timed out"
};

// Runs a command in a new process that judges a file and prints one line of JSON.
Replay ReplayInFreshProcess(const std::vector<std::string>& command);

// Do two judgements report the same kind of failure: verdict, and what differs how?
bool SameKind(const Judgement& a, const Judgement& b);

// The last replay if all kConfirmations show the failure of `alarm`; else nullopt, with the reason.
std::optional<Judgement> Confirm(const std::vector<std::string>& command, const Judgement& alarm,
                                 std::string* why_not);

}  // namespace reprise

#endif  // REPRISE_ORACLE_CONFIRM_H_
