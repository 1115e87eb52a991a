// A process that has just imported its framework behaves unlike one that has compiled before:
// canned cases, run before the first input, keep that out of the features.
#ifndef REPRISE_OBSERVE_WARM_UP_H_
#define REPRISE_OBSERVE_WARM_UP_H_

#include <vector>

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

// Legal cases for each backend that compiles within seconds.
std::vector<TestCase> WarmUpCases(const Capabilities& capabilities);

}  // namespace reprise

#endif  // REPRISE_OBSERVE_WARM_UP_H_
