// What benchmarks and soaks share: their command line, and the fixed sequences that they run.
#ifndef REPRISE_BENCH_SEQUENCES_H_
#define REPRISE_BENCH_SEQUENCES_H_

#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "grammar/capabilities.h"
#include "grammar/test_case.h"
#include "tools/flags.h"

namespace reprise {

// What a bench is told of what to run: FOLDER --framework= --backend= --steps= --seed=. Ends the
// process with a message where a flag or the framework is wrong.
struct BenchSetup {
  CommandLine line;
  std::string framework_name, folder;
  const Framework* framework = nullptr;
  Capabilities capabilities;  // with the one backend
  size_t steps = 0;
  uint64_t seed = 0;
};
BenchSetup ReadSetup(const std::string& program, const std::vector<std::string>& arguments,
                     std::vector<std::string> more_flags);

// Ends the process with a message and the exit code for bad usage.
[[noreturn]] void Fail(const std::string& message);

// Cases of a folder, sorted; ends the process with a message if it cannot be read.
std::vector<std::string> CaseFiles(const std::string& folder);

// The k-th random sequence on the model of a case file, with two slots more and, every second time,
// another compile option; equal for equal arguments, on any machine.
TestCase SequenceOn(const Capabilities& capabilities, const std::string& file, size_t steps,
                    uint64_t seed, int64_t k);

}  // namespace reprise

#endif  // REPRISE_BENCH_SEQUENCES_H_
