// How a program spells a slot: where it is defined, how the model reads it, how a step reads and
// writes it. One place for all homes.
#ifndef REPRISE_FRAMEWORKS_SLOT_FORMS_H_
#define REPRISE_FRAMEWORKS_SLOT_FORMS_H_

#include <string>

#include "frameworks/dialect.h"
#include "grammar/test_case.h"

namespace reprise {

class SlotForms {
 public:
  SlotForms(const TestCase& test, const Dialect& dialect);

  bool has_closure() const { return has_closure_; }
  // Do steps need to read what a closure variable holds?
  bool NeedsGetter(const Slot& slot) const;

  // Python expression for a literal of a type.
  std::string Literal(Type type, const std::string& literal) const;
  // "rand(7, 2, 3)"
  std::string Rand(const TensorLiteral& tensor, double scale = 1) const;

  std::string InsideModel(const Slot& slot) const;  // read by the forward function
  std::string Outside(const Slot& slot) const;      // read by a step
  std::string ForReport(const Slot& slot) const;    // read by the oracle
  std::string Assign(const Slot& slot, const std::string& value) const;  // statement of a step
  std::string Delete(const Slot& slot) const;
  // Value with which a slot of this home is filled: parameters are wrapped.
  std::string Held(const Slot& slot, const std::string& value) const;

 private:
  const TestCase& test_;
  const Dialect& dialect_;
  bool has_closure_ = false;
};

// "Twice" for the unary function "twice".
std::string ClassName(const std::string& unary);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_SLOT_FORMS_H_
