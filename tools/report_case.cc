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

std::optional<Judgement> ConfirmFresh(std::vector<std::string> command, const TestCase& test,
                                      const Judgement& alarm, std::string* why_not) {
  const std::string file = absl::StrCat(std::filesystem::temp_directory_path().string(),
                                        "/reprise-report-", getpid(), ".reprise");
  std::ofstream(file) << Print(test);
  command.push_back(file);
  auto confirmed = Confirm(command, alarm, why_not);
  if (confirmed) TryAlone(command, &*confirmed);
  std::filesystem::remove(file);
  return confirmed;
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
  std::string why_not;
  const TestCase* shown = &shorter;
  auto confirmed = ConfirmFresh(judge_command, shorter, alarm, &why_not);
  if (!confirmed) {  // what this process remembers may have misled the refinement
    shown = &test;
    confirmed = ConfirmFresh(judge_command, test, found, &why_not);
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
