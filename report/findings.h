// The store of findings: one folder per signature, so that a campaign goes on past what it knows.
//
//   findings/stateful-abcdefgh/case.reprise    the shortened case; replay it with `reprise run`
//                              original.reprise  as the fuzzer found it
//                              program.py      the program it stands for
//                              report.txt      what was printed
//                              judgement.json  not of a case on which the process dies
//   findings/crash-abcdefgh/                   the same, of a case on which the process dies
//   findings/unconfirmed/                      cases whose alarm no fresh process sees: ours to
//                                              look at
//   findings/unstable/                         cases whose runs disagree each in its own way
//   findings/quarantine/                       cases that nobody shall run again
//   findings/deaths/KEY                        the finding that is behind deaths of this signature,
//                                              or behind alarms that first looked like this one
//   findings/seen/NAME                         how often NAME was seen again, a number
//
// Several processes share a folder, and each may be killed at any moment: what is written gets its
// name when it is whole, and numbers grow under a lock that dies with its holder.
#ifndef REPRISE_REPORT_FINDINGS_H_
#define REPRISE_REPORT_FINDINGS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "oracle/verdict.h"
#include "report/signature.h"

namespace reprise {

// Cases that are kept in findings/unconfirmed and findings/unstable each; beyond that they are only
// counted.
inline constexpr int64_t kMaxKeptApart = 50;

// Under which alarms are counted that are no findings: those that no fresh process repeats, and
// those of which every run says something else.
inline constexpr char kUnconfirmed[] = "unconfirmed";
inline constexpr char kUnstable[] = "unstable";

// What a finding of the oracle is called: "stateful-abcdefgh".
std::string FindingName(const Judgement& judgement, const Signature& signature);

class FindingsStore {
 public:
  // `folder` is created if needed; findings of earlier runs and of other jobs count as known. What
  // processes that were killed left half written is removed.
  explicit FindingsStore(std::string folder);

  const std::string& folder() const { return folder_; }
  // Folder of a finding, whether or not it exists.
  std::string PathOf(const std::string& name) const;
  bool Knows(const std::string& name) const;

  // Writes the files of a finding. kAlreadyExists where another job was faster; kInternal with the
  // system's reason (a full disk) otherwise, and then nothing is left behind.
  absl::Status Add(const std::string& name, const std::map<std::string, std::string>& files) const;

  // One more of what is called so; where that cannot be written it is not counted.
  void Count(const std::string& name) const;
  int64_t Counted(const std::string& name) const;

  // Counts a case whose alarm is no finding (kUnconfirmed, kUnstable), and keeps its text and the
  // reason apart, unless there are many. The path of what was kept, or "".
  std::string KeepApart(const std::string& kind, const std::string& text,
                        const std::string& reason) const;

  // A file for a while, which is swept should this process be killed.
  std::string ScratchPath(const std::string& name) const;

  // What a key was found to be ("" if that is not known): the way from a case as it was found to
  // the finding that it turned out to be is long.
  void Remember(const std::string& key, const std::string& name) const;
  std::string Recall(const std::string& key) const;

  // Nobody shall run this case again, by its text after repair.
  absl::Status Quarantine(const std::string& text) const;
  bool IsQuarantined(const std::string& text) const;

 private:
  std::string folder_;
};

}  // namespace reprise

#endif  // REPRISE_REPORT_FINDINGS_H_
