// The fixed sequences that benchmarks and soaks run.
#ifndef REPRISE_BENCH_SEQUENCES_H_
#define REPRISE_BENCH_SEQUENCES_H_

#include <string>
#include <vector>

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

// Files of a folder, sorted; ends the process with a message if it cannot be read.
std::vector<std::string> CaseFiles(const std::string& folder);

// The k-th random sequence on the model of a case file; equal for equal arguments, on any machine.
TestCase SequenceOn(const Capabilities& capabilities, const std::string& file, size_t steps,
                    uint64_t seed, int64_t k);

}  // namespace reprise

#endif  // REPRISE_BENCH_SEQUENCES_H_
