// What a target does with an alarm: swallow what is known, shorten, confirm in fresh processes,
// then report; abort, or keep the finding and go on with the campaign.
#ifndef REPRISE_FUZZ_TARGETS_ALARM_H_
#define REPRISE_FUZZ_TARGETS_ALARM_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "fuzz_targets/options.h"
#include "report/findings.h"

namespace reprise {

class AlarmHandler {
 public:
  // Reports go to `fd`.
  AlarmHandler(const Framework& framework, const Capabilities& capabilities,
               const TargetOptions& options, std::vector<std::string> confirm_command, int fd);

  void Say(const std::string& text) const;

  // Prints the program, the table of calls x modes, and the verdict.
  void Explain(const TestCase& test, const Judgement& judgement) const;

  // Aborts, unless the alarm does not confirm or this is a campaign.
  void Handle(Runtime& runtime, const TestCase& test, const Judgement& judgement);

 private:
  [[noreturn]] void Abort(const TestCase& test, const Judgement& judgement) const;
  TestCase Shorten(Runtime& runtime, const TestCase& test, const Judgement& judgement) const;
  // Confirms the case; nullopt and a line for the user if it does not.
  std::optional<Judgement> ConfirmCase(const TestCase& test, const Judgement& judgement) const;
  void Keep(const TestCase& original, const TestCase& test, const Judgement& judgement);

  const Framework& framework_;
  const Capabilities& capabilities_;
  const TargetOptions& options_;
  const JudgeOptions quick_;  // for the many questions of refinement
  const std::vector<std::string> confirm_command_;
  const int fd_;
  std::unique_ptr<FindingsStore> store_;
  std::set<std::string> known_;  // signatures of alarms as they first appear, before refinement
};

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_ALARM_H_
