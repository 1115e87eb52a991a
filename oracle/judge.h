// Runs a case in the three modes and says whether they agree.
//
// E and S run the whole sequence, each with its own trajectory. R is asked for where S and E
// disagree, after the weakest reset first, and on a sample of cases.
#ifndef REPRISE_ORACLE_JUDGE_H_
#define REPRISE_ORACLE_JUDGE_H_

#include <functional>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/test_case.h"
#include "oracle/verdict.h"

namespace reprise {

enum class ResetPolicy {
  kDemand,        // only where S and E disagree
  kSampled,       // and at every step of one case in kSampleEvery, chosen by the case itself
  kAlways,        // at every judged step
  kTrajectories,  // the paper's plain third trajectory: a reset before each call, own state
};
std::optional<ResetPolicy> ParseResetPolicy(const std::string& name);

inline constexpr uint64_t kSampleEvery = 50;

struct JudgeOptions {
  ResetPolicy policy = ResetPolicy::kAlways;
  Level level = Level::kFull;
  // Run with the framework's documented unsound shortcuts off. As shipped (false), alarms that the
  // shortcuts explain are marked as such.
  bool sound = false;
  // Only R of this step is run, and compared with E: the reset tier R2, if the process is a fresh
  // one. -1: everything.
  int alone = -1;
  // Called with true when S's trajectory begins or goes on, and with false when it pauses or ends:
  // what is between belongs to S alone. Or empty.
  std::function<void(bool)> retained;
};

// `test` must be legal for the framework (Repair).
Judgement Judge(const Framework& framework, Runtime& runtime, const TestCase& test,
                const JudgeOptions& options);

}  // namespace reprise

#endif  // REPRISE_ORACLE_JUDGE_H_
