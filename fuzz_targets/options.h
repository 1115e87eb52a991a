// What a target was asked to do: our flags, and what libFuzzer's tell about the kind of run.
#ifndef REPRISE_FUZZ_TARGETS_OPTIONS_H_
#define REPRISE_FUZZ_TARGETS_OPTIONS_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "oracle/judge.h"

namespace reprise {

struct TargetOptions {
  std::string backend;
  std::string plant;
  std::string campaign;
  std::string judge;
  int alone = -1;                      // with `judge`: see JudgeOptions
  std::set<std::string> known_issues;  // signatures to swallow
  std::string in_flight;               // file for the case that is being judged; empty: none
  std::string bury;                    // such a file, of a process that died
  int64_t died = 0;                    // with which exit code; 0: nobody knows
  std::string recycle;        // file to make before leaving for want of memory; empty: stay
  int64_t recycle_mb = 5000;  // resident memory at which to leave
  JudgeOptions judging{.policy = ResetPolicy::kSampled, .sound = true};
  // Single files were named: each is explained, and an alarm aborts without confirmation, since
  // this process is a fresh one.
  bool reproducing = false;
  bool lines = true;  // executed lines of the compiler are features
  // libFuzzer asks for the features of each file, in a process that may be cold. Alarms are
  // nobody's business here: the case keeps its features, whatever it shows.
  bool merging = false;
  std::string control_file;  // of the merge
  bool forked = false;       // a child of -fork, which ends and is followed by another anyway
  // A step of -minimize_crash: the file to make smaller, and libFuzzer's limits (0: none).
  std::string minimising;
  int64_t runs = 0, max_seconds = 0;
  // What libFuzzer lets one input take.
  int64_t timeout = 300, rss_limit_mb = 8192;
  std::string features;  // file that gets a line of features for each input; empty: none
};

// Errors: kInvalidArgument, in words for the user.
absl::StatusOr<TargetOptions> ReadTargetOptions(const std::vector<std::string>& arguments);

// Flags of libFuzzer that a target of ours needs and the user did not give.
std::vector<std::string> MissingLibFuzzerFlags(const std::vector<std::string>& arguments);

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_OPTIONS_H_
