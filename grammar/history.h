// What the steps before a call have made of the program: what slots hold, which operators the
// current program has, which element types parameters and factories have. Only what shapes and
// dtypes depend on is followed.
#ifndef REPRISE_GRAMMAR_HISTORY_H_
#define REPRISE_GRAMMAR_HISTORY_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/test_case.h"

namespace reprise {

struct History {
  // Literal that each slot holds; empty where that depends on the model's own writes.
  std::unordered_map<std::string, std::string> literals;
  std::vector<Op> ops;             // of the program in force: `variant` changes them
  Dtype parameters = Dtype::kF32;  // `cast` changes it
  Dtype factories = Dtype::kF32;   // `flag default_dtype` changes it
};

// `step` is an index of the sequence; what stands before it has been done.
History HistoryBefore(const TestCase& test, size_t step);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_HISTORY_H_
