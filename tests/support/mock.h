// The mock framework in this process, with faults that a test plants by name.
#ifndef REPRISE_TESTS_SUPPORT_MOCK_H_
#define REPRISE_TESTS_SUPPORT_MOCK_H_

#include <string>

#include "frameworks/runtime.h"
#include "oracle/judge.h"

namespace reprise {

// Started at the first use. Aborts with the reason if it cannot be.
Runtime& MockRuntime();

// Plants one fault of the toy compiler (see frameworks/mock/mk) while it lives.
class PlantedFault {
 public:
  explicit PlantedFault(const std::string& name);
  ~PlantedFault();
};

// While it lives, a function of the toy framework returns 2 too much, compiled or not.
class SpoiltFunction {
 public:
  explicit SpoiltFunction(const std::string& name);
  ~SpoiltFunction();

 private:
  const std::string name_;
};

// Judges the case that the text stands for, after repair for the mock.
Judgement JudgeOnMock(const std::string& text, ResetPolicy policy = ResetPolicy::kAlways);

}  // namespace reprise

#endif  // REPRISE_TESTS_SUPPORT_MOCK_H_
