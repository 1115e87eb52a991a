#include "oracle/verdict.h"

namespace reprise {
namespace {
constexpr const char* kNames[] = {"pass",     "stateful", "stateless", "cold-only",
                                  "unstable", "unsorted", "uncompiled"};
}  // namespace

const char* Name(Verdict verdict) { return kNames[static_cast<int>(verdict)]; }

std::optional<Verdict> ParseVerdict(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Verdict::kUncompiled); ++i) {
    if (name == kNames[i]) return static_cast<Verdict>(i);
  }
  return std::nullopt;
}

std::vector<CallSignals> Signals(const Judgement& judgement) {
  std::vector<CallSignals> signals;
  for (const StepReport& step : judgement.steps) signals.push_back(step.signals);
  return signals;
}

}  // namespace reprise
