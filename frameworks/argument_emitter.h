// The arguments of one call as statements that make them and expressions that pass them.
#ifndef REPRISE_FRAMEWORKS_ARGUMENT_EMITTER_H_
#define REPRISE_FRAMEWORKS_ARGUMENT_EMITTER_H_

#include <string>
#include <vector>

#include "frameworks/dialect.h"
#include "frameworks/program.h"
#include "frameworks/slot_forms.h"
#include "grammar/test_case.h"

namespace reprise {

struct EmittedArguments {
  std::string statements;
  std::vector<std::string> passed;  // one expression per input
  std::vector<Watch> watched;       // what the call may have written
  std::vector<Watch> leaves;        // those that asked for a gradient
};

// `ordinal` counts the calls of the program from 1; `seed` is the call's own.
EmittedArguments EmitArguments(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                               const Step& call, int64_t seed, size_t ordinal);

// "out2", "out2[1]": what a call returned.
std::string ResultText(const TestCase& test, int64_t call, int64_t result);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_ARGUMENT_EMITTER_H_
