// What the steps before a call have made of the program: what slots hold, which operators the
// current program has, which element types parameters and factories have. Only what shapes and
// dtypes depend on is followed.
#ifndef REPRISE_GRAMMAR_HISTORY_H_
#define REPRISE_GRAMMAR_HISTORY_H_

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/test_case.h"

namespace reprise {

struct History {
  // Literal that each slot holds; empty where that depends on the model's own writes.
  std::unordered_map<std::string, std::string> literals;
  const std::vector<Op>* written = nullptr;  // the operators of the case
  std::optional<std::vector<Op>> varied;     // those that `variant` has made of them
  Dtype parameters = Dtype::kF32;            // `cast` changes it
  Dtype factories = Dtype::kF32;             // `flag default_dtype` changes it

  // Operators of the program in force; the case must be alive.
  const std::vector<Op>& ops() const { return varied ? *varied : *written; }
};

// Can the step make another history? False for calls, and for all that leaves the above alone.
bool ChangesHistory(const Step& step);

// `step` is an index of the sequence; what stands before it has been done.
History HistoryBefore(const TestCase& test, size_t step);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_HISTORY_H_
