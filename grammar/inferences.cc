#include "grammar/inferences.h"

#include "grammar/history.h"

namespace reprise {

const Inference& Inferences::Construction() { return Of(FirstCall(test_)); }

const Inference& Inferences::Of(int step) {
  known_.resize(test_.steps.size());
  std::shared_ptr<const Inference>& known = known_[static_cast<size_t>(step)];
  if (known != nullptr) return *known;
  known = Like(step);
  if (known == nullptr) {
    const int first = FirstCall(test_);
    const Inference* construction = step == first ? nullptr : &Construction();
    known = std::make_shared<const Inference>(InferCall(test_, step, construction));
  }
  return *known;
}

std::shared_ptr<const Inference> Inferences::Like(int step) const {
  const Step& root = test_.steps[static_cast<size_t>(RootOfCall(test_, step))];
  for (int i = step - 1; i >= 0; --i) {
    const auto index = static_cast<size_t>(i);
    if (ChangesHistory(test_.steps[index])) return nullptr;
    if (known_[index] == nullptr) continue;
    const Step& other = test_.steps[static_cast<size_t>(RootOfCall(test_, i))];
    if (other.arguments == root.arguments) return known_[index];
  }
  return nullptr;
}

void Inferences::Forget() { known_.clear(); }

}  // namespace reprise
