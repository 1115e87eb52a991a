// The report that ClusterFuzz, libFuzzer's -minimize_crash and people read on standard error before
// a target aborts. Crash parsers understand a Python traceback below the title line; two reports
// are one bug exactly where the FuzzerHash letters agree.
#ifndef REPRISE_REPORT_CLUSTERFUZZ_H_
#define REPRISE_REPORT_CLUSTERFUZZ_H_

#include <string>

#include "oracle/verdict.h"
#include "report/signature.h"

namespace reprise {

// `plant` is the file of a planted fault, or empty.
std::string ClusterFuzzReport(const std::string& framework, const std::string& backend,
                              const Judgement& judgement, const Signature& signature,
                              const std::string& plant);

// Text in which nothing passes for a line of a Python traceback. One such line outside a report,
// and crash parsers find nothing in the log of a process that dies of something else.
std::string WithoutTraceback(const std::string& text);

}  // namespace reprise

#endif  // REPRISE_REPORT_CLUSTERFUZZ_H_
