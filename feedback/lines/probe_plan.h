// Where CPython 3.11 needs probes, so that they tell the same lines as a tracer would.
#ifndef REPRISE_FEEDBACK_LINES_PROBE_PLAN_H_
#define REPRISE_FEEDBACK_LINES_PROBE_PLAN_H_

#include <vector>

#include "feedback/lines/bytecode.h"

namespace reprise {

struct PlannedProbe {
  int instruction = 0;  // it stands before this one
  int line = 0;
};

// A probe stands wherever control can come to a line from another one: where the line changes in
// the order of the code, at targets of jumps from other lines, and at exception handlers. In the
// order of the instructions.
std::vector<PlannedProbe> PlanProbes(const Bytecode& bytecode);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_PROBE_PLAN_H_
