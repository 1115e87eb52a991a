#include "feedback/line_feedback.h"

#include "feedback/features.h"

namespace reprise {

std::string LineFeedback::Start(const CompilerSources& sources) {
  std::string why_not;
  engine_ = StartLineEngine(sources, &why_not);
  if (engine_ == nullptr) return why_not;
  ever_.assign(engine_->Table().size(), false);
  if (ever_.size() <= DomainSize(Domain::kLines)) return "";
  const std::string lines = std::to_string(ever_.size());
  engine_ = nullptr;
  return lines + " lines are more than there are counters for";
}

void LineFeedback::BeginInput() {
  if (engine_ != nullptr) engine_->BeginInput();
}

void LineFeedback::Count(bool on) {
  if (engine_ != nullptr) engine_->Count(on);
}

bool LineFeedback::ReachedNew() {
  bool reached = false;
  for (const uint32_t slot : Hits()) {
    reached = reached || !ever_[slot];
    ever_[slot] = true;
  }
  return reached;
}

void LineFeedback::Emit() const {
  for (const uint32_t slot : Hits()) EmitFeature(Domain::kLines, slot);
}

const std::vector<uint32_t>& LineFeedback::Hits() const {
  static const auto* none = new std::vector<uint32_t>;
  return engine_ == nullptr ? *none : engine_->Hits();
}

}  // namespace reprise
