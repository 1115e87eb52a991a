// Arguments of a call: their text, and the rules that make them fit the inputs' declarations.
#ifndef REPRISE_GRAMMAR_ARGUMENTS_H_
#define REPRISE_GRAMMAR_ARGUMENTS_H_

#include <optional>
#include <string>

#include "grammar/test_case.h"

namespace reprise {

// Reads "[2,8]:f64:transposed:grad:x100", "view(0,2,[5])", "@y", "out(2,1)", "([2],@x)",
// "(a:[2],b:[3])" or a literal. Total.
Argument ParseArgument(const Input& input, const std::string& text);

// Canonical text of an argument of a resolved case.
std::string ArgumentText(const Input& input, const Argument& argument);

// What an item of a container input is: a tensor of the declared element type and sizes.
Input ItemOf(const Input& input);

// Makes the arguments of a call fit: one per input, declared sizes kept, one size per symbol,
// references to what exists. `calls` is the number of calls before this one.
void ResolveArguments(const TestCase& test, int64_t calls, Step* call);

// Shape and dtype that the call passes for tensor input `index`, names followed; nullopt where that
// is what an earlier call returned.
std::optional<TensorLiteral> EffectiveTensor(const TestCase& test, const Step& call, size_t index);

// The input whose own argument is passed for input `index`, names followed; -1 for a slot's object.
int OriginOfArgument(const TestCase& test, const Step& call, size_t index);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_ARGUMENTS_H_
