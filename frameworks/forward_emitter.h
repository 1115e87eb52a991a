// The body of a model's forward function, one statement per operator.
#ifndef REPRISE_FRAMEWORKS_FORWARD_EMITTER_H_
#define REPRISE_FRAMEWORKS_FORWARD_EMITTER_H_

#include <map>
#include <string>

#include "frameworks/dialect.h"
#include "frameworks/slot_forms.h"
#include "grammar/infer.h"
#include "grammar/test_case.h"

namespace reprise {

class ForwardEmitter {
 public:
  // `construction` is the inference of the call that sizes the model.
  ForwardEmitter(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                 const Inference& construction)
      : test_(test), dialect_(dialect), slots_(slots), construction_(construction) {}

  // Statements without indentation, the return last.
  std::string Body() const;

  // What an operator's templates may name.
  std::map<std::string, std::string> Values(const Op& op) const;

 private:
  std::string Read(const std::string& name) const;
  std::string Predicate(const std::string& text) const;
  std::string Unary(const std::string& name, const std::string& operand) const;
  std::string Statement(const Op& op) const;

  const TestCase& test_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  const Inference& construction_;
};

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_FORWARD_EMITTER_H_
