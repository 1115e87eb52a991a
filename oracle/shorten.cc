#include "oracle/shorten.h"

#include "oracle/confirm.h"
#include "oracle/refine.h"

namespace reprise {

Shortened Shorten(const Framework& framework, Runtime& runtime, const TestCase& test,
                  const Judgement& alarm, JudgeOptions how,
                  const std::function<bool(const TestCase&)>& may_run) {
  // A failure of R alone is seen only where R is run.
  how.policy = alarm.verdict == Verdict::kColdOnly ? ResetPolicy::kAlways : ResetPolicy::kDemand;
  TestCase shorter =
      Refine(framework.capabilities(), test, alarm.step, [&](const TestCase& candidate) {
        return may_run(candidate) && SameKind(Judge(framework, runtime, candidate, how), alarm);
      });
  Judgement again = Judge(framework, runtime, shorter, how);
  if (!SameKind(again, alarm)) return {test, alarm};
  return {std::move(shorter), std::move(again)};
}

}  // namespace reprise
