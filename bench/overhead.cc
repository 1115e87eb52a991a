// What does a verdict cost beyond what the framework itself costs? On fixed sequences, with one
// backend, in one run:
//
//   - the share of time that is spent outside the framework: outside the programs and the resets,
//     and outside the collection of the garbage that compiles leave, which has a figure of its own;
//   - compiles per verdict, against the plain run of three trajectories on the same sequences;
//   - sequences per second of CPU, against bench/naive_harness.py, which runs the same sequences in
//     a process of its own right after;
//   - memory: the peak, and the growth per compile of both.
//
//   overhead FOLDER --framework=pytorch --backend=eager [--executions=2000] [--steps=6] [--seed=1]
//            [--r-policy=trajectories to compare memory compile by compile] [--naive=no]
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "bench/sequences.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "nlohmann/json.hpp"
#include "oracle/judge.h"

namespace reprise {
namespace {

using nlohmann::json;

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double MemoryMib(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == field + ":" && status >> kib) return kib / 1024;
  }
  return 0;
}

// What a stretch of judging took.
struct Cost {
  double wall = 0, cpu = 0, inside = 0, collecting = 0;
  int64_t compiles = 0;
  int verdicts = 0;
};

Cost JudgeAll(const Framework& framework, Runtime& runtime, const std::vector<TestCase>& tests,
              ResetPolicy policy) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = CpuSeconds();
  const Runtime::Meter before = runtime.Read();
  for (const TestCase& test : tests)
    Judge(framework, runtime, test, {.policy = policy, .sound = true});
  const Runtime::Meter after = runtime.Read();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          CpuSeconds() - cpu,
          after.seconds - before.seconds,
          after.collecting - before.collecting,
          after.compiles - before.compiles,
          static_cast<int>(tests.size())};
}

json ToJson(const Binding& binding) {
  return {{"compiled", binding.compiled}, {"uncompiled", binding.uncompiled}};
}

json ToJson(const Program& program) {
  json steps = json::array();
  for (const ProgramStep& step : program.steps) {
    json watched = json::array();
    for (const auto* list : {&step.results, &step.arguments, &step.gradients}) {
      for (const Watch& watch : *list) watched.push_back(watch.expression);
    }
    steps.push_back({{"source", step.prepare + step.source},
                     {"binding", step.binding ? ToJson(*step.binding) : json()},
                     {"judged", step.judged},
                     {"calls", step.judged && step.gradients.empty()},
                     {"watched", watched}});
  }
  return {{"setup", program.setup}, {"binding", ToJson(program.binding)}, {"steps", steps}};
}

// The same sequences through the baseline, in a process of its own.
json RunNaive(const Framework& framework, const std::string& python,
              const std::vector<TestCase>& tests) {
  json programs = json::array();
  for (const TestCase& test : tests) programs.push_back(ToJson(framework.Emit(test)));
  const std::string file =
      std::filesystem::temp_directory_path() / absl::StrCat("reprise-overhead-", getpid(), ".json");
  std::ofstream(file) << programs;
  const std::string command = absl::StrCat(
      "'", python, "' " REPRISE_SOURCE_DIR "/bench/naive_harness.py '", file, "' 2>/dev/null");
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) Fail("the baseline cannot be started");
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output = buffer;
  pclose(pipe);
  unlink(file.c_str());
  const json result = json::parse(output, nullptr, false);
  if (!result.is_object()) Fail("the baseline ended without a result");
  return result;
}

int Main(const std::vector<std::string>& arguments) {
  const BenchSetup setup = ReadSetup("overhead", arguments, {"executions", "naive", "r-policy"});
  const CommandLine& line = setup.line;
  const Framework& framework = *setup.framework;
  const auto policy = ParseResetPolicy(line.Get("r-policy", "sampled"));
  if (!policy) Fail("--r-policy is demand, sampled, always or trajectories");
  const auto executions = ParseInt(line.Get("executions", "2000"), 2000);
  if (executions < 10) Fail("--executions is at least 10");
  const auto options = LocateRuntime(setup.framework_name);
  if (!options.ok()) Fail(std::string(options.status().message()));
  auto runtime = Runtime::Start(*options);
  if (!runtime.ok()) Fail(std::string(runtime.status().message()));

  const std::vector<std::string> files = CaseFiles(setup.folder);
  std::vector<TestCase> tests;
  for (int64_t i = 0; i < executions; ++i) {
    const auto count = static_cast<int64_t>(files.size());
    tests.push_back(SequenceOn(setup.capabilities, files[static_cast<size_t>(i % count)],
                               setup.steps, setup.seed, i / count));
  }
  const auto tenth = tests.begin() + executions / 10;
  const std::vector<TestCase> sample(tests.begin(), tenth), rest(tenth, tests.end());

  JudgeAll(framework, **runtime, {tests[0]}, ResetPolicy::kDemand);  // warm-up
  const double at_start = MemoryMib("VmRSS");
  const Cost first = JudgeAll(framework, **runtime, sample, *policy);
  const double early = MemoryMib("VmRSS");
  const Cost later = JudgeAll(framework, **runtime, rest, *policy);
  const double end = MemoryMib("VmRSS"), peak = MemoryMib("VmHWM");
  const Cost plain = JudgeAll(framework, **runtime, sample, ResetPolicy::kTrajectories);

  const double cpu = first.cpu + later.cpu, wall = first.wall + later.wall;
  const double collecting = (first.collecting + later.collecting) / wall;
  const double outside = 1 - (first.inside + later.inside) / wall - collecting;
  const double compiles = static_cast<double>(first.compiles + later.compiles);
  const double per_verdict = compiles / static_cast<double>(executions);
  const double plain_per_verdict = static_cast<double>(plain.compiles) / plain.verdicts;
  const double sampled = static_cast<double>(first.compiles) / first.verdicts;
  std::printf("%s %s, %d sequences of %d steps\n", setup.framework_name.c_str(),
              setup.capabilities.backends[0].c_str(), static_cast<int>(executions),
              static_cast<int>(setup.steps));
  std::printf("outside the framework: %.1f %% of the time; on its garbage: %.1f %%\n",
              100 * outside, 100 * collecting);
  std::printf(
      "compiles per verdict: %.2f (on the first tenth %.2f, plain trajectories %.2f, "
      "ratio %.2f)\n",
      per_verdict, sampled, plain_per_verdict, sampled / plain_per_verdict);
  std::printf("memory: %.0f MiB at the start, %.0f at the end, peak %.0f; %.3f MiB per compile\n",
              at_start, end, peak,
              (end - early) / std::max(1.0, static_cast<double>(later.compiles)));
  std::fflush(stdout);
  if (line.Get("naive", "yes") == "no") return kExitPass;

  const json naive = RunNaive(framework, options->python, tests);
  const double ours = static_cast<double>(executions) / cpu;
  const double theirs = naive["sequences"].get<double>() / naive["cpu"].get<double>();
  std::printf("sequences per second of CPU: %.2f, naive harness %.2f, ratio %.2f\n", ours, theirs,
              ours / theirs);
  std::printf("naive harness: %d compiles, %.3f MiB per compile, %d alarms\n",
              naive["compiles"].get<int>(),
              (naive["end_mib"].get<double>() - naive["early_mib"].get<double>()) /
                  std::max(1.0, naive["late_compiles"].get<double>()),
              naive["alarms"].get<int>());
  return kExitPass;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  int code = reprise::kExitInternal;
  try {
    code = reprise::Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "overhead: %s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(code);
}
