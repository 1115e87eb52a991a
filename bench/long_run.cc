// What happens to a process that judges for hours: memory, time per case, and whether the features
// of its first cases are still the same.
//
//   long_run FOLDER --backend=NAME [--executions=10000] [--again=50] [--steps=4] [--seed=1]
//   [--lines=no]
//
// The first --again cases are run once more at the end, and their sets of lines compared.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/sequences.h"
#include "observe/observer.h"

namespace reprise {
namespace {

constexpr int64_t kReports = 20;

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double ResidentMb() {
  std::ifstream statm("/proc/self/statm");
  double size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Slope of a straight line through the points, by least squares.
double Slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class LongRun {
 public:
  LongRun(const BenchSetup& setup, Observer* observer)
      : setup_(setup), observer_(*observer), files_(CaseFiles(setup.folder)) {}

  std::vector<uint32_t> Execute(int64_t i, bool twice) {
    const auto files = static_cast<int64_t>(files_.size());
    const std::string& file = files_[static_cast<size_t>(i % files)];
    const TestCase test =
        SequenceOn(setup_.capabilities, file, setup_.steps, setup_.seed, i / files);
    observer_.Judge(test, {.policy = ResetPolicy::kDemand, .sound = true}, twice);
    std::vector<uint32_t> lines = observer_.lines().Hits();
    std::sort(lines.begin(), lines.end());
    return lines;
  }

 private:
  const BenchSetup& setup_;
  Observer& observer_;
  const std::vector<std::string> files_;
};

size_t Difference(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> either;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
  return either.size();
}

int Main(const std::vector<std::string>& arguments) {
  const BenchSetup setup = ReadSetup("long_run", arguments, {"executions", "again", "lines"});
  const auto executions = ParseInt(setup.line.Get("executions", "10000"), 10000);
  const auto again = std::min(executions, ParseInt(setup.line.Get("again", "50"), 50));
  auto observer = Observer::Start(*setup.framework, setup.capabilities,
                                  {"", setup.line.Get("lines", "yes") == "yes"});
  if (!observer.ok()) Fail(std::string(observer.status().message()));
  absl::PrintF("%s\nexecutions  resident MiB  CPU ms per execution  compiles\n",
               (*observer)->Banner());
  LongRun run(setup, observer->get());
  std::vector<std::vector<uint32_t>> first;
  std::vector<double> at, memory, cost;
  const int64_t every = std::max<int64_t>(1, executions / kReports);
  double before = CpuSeconds();
  for (int64_t i = 0; i < executions; ++i) {
    std::vector<uint32_t> lines = run.Execute(i, i < again);
    if (i < again) first.push_back(std::move(lines));
    if ((i + 1) % every != 0) continue;
    const double now = CpuSeconds();
    at.push_back(static_cast<double>(i + 1));
    memory.push_back(ResidentMb());
    cost.push_back((now - before) * 1000 / static_cast<double>(every));
    absl::PrintF("%10d  %12.0f  %20.1f  %8d\n", i + 1, memory.back(), cost.back(),
                 (*observer)->runtime().Read().compiles);
    std::fflush(stdout);
    before = now;
  }
  size_t differ = 0, worst = 0;
  for (int64_t i = 0; i < again; ++i) {
    const size_t difference = Difference(first[static_cast<size_t>(i)], run.Execute(i, true));
    differ += difference > 0 ? 1 : 0;
    worst = std::max(worst, difference);
  }
  absl::PrintF(
      "memory %+.2f MiB and time %+.3f ms per 100 executions; of the first %d cases %d differ at "
      "the end, by %d "
      "lines at most\n",
      100 * Slope(at, memory), 100 * Slope(at, cost), again, differ, worst);
  std::fflush(stdout);
  _exit(worst > 5 ? 1 : 0);
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  return reprise::Main(std::vector<std::string>(argv + 1, argv + argc));
}
