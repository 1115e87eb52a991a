// The store of findings: one folder per signature, so that a campaign goes on past what it knows.
//
//   findings/stateful-abcdefgh/case.reprise    the shortened case; replay it with `reprise run`
//                              original.reprise  as the fuzzer found it
//                              program.py      the program it stands for
//                              report.txt      what was printed
//                              judgement.json
//
// A folder is written under another name and then renamed: whoever is killed leaves no half
// finding.
#ifndef REPRISE_REPORT_FINDINGS_H_
#define REPRISE_REPORT_FINDINGS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "report/signature.h"

namespace reprise {

class FindingsStore {
 public:
  // `folder` is created if needed; findings of earlier runs and of other jobs count as known.
  explicit FindingsStore(std::string folder);

  const std::string& folder() const { return folder_; }
  // Folder of a finding, whether or not it exists.
  std::string PathOf(const Judgement& judgement, const Signature& signature) const;
  bool Knows(const Judgement& judgement, const Signature& signature) const;

  // Writes the files of a finding. kAlreadyExists where another job was faster; kInternal with the
  // system's reason (a full disk) otherwise, and then nothing is left behind.
  absl::Status Add(const Judgement& judgement, const Signature& signature,
                   const std::map<std::string, std::string>& files) const;

 private:
  std::string folder_;
};

}  // namespace reprise

#endif  // REPRISE_REPORT_FINDINGS_H_
