// `reprise report FILE`: is it a finding? Shortens a failing case, moves it to the earliest backend
// that shows it, confirms it in fresh processes, asks which reset cures it, and prints the finding
// with the program that shows it.
#ifndef REPRISE_TOOLS_REPORT_CASE_H_
#define REPRISE_TOOLS_REPORT_CASE_H_

#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/test_case.h"
#include "oracle/judge.h"

namespace reprise {

// `judge_command`, its last word completed by a file, judges that file in a fresh process. The exit
// code: kExitAlarm for a finding, kExitPass for none, with a line that says why.
int ReportCase(const Framework& framework, Runtime& runtime, const TestCase& test,
               const JudgeOptions& how, const std::vector<std::string>& judge_command,
               const std::string& plant);

}  // namespace reprise

#endif  // REPRISE_TOOLS_REPORT_CASE_H_
