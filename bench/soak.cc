// How often does the oracle cry wolf? Random legal sequences over every case of a folder, judged on
// one backend, with fixed seeds. Every alarm is printed and its case kept, for a person to triage.
//
//   soak FOLDER --framework=pytorch --backend=eager [--sequences=100] [--from=0] [--steps=6]
//        [--seed=1]
//        [--keep=FOLDER for the cases of alarms] [--shortcuts=shipped|sound] [--oracle=LEVEL]
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "bench/sequences.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/printer.h"
#include "oracle/judge.h"
#include "report/render.h"
#include "tools/flags.h"

namespace reprise {
namespace {

struct Totals {
  int cases = 0, illegal = 0, calls = 0, reused = 0, alarms = 0;
  std::map<std::string, int> reasons;  // why sequences ended early
};

void Count(const Judgement& judgement, Totals* totals) {
  ++totals->cases;
  totals->illegal += judgement.illegal.empty() ? 0 : 1;
  if (!judgement.illegal.empty()) ++totals->reasons[judgement.illegal.substr(0, 100)];
  totals->alarms += judgement.alarm() ? 1 : 0;
  for (const StepReport& step : judgement.steps) {
    totals->calls += step.signals.event.empty() ? 0 : 1;
    totals->reused += step.signals.event == "reused" ? 1 : 0;
  }
}

int Main(const std::vector<std::string>& arguments) {
  const BenchSetup setup =
      ReadSetup("soak", arguments, {"sequences", "keep", "plant", "shortcuts", "from", "oracle"});
  const CommandLine& line = setup.line;
  auto runtime = Runtime::StartFor(setup.framework_name, line.Get("plant", ""));
  if (!runtime.ok()) Fail(std::string(runtime.status().message()));
  const auto sequences = ParseInt(line.Get("sequences", "100"), 100);
  const auto from = ParseInt(line.Get("from", "0"), 0);
  const std::string keep = line.Get("keep", "");
  if (!keep.empty()) std::filesystem::create_directories(keep);
  const bool sound = line.Get("shortcuts", "shipped") == "sound";
  const auto level = ParseLevel(line.Get("oracle", "full"));
  if (!level) Fail(absl::StrCat("--oracle takes ", LevelNames()));
  Totals totals;
  for (const std::string& file : CaseFiles(setup.folder)) {
    for (int64_t i = from; i < sequences; ++i) {
      const TestCase test = SequenceOn(setup.capabilities, file, setup.steps, setup.seed, i);
      const Judgement judgement =
          Judge(*setup.framework, **runtime, test,
                {.policy = ResetPolicy::kSampled, .level = *level, .sound = sound});
      Count(judgement, &totals);
      if (!judgement.alarm()) continue;
      std::printf("---- %s, sequence %d\n%s\n%s\n%s", file.c_str(), static_cast<int>(i),
                  Print(test).c_str(), RenderTable(test, judgement).c_str(),
                  RenderVerdict(test, judgement).c_str());
      if (keep.empty()) continue;
      std::ofstream(
          absl::StrCat(keep, "/", std::filesystem::path(file).stem().string(), "-", i, ".reprise"))
          << Print(test);
    }
  }
  std::printf(
      "%s %s: %d sequences, %d alarms; %d ended early by an uncompiled exception; "
      "%d calls and backwards, %d reused\n",
      setup.framework_name.c_str(), setup.capabilities.backends[0].c_str(), totals.cases,
      totals.alarms, totals.illegal, totals.calls, totals.reused);
  for (const auto& [reason, count] : totals.reasons)
    std::printf("%5d ended early: %s\n", count, reason.c_str());
  return totals.alarms > 0 ? kExitAlarm : kExitPass;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  const int code = reprise::Main(std::vector<std::string>(argv + 1, argv + argc));
  std::fflush(nullptr);
  _exit(code);
}
