// Cases for property tests: fixed ones that use every word, and random walks from them.
#ifndef REPRISE_TESTS_SUPPORT_CASES_H_
#define REPRISE_TESTS_SUPPORT_CASES_H_

#include <string>
#include <vector>

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

// Texts of cases that between them use every row of every table.
const std::vector<std::string>& SampleTexts();

// A legal case `distance` random edits away from a sample.
TestCase RandomCase(const Capabilities& capabilities, uint64_t seed, int distance);

}  // namespace reprise

#endif  // REPRISE_TESTS_SUPPORT_CASES_H_
