// What a target does with an alarm: swallow and count what is known, shorten, confirm in fresh
// processes, then report; abort, or keep the finding and go on with the campaign.
#ifndef REPRISE_FUZZ_TARGETS_ALARM_H_
#define REPRISE_FUZZ_TARGETS_ALARM_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "fuzz_targets/in_flight.h"
#include "fuzz_targets/options.h"
#include "oracle/shorten.h"
#include "report/findings.h"

namespace reprise {

class AlarmHandler {
 public:
  // Reports go to `fd`; `in_flight` is told of each case that is judged here.
  AlarmHandler(const Framework& framework, const Capabilities& capabilities,
               const TargetOptions& options, std::vector<std::string> confirm_command,
               const InFlight& in_flight, int fd);

  // Prints text of ours, in which nothing looks like a line of a traceback.
  void Say(const std::string& text) const;

  // The findings of a campaign, or null.
  const FindingsStore* store() const { return store_.get(); }

  // Prints the program, the table of calls x modes, and the verdict.
  void Explain(const TestCase& test, const Judgement& judgement) const;

  // Aborts, unless the alarm does not confirm or this is a campaign.
  void Handle(Runtime& runtime, const TestCase& test, const Judgement& judgement);

 private:
  // The name under which such alarms are counted from now on; "" if they are not.
  std::string Settle(Runtime& runtime, const TestCase& test, const Judgement& judgement);
  void Count(const std::string& name) const;
  void Write(const std::string& text) const;
  [[noreturn]] void Abort(const TestCase& test, const Judgement& judgement) const;
  Shortened ShortenHere(Runtime& runtime, const TestCase& test, const Judgement& judgement) const;
  // What fresh processes say of the case, or nullopt with the reason.
  std::optional<Judgement> ConfirmCase(const TestCase& test, const Judgement& judgement,
                                       std::string* why_not) const;
  // An alarm that does not confirm is a defect of ours: its case is kept for us to look at.
  void LogUnconfirmed(const TestCase& test, const std::string& why_not) const;
  // Keeps a confirmed alarm: as a finding, or apart if it is unstable. The name that it counts
  // under.
  std::string Keep(const TestCase& original, const TestCase& test, const Judgement& judgement);
  // Without a store: "" if it comes back.
  std::string ConfirmAndAbort(const TestCase& test, const Judgement& judgement);

  const Framework& framework_;
  const Capabilities& capabilities_;
  const TargetOptions& options_;
  const std::vector<std::string> confirm_command_;
  const InFlight& in_flight_;
  const int fd_;
  std::unique_ptr<FindingsStore> store_;
  // By the signatures of alarms as they first appear, before refinement: the name under which they
  // are counted.
  std::map<std::string, std::string> known_;
};

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_ALARM_H_
