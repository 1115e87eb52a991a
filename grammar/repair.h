// Makes a resolved case legal for a framework, changing as little as it can: words that the
// framework lacks are replaced or dropped, operators and calls whose shapes or dtypes do not fit
// are mended, and state operations that would have no defined result are dropped. Idempotent.
//
// The other half of legality is dynamic: a call that raises without the compiler ends the case
// (oracle/).
#ifndef REPRISE_GRAMMAR_REPAIR_H_
#define REPRISE_GRAMMAR_REPAIR_H_

#include <string>
#include <vector>

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

// Returns what had to be given up because the framework lacks it, in words, for messages.
std::vector<std::string> Repair(const Capabilities& capabilities, TestCase* test);

// The same list for a case as it stands, without changing it.
std::vector<std::string> Lacking(const Capabilities& capabilities, const TestCase& test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_REPAIR_H_
