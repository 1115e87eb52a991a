// Probes: constants of rewritten code objects of CPython 3.11 that note the execution of a line and
// then switch themselves off, until they are armed again.
//
//   NOP | JUMP_FORWARD       the only unit that is ever changed, under the GIL, by one 16-bit
//   store: neither takes part [EXTENDED_ARG] LOAD_CONST probe      in super-instructions, and
//   neither has caches or specialised forms UNARY_POSITIVE           calls the probe's nb_positive:
//   cheaper than a call POP_TOP
//
// Everybody who asks for co_code (Dynamo, dis, pickle, code.replace) is shown NOPs. Copies that
// others make of a rewritten code object are therefore simply not observed.
#ifndef REPRISE_FEEDBACK_LINES_PROBE_H_
#define REPRISE_FEEDBACK_LINES_PROBE_H_

#include <cstdint>
#include <vector>

#include "feedback/lines/source_table.h"

namespace reprise {

struct Probe {
  PyObject ob_base;
  uint32_t slot;
  uint16_t disarmed;  // the unit that jumps over it
  uint16_t* head;     // into co_code_adaptive of a code object that is never freed
};

// Called at each firing, with the probe switched off already.
using ProbeSink = void (*)(Probe*);
void SetProbeSink(ProbeSink sink);

void Arm(Probe* probe);

// The code object of a module with a probe at every line of its functions, those of nested ones
// too. A code object that is not understood stays as it is. Null with a Python error only if memory
// runs out.
Ref Instrument(PyCodeObject* code, const SourceFile& file);

// Taken apart and put together again without probes, for the test that nothing is lost.
Ref Reassemble(PyCodeObject* code);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_PROBE_H_
