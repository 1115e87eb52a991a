#include "observe/observer.h"

#include "absl/strings/str_cat.h"
#include "observe/warm_up.h"

namespace reprise {

absl::StatusOr<std::unique_ptr<Observer>> Observer::Start(const Framework& framework,
                                                          const Capabilities& capabilities,
                                                          const ObserverOptions& options) {
  std::unique_ptr<Observer> observer(new Observer(framework));
  LineFeedback& lines = observer->lines_;
  std::string no_lines;
  auto runtime = Runtime::StartFor(capabilities.framework, options.plant, [&] {
    if (options.lines) no_lines = lines.Start(framework.compiler_sources());
  });
  if (!runtime.ok()) return runtime.status();
  observer->runtime_ = *std::move(runtime);
  observer->banner_ = observer->runtime_->Banner();
  if (!no_lines.empty()) {
    absl::StrAppend(&observer->banner_,
                    "\nreprise: warning: no line coverage, only behaviour keys: ", no_lines);
  }
  if (!lines.running()) return observer;
  absl::StrAppend(&observer->banner_, ", ", lines.table()->size(), " lines of its compiler");
  for (const TestCase& test : WarmUpCases(capabilities)) observer->Judge(test, {}, true);
  observer->runtime_->Settle();
  return observer;
}

Judgement Observer::JudgeOnce(const TestCase& test, JudgeOptions options) {
  options.retained = [this](bool on) { lines_.Count(on); };
  lines_.BeginInput();
  return reprise::Judge(framework_, *runtime_, test, options);
}

Judgement Observer::Judge(const TestCase& test, const JudgeOptions& options, bool twice) {
  Judgement first = JudgeOnce(test, options);
  const bool again = lines_.ReachedNew() || twice;
  if (!again || !lines_.running()) return first;
  Judgement second = JudgeOnce(test, options);
  lines_.ReachedNew();
  // An alarm that does not come back is for the confirmation to look into, not to be lost here.
  return first.alarm() && !second.alarm() ? first : second;
}

}  // namespace reprise
