// Shortens a failing case while the same failure persists: what follows the failing step goes
// first, then it is moved to the earliest backend that shows it, then single steps go, then what
// calls, operators, slots and inputs do not need. Every
// candidate is legal; the last pass has shown that no single step can go.
#ifndef REPRISE_ORACLE_REFINE_H_
#define REPRISE_ORACLE_REFINE_H_

#include <functional>

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

// Answers whether a candidate fails in the same way. Expensive: it compiles.
using StillFails = std::function<bool(const TestCase&)>;

inline constexpr int kMaxRefineChecks = 80;

// `failing_step` is the index of the step that disagrees. Asks at most `max_checks` questions.
TestCase Refine(const Capabilities& capabilities, const TestCase& test, int failing_step,
                const StillFails& still_fails, int max_checks = kMaxRefineChecks);

}  // namespace reprise

#endif  // REPRISE_ORACLE_REFINE_H_
