// The parts of the table of invariants, one file each.
#ifndef REPRISE_ORACLE_INVARIANT_ROWS_H_
#define REPRISE_ORACLE_INVARIANT_ROWS_H_

#include <vector>

#include "oracle/invariants.h"

namespace reprise {

std::vector<InvariantRow> ValueInvariants();     // of what one operator returned
std::vector<InvariantRow> SequenceInvariants();  // of two calls of a sequence
std::vector<InvariantRow> StateInvariants();     // of what a step leaves alone

// How the path of a returned value is called.
std::string ResultPath(const TestCase& test, size_t number);
// Was a step of one of these words done before `step`?
bool WasDone(const TestCase& test, int step, std::initializer_list<const char*> words);
// Does an operator of the model have one of these flags?
bool HasFlag(const TestCase& test, unsigned flags);
// Does the model write something that is not its own: a slot, an argument, a view?
bool Writes(const TestCase& test);
// Is the whole model in evaluation mode at `step`?
bool IsEvaluating(const TestCase& test, int step);

}  // namespace reprise

#endif  // REPRISE_ORACLE_INVARIANT_ROWS_H_
