// Structural edits that keep references meaning what they meant. The result is resolved again by
// whoever edits.
#ifndef REPRISE_GRAMMAR_EDIT_H_
#define REPRISE_GRAMMAR_EDIT_H_

#include <cstddef>
#include <string>

#include "grammar/test_case.h"

namespace reprise {

// Removes a step; numbers of calls in later steps follow. What repeats a removed call takes over
// its arguments, a backward of it goes as well.
void EraseStep(size_t index, TestCase* test);

// Inserts a step before position `index`; numbers of calls in later steps follow.
void InsertStep(size_t index, Step step, TestCase* test);

// Removes an operator; its first operand takes its place.
void BypassOp(size_t index, TestCase* test);

// Removes an input with its arguments.
void EraseInput(size_t index, TestCase* test);

// Inserts an input with no arguments: the calls get default ones.
void InsertInput(size_t index, Input input, TestCase* test);

// Lets every reader of one value read another one.
void ReplaceUses(const std::string& name, const std::string& by, TestCase* test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_EDIT_H_
