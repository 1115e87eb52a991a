#include "tools/report_case.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/confirm.h"
#include "oracle/refine.h"
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
  JudgeOptions quick = how;
  if (found.verdict != Verdict::kColdOnly) quick.policy = ResetPolicy::kDemand;
  const TestCase shorter =
      Refine(framework.capabilities(), test, found.step, [&](const TestCase& candidate) {
        return SameKind(Judge(framework, runtime, candidate, quick), found);
      });
  const Judgement alarm = Judge(framework, runtime, shorter, quick);
  if (!SameKind(alarm, found)) return NoFinding("the shortened case does not fail once more");
  const std::string file = absl::StrCat(std::filesystem::temp_directory_path().string(),
                                        "/reprise-report-", getpid(), ".reprise");
  std::ofstream(file) << Print(shorter);
  std::vector<std::string> command = judge_command;
  command.push_back(file);
  std::string why_not;
  auto confirmed = Confirm(command, alarm, &why_not);
  if (confirmed) TryAlone(command, &*confirmed);
  std::filesystem::remove(file);
  if (!confirmed) return NoFinding(absl::StrCat("it does not confirm: ", why_not));
  if (confirmed->verdict == Verdict::kUnstable)
    return NoFinding("it is unstable: its runs disagree each in its own way");
  const Signature signature = SignatureOf(framework.capabilities().framework, shorter, *confirmed);
  std::printf("%s%s====\n\n%s", runtime.Banner().append("\n").c_str(),
              RenderFinding(signature, test, shorter, *confirmed, plant).c_str(),
              Script(framework.Emit(shorter)).c_str());
  return kExitAlarm;
}

}  // namespace reprise
