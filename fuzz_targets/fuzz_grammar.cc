// Fuzzes the language itself: whatever the bytes, parsing is total, printing canonical, repair
// idempotent, its result legal, and written by every framework.
#include <cstdio>
#include <cstdlib>

#include "frameworks/framework.h"
#include "grammar/infer.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"

namespace {

void Check(bool holds, const char* property, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "property broken: %s\n%s\n", property, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace reprise;
  const TestCase test = Parse(data, size);
  const std::string text = Print(test);
  const TestCase again = Parse(text);
  Check(again == test, "Parse(Print(c)) == c", text);
  const Framework& framework = *FindFramework(size % 2 == 0 ? "pytorch" : "mock");
  const Capabilities& can = framework.capabilities();
  TestCase repaired = test;
  Repair(can, &repaired);
  const std::string legal = Print(repaired);
  Check(Parse(legal) == repaired, "a repaired case is resolved", text + "\n" + legal);
  Check(Lacking(can, repaired).empty(), "a repaired case lacks nothing", legal);
  TestCase twice = repaired;
  Repair(can, &twice);
  Check(twice == repaired, "repair is idempotent", text + "\n" + legal + "\n" + Print(twice));
  const Inference construction = InferCall(repaired, FirstCall(repaired), nullptr);
  Check(construction.ok(), "the first call is legal", legal);
  for (size_t i = 0; i < repaired.steps.size(); ++i) {
    if (!IsCall(repaired.steps[i])) continue;
    Check(InferCall(repaired, static_cast<int>(i), &construction).ok(), "every call is legal",
          legal);
  }
  Check(framework.Emit(repaired).steps.size() == repaired.steps.size(), "every step is written",
        legal);
  return 0;
}
