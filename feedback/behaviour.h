// First, coarse behaviour keys of a judged case: what the compiler did on each call in mode S, with
// what history. They come from S alone, so that when R runs does not change them.
#ifndef REPRISE_FEEDBACK_BEHAVIOUR_H_
#define REPRISE_FEEDBACK_BEHAVIOUR_H_

#include <string>
#include <vector>

#include "grammar/test_case.h"

namespace reprise {

// What mode S showed for one step.
struct StepBehaviour {
  std::string event;  // compiled, reused, skipped, fallback; "" for a step that S did not reach
  int graph_breaks = 0;
};

void EmitBehaviour(const TestCase& test, const std::vector<StepBehaviour>& steps);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_BEHAVIOUR_H_
