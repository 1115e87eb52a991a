// References of statements to slots and submodules, shared by the parts of Resolve, and the part
// that resolves the sequence.
#ifndef REPRISE_GRAMMAR_RESOLVE_STEPS_H_
#define REPRISE_GRAMMAR_RESOLVE_STEPS_H_

#include <functional>
#include <string>
#include <vector>

#include "grammar/test_case.h"

namespace reprise {

// The slot that `text` names if `accept` takes it, else one that it takes; empty if there is none.
std::string ReferSlot(const TestCase& test, const std::string& text,
                      const std::function<bool(const Slot&)>& accept);

// Names of the operators so far that own a submodule; the one that `text` names, or one of them.
std::string ReferModule(const std::vector<Op>& ops, size_t count, const std::string& text);

// Resolves the steps of a case whose model is resolved; what cannot stand there is dropped.
void ResolveSteps(TestCase* test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_RESOLVE_STEPS_H_
