// The inferences of all calls of one case, each made when it is first asked for. A call that passes
// what an earlier one passed, with nothing in between that shapes and dtypes depend on, has that
// one's inference: most calls of a sequence repeat another one.
#ifndef REPRISE_GRAMMAR_INFERENCES_H_
#define REPRISE_GRAMMAR_INFERENCES_H_

#include <memory>
#include <vector>

#include "grammar/infer.h"

namespace reprise {

class Inferences {
 public:
  // `test` must be resolved, and must outlive this.
  explicit Inferences(const TestCase& test) : test_(test) {}

  // Of the first call, for which the model is built.
  const Inference& Construction();
  // Of the call-like step at an index.
  const Inference& Of(int step);

  // The case has changed.
  void Forget();

 private:
  // A call like this one, inferred already; nullptr if there is none.
  std::shared_ptr<const Inference> Like(int step) const;

  const TestCase& test_;
  std::vector<std::shared_ptr<const Inference>> known_;  // by step
};

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_INFERENCES_H_
