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
  // `ops` are those of the program in force; `construction` is the inference of the call that sizes
  // the model.
  ForwardEmitter(const TestCase& test, const std::vector<Op>& ops, const Dialect& dialect,
                 const SlotForms& slots, const Inference& construction)
      : test_(test), ops_(ops), dialect_(dialect), slots_(slots), construction_(construction) {}

  // Statements without indentation, the return last.
  std::string Body() const;

  // What an operator's templates may name.
  std::map<std::string, std::string> Values(const Op& op) const;

 private:
  std::string Read(const std::string& name) const;
  std::string Predicate(const std::string& text) const;
  std::string Statements(const Op& op) const;
  std::string Declarations() const;
  // Operators [first, last] stand in one context.
  std::string Group(size_t first, size_t last) const;
  void AddContainer(const Op& op, std::map<std::string, std::string>* values) const;
  void AddAttribute(const Op& op, size_t index, std::map<std::string, std::string>* values) const;

  const TestCase& test_;
  const std::vector<Op>& ops_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  const Inference& construction_;
  mutable std::string bound_;  // slot that is the parameter of the function being written
};

// Text with every line that is not empty moved right by four blanks per level.
std::string Indent(const std::string& text, int levels);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_FORWARD_EMITTER_H_
