// How a program spells a slot, and the values that slots and inputs hold.
#ifndef REPRISE_FRAMEWORKS_SLOT_FORMS_H_
#define REPRISE_FRAMEWORKS_SLOT_FORMS_H_

#include <map>
#include <string>
#include <vector>

#include "frameworks/dialect.h"
#include "frameworks/home_forms.h"
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
  // A unary function over an expression.
  std::string Unary(const std::string& name, const std::string& operand) const;

  std::string Define(const Slot& slot, const std::string& literal) const;
  std::string InsideModel(const Slot& slot) const;  // read by the forward function
  std::string Call(const Slot& slot, const std::string& operand) const;  // by it, on an operand
  std::string Exists(const Slot& slot) const;                            // tested by it
  std::string Outside(const Slot& slot) const;                           // read by a step
  std::string ForReport(const Slot& slot) const;                         // read by the oracle
  // Statements of a step.
  std::string Assign(const Slot& slot, const std::string& value) const;
  std::string Set(const Slot& slot, const std::string& literal) const;
  std::string Delete(const Slot& slot) const;
  std::string Recode(const Slot& slot, const std::string& unary) const;
  // Value with which a slot of this home is filled: parameters are wrapped.
  std::string Held(const Slot& slot, const std::string& value) const;
  // Expression for the model's class.
  std::string Model() const;
  // What the function returns whose variables are the closure slots, by name: the model, a setter
  // (and, where a step needs it, a getter) per variable, the second programs.
  std::vector<std::string> FactoryNames() const;

 private:
  std::map<std::string, std::string> Names(const Slot& slot) const;

  const TestCase& test_;
  const Dialect& dialect_;
  bool has_closure_ = false;
};

// Name of the program that the k-th `variant` step goes on with, k counted from 1.
std::string VariantName(const TestCase& test, size_t number);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_SLOT_FORMS_H_
