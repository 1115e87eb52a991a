#include "tools/report_case.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "oracle/confirm.h"
#include "oracle/shorten.h"
#include "report/render.h"
#include "report/signature.h"
#include "tools/flags.h"

namespace reprise {
namespace {

int NoFinding(const std::string& why) {
  std::printf("no finding: %s\n", why.c_str());
  return kExitPass;
}

}  // namespace

int ReportCase(const Framework& framework, Runtime& runtime, const TestCase& test,
               const JudgeOptions& how, const std::vector<std::string>& judge_command,
               const std::string& plant) {
  const Judgement found = Judge(framework, runtime, test, how);
  if (!found.alarm()) return NoFinding("the three modes agree");
  const auto [shorter, alarm] = Shorten(framework, runtime, test, found, how);
  const std::string file = absl::StrCat(std::filesystem::temp_directory_path().string(),
                                        "/reprise-report-", getpid(), ".reprise");
  std::string why_not;
  const TestCase* shown = &shorter;
  auto confirmed = Confirm(judge_command, shorter, file, alarm, &why_not);
  if (!confirmed && !(shorter == test)) {
    shown = &test;  // what this process remembers may have misled the refinement
    confirmed = Confirm(judge_command, test, file, found, &why_not);
  }
  if (!confirmed) return NoFinding(absl::StrCat("it does not confirm: ", why_not));
  if (confirmed->verdict == Verdict::kUnstable)
    return NoFinding("it is unstable: its runs disagree each in its own way");
  const Signature signature = SignatureOf(framework.capabilities().framework, *shown, *confirmed);
  std::printf("%s%s====\n\n%s", runtime.Banner().append("\n").c_str(),
              RenderFinding(signature, test, *shown, *confirmed, plant).c_str(),
              Script(framework.Emit(*shown)).c_str());
  return kExitAlarm;
}

}  // namespace reprise
