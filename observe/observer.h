// Judges cases and notes which lines of the compiler each one executed, the same in every process:
// the framework with its line engine, warmed up, and the rule "confirm on new"
// (feedback/line_feedback.h).
#ifndef REPRISE_OBSERVE_OBSERVER_H_
#define REPRISE_OBSERVE_OBSERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "feedback/line_feedback.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "oracle/judge.h"

namespace reprise {

struct ObserverOptions {
  std::string plant;
  bool lines = true;  // note lines, and warm up for that
};

class Observer {
 public:
  // Starts Python and imports the framework. `capabilities` name the backends to warm up. Errors:
  // as of Runtime::StartFor.
  static absl::StatusOr<std::unique_ptr<Observer>> Start(const Framework& framework,
                                                         const Capabilities& capabilities,
                                                         const ObserverOptions& options);

  // What is under test, with the number of lines or the reason why there are none.
  const std::string& Banner() const { return banner_; }

  // `test` must be legal. The lines are those that S executed; a case that reaches one that this
  // process has not seen is judged again, and every case if `twice`, as processes of unlike
  // histories need.
  Judgement Judge(const TestCase& test, const JudgeOptions& options, bool twice = false);

  const LineFeedback& lines() const { return lines_; }
  Runtime& runtime() { return *runtime_; }

 private:
  explicit Observer(const Framework& framework) : framework_(framework) {}
  Judgement JudgeOnce(const TestCase& test, JudgeOptions options);

  const Framework& framework_;
  LineFeedback lines_;
  std::unique_ptr<Runtime> runtime_;
  std::string banner_;
};

}  // namespace reprise

#endif  // REPRISE_OBSERVE_OBSERVER_H_
