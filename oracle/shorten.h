// Shortens a case that alarms in this process: refine.h, with the judge as its question.
#ifndef REPRISE_ORACLE_SHORTEN_H_
#define REPRISE_ORACLE_SHORTEN_H_

#include <functional>

#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/test_case.h"
#include "oracle/judge.h"

namespace reprise {

struct Shortened {
  TestCase test;
  Judgement judgement;
};

// The shortest case found that alarms in the same way (SameKind), and its judgement; the case and
// the alarm as they are if there is none, or if it does not alarm once more. `how` is how the alarm
// was judged; R is run only where it has to be. `may_run` is asked before each candidate is run.
Shortened Shorten(
    const Framework& framework, Runtime& runtime, const TestCase& test, const Judgement& alarm,
    JudgeOptions how,
    const std::function<bool(const TestCase&)>& may_run = [](const TestCase&) { return true; });

}  // namespace reprise

#endif  // REPRISE_ORACLE_SHORTEN_H_
