// How often does the oracle cry wolf? Random legal sequences over every case of a folder, judged on
// one backend, with fixed seeds. Each alarm is shortened, sorted by its signature, and looked up in
// a triage file; what nobody has looked at yet, or what is known to be wrong, is the bench's
// result.
//
//   soak FOLDER --framework=pytorch --backend=eager [--sequences=100] [--from=0] [--steps=6]
//        [--seed=1] [--as-written=yes  the cases of the folder as they are, instead of sequences]
//        [--keep=FOLDER for the cases of alarms, shortened and not]
//        [--triage=FILE  bench/triage/FRAMEWORK.txt unless given]
//        [--shortcuts=shipped|sound] [--oracle=LEVEL]
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "bench/alarm_table.h"
#include "bench/sequences.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/judge.h"
#include "oracle/shorten.h"
#include "report/render.h"
#include "report/signature.h"
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

class Soak {
 public:
  Soak(const BenchSetup& setup, Runtime& runtime, AlarmTable table)
      : setup_(setup),
        runtime_(runtime),
        keep_(setup.line.Get("keep", "")),
        table_(std::move(table)) {
    options_.policy = ResetPolicy::kSampled;
    options_.sound = setup.line.Get("shortcuts", "shipped") == "sound";
    const auto level = ParseLevel(setup.line.Get("oracle", "full"));
    if (!level) Fail(absl::StrCat("--oracle takes ", LevelNames()));
    options_.level = *level;
    if (!keep_.empty()) std::filesystem::create_directories(keep_);
  }

  void Run(const TestCase& test, const std::string& name) {
    const Judgement judgement = Judge(*setup_.framework, runtime_, test, options_);
    Count(judgement, &totals_);
    if (judgement.alarm()) Sort(test, judgement, name);
  }

  int Finish() const {
    std::printf("\n%s", table_.Text().c_str());
    std::printf(
        "\n%s %s: %d sequences, %d alarms; %d ended early by an uncompiled exception; "
        "%d calls and backwards, %d reused\n",
        setup_.framework_name.c_str(), setup_.capabilities.backends[0].c_str(), totals_.cases,
        totals_.alarms, totals_.illegal, totals_.calls, totals_.reused);
    for (const auto& [reason, count] : totals_.reasons)
      std::printf("%5d ended early: %s\n", count, reason.c_str());
    return table_.Unexplained() > 0 ? kExitAlarm : kExitPass;
  }

 private:
  bool AlarmsAt(Level level, const TestCase& test) {
    JudgeOptions lower = options_;
    lower.level = level;
    return Judge(*setup_.framework, runtime_, test, lower).alarm();
  }

  void Sort(const TestCase& test, const Judgement& judgement, const std::string& name) {
    const auto [best, refined] = Shorten(*setup_.framework, runtime_, test, judgement, options_);
    const Signature signature = SignatureOf(setup_.framework_name, best, refined);
    std::array<bool, kLevels> at_level{};
    for (int level = 0; level <= static_cast<int>(options_.level); ++level) {
      at_level[static_cast<size_t>(level)] =
          level == static_cast<int>(options_.level) || AlarmsAt(static_cast<Level>(level), test);
    }
    table_.Add(signature, at_level, name);
    std::printf("---- %s  %s\n%s\n%s%s", name.c_str(), signature.hash.c_str(), Print(best).c_str(),
                RenderTable(best, refined).c_str(), RenderVerdict(best, refined).c_str());
    std::fflush(stdout);
    if (keep_.empty()) return;
    std::ofstream(absl::StrCat(keep_, "/", name, ".reprise")) << Print(best);
    std::ofstream(absl::StrCat(keep_, "/", name, ".original")) << Print(test);
  }

  const BenchSetup& setup_;
  Runtime& runtime_;
  const std::string keep_;
  JudgeOptions options_;
  AlarmTable table_;
  Totals totals_;
};

// A case of the folder as a person wrote it, on the bench's backend.
TestCase AsWritten(const BenchSetup& setup, const std::string& file) {
  const auto text = ReadCaseFile(file);
  if (!text.ok()) Fail(std::string(text.status().message()));
  TestCase test = Parse(*text);
  Repair(setup.capabilities, &test);
  return test;
}

int Main(const std::vector<std::string>& arguments) {
  const BenchSetup setup = ReadSetup(
      "soak", arguments,
      {"sequences", "keep", "plant", "shortcuts", "from", "oracle", "triage", "as-written"});
  const CommandLine& line = setup.line;
  auto triage =
      ReadTriage(line.Get("triage", absl::StrCat("bench/triage/", setup.framework_name, ".txt")));
  if (!triage.ok()) Fail(std::string(triage.status().message()));
  auto runtime = Runtime::StartFor(setup.framework_name, line.Get("plant", ""));
  if (!runtime.ok()) Fail(std::string(runtime.status().message()));
  const bool as_written = line.Get("as-written", "no") != "no";
  const auto sequences = as_written ? 1 : ParseInt(line.Get("sequences", "100"), 100);
  const auto from = ParseInt(line.Get("from", "0"), 0);
  Soak soak(setup, **runtime, AlarmTable(*std::move(triage)));
  for (const std::string& file : CaseFiles(setup.folder)) {
    const std::string stem = std::filesystem::path(file).stem().string();
    for (int64_t i = from; i < sequences; ++i) {
      if (as_written) {
        soak.Run(AsWritten(setup, file), stem);
      } else {
        soak.Run(SequenceOn(setup.capabilities, file, setup.steps, setup.seed, i),
                 absl::StrCat(stem, "-", i));
      }
    }
  }
  return soak.Finish();
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  const int code = reprise::Main(std::vector<std::string>(argv + 1, argv + argc));
  std::fflush(nullptr);
  _exit(code);
}
