// Steps that are no calls, as statements: what is done to slots, to the model, to the process.
#ifndef REPRISE_FRAMEWORKS_STATE_STEPS_H_
#define REPRISE_FRAMEWORKS_STATE_STEPS_H_

#include <string>
#include <vector>

#include "frameworks/dialect.h"
#include "frameworks/slot_forms.h"
#include "grammar/test_case.h"

namespace reprise {

class StateSteps {
 public:
  StateSteps(const TestCase& test, const Dialect& dialect, const SlotForms& slots)
      : test_(test), dialect_(dialect), slots_(slots) {}

  // Statements of the step; call once per step, in order.
  std::string Emit(const Step& step);

 private:
  std::string OnSlot(const Step& step) const;
  std::string Rebind(const Slot& slot, const Step& step) const;
  std::string Exchange(const Slot& slot, const Slot& other) const;
  std::string Factory(const Slot& slot, const std::string& literal) const;
  std::string Hook(const Step& step);
  std::string Instance(const Step& step);
  std::string Template(const Step& step) const;

  const TestCase& test_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  size_t hooks_made_ = 0;
  size_t variants_ = 0;
  std::vector<size_t> hooks_;       // in place, oldest first
  std::vector<int64_t> instances_;  // made so far
  int64_t current_ = 1;
};

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_STATE_STEPS_H_
