// What becomes of the case on which a campaign's process died. A process of its own, started by
// whoever restarts the campaign, finds out:
//
//   no fresh process dies   the case is kept as unconfirmed (unless the process was killed from
//                           outside, which says nothing about the case)
//   all of them do          the case is put into quarantine, shortened in fresh processes, and kept
//                           as the finding crash-<signature>; or counted, if that is known
//
// It may be killed at any moment and started again with the same file.
#ifndef REPRISE_FUZZ_TARGETS_BURY_H_
#define REPRISE_FUZZ_TARGETS_BURY_H_

#include <functional>
#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "fuzz_targets/options.h"
#include "report/findings.h"

namespace reprise {

struct Mourners {
  const Framework& framework;
  const Capabilities& capabilities;
  const TargetOptions& options;
  const std::vector<std::string>& confirm_command;  // a process that judges a file
  const FindingsStore& store;
  std::function<void(const std::string&)> say;
};

// kExitAlarm: the case kills; kExitPass: it does not, or there is none. Either way nothing is left
// to do with options.bury.
int Bury(const Mourners& mourners);

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_BURY_H_
