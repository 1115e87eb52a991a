// reprise_cli show FILE     the case as the Python program it stands for
// reprise_cli run FILE      judge it and explain; never aborts. --keys: also its behaviour keys
// reprise_cli report FILE   a failing case as a finding: see tools/report_case.h
// reprise_cli judge FILE    judge it, one line of JSON (fresh processes that confirm alarms use
// it);
//                           --alone=STEP: only this step, with nothing compiled before it
// reprise_cli refine FILE   a failing case, shortened while the same failure persists
// reprise_cli print FILE    the case in canonical text
// reprise_cli sources       which files count as the compiler, as JSON
// reprise_cli coverage FOLDER|FILE...   see tools/coverage.h
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "feedback/keys.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/judge.h"
#include "oracle/judgement_json.h"
#include "oracle/shorten.h"
#include "report/render.h"
#include "tools/coverage.h"
#include "tools/flags.h"
#include "tools/report_case.h"

namespace reprise {
namespace {

// Leaves at once: an embedded framework does not survive the interpreter's end.
[[noreturn]] void Leave(int code) {
  std::fflush(nullptr);
  _exit(code);
}

[[noreturn]] void Fail(int code, const std::string& message) {
  std::fprintf(stderr, "reprise: %s\n", message.c_str());
  Leave(code);
}

std::unique_ptr<Runtime> StartRuntime(const CommandLine& line, const Framework& framework) {
  auto runtime = Runtime::StartFor(framework.capabilities().framework, line.Get("plant", ""));
  if (!runtime.ok()) Fail(CodeOf(runtime.status()), std::string(runtime.status().message()));
  return *std::move(runtime);
}

JudgeOptions HowToJudge(const CommandLine& line) {
  const auto policy = ParseResetPolicy(line.Get("r-policy", "always"));
  if (!policy) Fail(kExitUsage, "--r-policy takes demand, sampled, always or trajectories");
  const std::string shortcuts = line.Get("shortcuts", "shipped");
  if (shortcuts != "shipped" && shortcuts != "sound")
    Fail(kExitUsage, "--shortcuts takes shipped or sound");
  const auto level = ParseLevel(line.Get("oracle", "full"));
  if (!level) Fail(kExitUsage, absl::StrCat("--oracle takes ", LevelNames()));
  return {.policy = *policy,
          .level = *level,
          .sound = shortcuts == "sound",
          .alone = static_cast<int>(ParseInt(line.Get("alone", ""), -1))};
}

int PrintShortened(const CommandLine& line, const Framework& framework, const TestCase& test) {
  const JudgeOptions how = HowToJudge(line);
  const auto runtime = StartRuntime(line, framework);
  const Judgement before = Judge(framework, *runtime, test, how);
  if (!before.alarm()) Fail(kExitUsage, "the case does not fail: there is nothing to shorten");
  std::printf("%s", Print(Shorten(framework, *runtime, test, before, how).test).c_str());
  return kExitPass;
}

int Report(const CommandLine& line, const Framework& framework, const TestCase& test) {
  std::vector<std::string> command{SelfPath(), "judge"};
  for (const char* flag : {"framework", "plant", "shortcuts", "oracle", "r-policy"}) {
    if (line.Has(flag)) command.push_back(absl::StrCat("--", flag, "=", line.Get(flag, "")));
  }
  command.emplace_back();  // becomes the file
  const auto runtime = StartRuntime(line, framework);
  return ReportCase(framework, *runtime, test, HowToJudge(line), command, line.Get("plant", ""));
}

// The behaviour keys of each call, one a line.
void PrintKeys(const TestCase& test, const Judgement& judgement) {
  const auto keys = KeysByStep(test, Signals(judgement));
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].empty()) continue;
    std::printf("\nkeys of step %zu, %s\n", i + 1, PrintStep(test, test.steps[i]).c_str());
    for (const Key& key : keys[i]) std::printf("  %s\n", NameOf(key).c_str());
  }
}

int Run(const CommandLine& line, const Framework& framework, const TestCase& test,
        const std::vector<std::string>& changed, bool json) {
  const JudgeOptions how = HowToJudge(line);
  const auto runtime = StartRuntime(line, framework);
  const Judgement judgement = Judge(framework, *runtime, test, how);
  if (json) {
    std::printf("%s\n", ToJson(judgement).c_str());
  } else {
    std::printf("%s\n\n%s\n%s\n%s", runtime->Banner().c_str(), Print(test).c_str(),
                RenderTable(test, judgement).c_str(), RenderVerdict(test, judgement).c_str());
    for (const std::string& change : changed)
      std::printf("  changed to fit this framework: %s\n", change.c_str());
    if (line.Has("keys")) PrintKeys(test, judgement);
  }
  return judgement.alarm() ? kExitAlarm : kExitPass;
}

int Main(const std::vector<std::string>& arguments) {
  const auto line = ParseCommandLine(
      arguments, {"framework", "plant", "json", "r-policy", "backend", "repair", "shortcuts",
                  "lcov", "sets", "order", "oracle", "keys", "missing", "alone"});
  if (!line.ok()) Fail(kExitUsage, std::string(line.status().message()));
  const std::string name = line->Get("framework", "pytorch");
  const Framework* framework = FindFramework(name);
  if (framework == nullptr) Fail(kExitUsage, absl::StrCat("unknown framework ", name));
  const std::string first = line->words.empty() ? "" : line->words[0];
  if (first == "coverage") return PrintCoverage(*line, *framework);
  if (first == "sources") return PrintSources(*framework);
  if (line->words.size() != 2)
    Fail(kExitUsage, "usage: reprise_cli show|run|refine|report|print FILE [--framework=NAME]");
  const std::string &command = line->words[0], &file = line->words[1];
  const auto text = ReadCaseFile(file);
  if (!text.ok()) Fail(kExitUsage, std::string(text.status().message()));
  TestCase test = Parse(*text);
  if (line->Has("backend")) test.compile[kBackend] = line->Get("backend", "");
  if (command == "print") {
    std::printf("%s", Print(test).c_str());
    return kExitPass;
  }
  const std::vector<std::string> lacking = Repair(framework->capabilities(), &test);
  if (!lacking.empty() && !line->Has("repair")) {
    Fail(kExitUnsupported, absl::StrCat("skipped, ", name, " lacks: ", lacking[0],
                                        " (--repair runs the nearest case that it can)"));
  }
  if (command == "show") {
    std::printf("%s", Script(framework->Emit(test)).c_str());
    return kExitPass;
  }
  if (command == "run") return Run(*line, *framework, test, lacking, line->Has("json"));
  if (command == "refine") return PrintShortened(*line, *framework, test);
  if (command == "report") return Report(*line, *framework, test);
  if (command == "judge") return Run(*line, *framework, test, lacking, true);
  Fail(kExitUsage,
       absl::StrCat("unknown command ", command, ": show, run, refine, report, judge or print"));
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  try {
    reprise::Leave(reprise::Main(std::vector<std::string>(argv + 1, argv + argc)));
  } catch (const std::exception& error) {
    reprise::Fail(reprise::kExitInternal, error.what());
  }
}
