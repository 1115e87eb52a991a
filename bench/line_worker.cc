// Judges the same sequences once for every line on standard input, and answers with the seconds of
// CPU that each took. bench/line_cost.py compares two of these, one with line coverage and one
// without.
//
//   line_worker FOLDER --backend=NAME --lines=yes|no [--cases=12] [--steps=4]
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "bench/sequences.h"
#include "observe/observer.h"

namespace reprise {
namespace {

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + t.tv_usec * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int Main(const std::vector<std::string>& arguments) {
  const BenchSetup setup = ReadSetup("line_worker", arguments, {"lines", "cases"});
  auto observer = Observer::Start(*setup.framework, setup.capabilities,
                                  {"", setup.line.Get("lines", "yes") == "yes"});
  if (!observer.ok()) Fail(std::string(observer.status().message()));
  std::vector<TestCase> tests;
  const auto cases = static_cast<size_t>(ParseInt(setup.line.Get("cases", "12"), 12));
  for (const std::string& file : CaseFiles(setup.folder)) {
    if (tests.size() < cases)
      tests.push_back(SequenceOn(setup.capabilities, file, setup.steps, setup.seed, 0));
  }
  std::printf("%s\n", (*observer)->Banner().c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::string answer;
    for (const TestCase& test : tests) {
      const double before = CpuSeconds();
      (*observer)->Judge(test, {.policy = ResetPolicy::kDemand, .sound = true});
      absl::StrAppend(&answer, CpuSeconds() - before, " ");
    }
    std::printf("%s\n", answer.c_str());
    std::fflush(stdout);
  }
  _exit(0);
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  return reprise::Main(std::vector<std::string>(argv + 1, argv + argc));
}
