// Shapes and dtypes of every value of a model in one call, by the operators' own rules.
#ifndef REPRISE_GRAMMAR_INFER_H_
#define REPRISE_GRAMMAR_INFER_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "grammar/test_case.h"

namespace reprise {

struct Inference {
  const char* problem = nullptr;                       // why the call is illegal, or nullptr
  int op = -1;                                         // the operator that is illegal
  absl::flat_hash_map<std::string, ValueInfo> values;  // by name; complete where problem is nullptr

  bool ok() const { return problem == nullptr; }
};

// `step` is the index of a call-like step. `construction` is the inference of the call that the
// model's parameters are sized for (the first one), nullptr when that very call is inferred.
Inference InferCall(const TestCase& test, int step, const Inference* construction);

// Index of the first call of a resolved case.
int FirstCall(const TestCase& test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_INFER_H_
