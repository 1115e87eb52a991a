// Verdicts of the oracle, and everything a report needs to explain one.
#ifndef REPRISE_ORACLE_VERDICT_H_
#define REPRISE_ORACLE_VERDICT_H_

#include <optional>
#include <string>
#include <vector>

#include "oracle/compare.h"

namespace reprise {

// Of the first step where the modes disagree: E uncompiled, R compiled with compiler state reset
// before the call, S compiled with it retained.
enum class Verdict {
  kPass,        // E = R = S
  kStateful,    // E = R, S differs
  kStateless,   // R = S, E differs
  kColdOnly,    // E = S, R differs
  kUnstable,    // anything else
  kUnsorted,    // S differs from E, and the level has no R to tell more
  kUncompiled,  // E = R = S, and all of them break an invariant: the framework itself is wrong
};

const char* Name(Verdict verdict);
std::optional<Verdict> ParseVerdict(const std::string& name);

// One row of the table of calls x modes.
struct StepReport {
  int step = 0;
  bool judged = false;
  CallSignals signals;  // what the compiler did in mode S
  std::string s;        // how S compares with E; "" where S did not come here
  std::string r;        // how R compares with E; "" where R was not asked for
};

struct Judgement {
  Verdict verdict = Verdict::kPass;
  Level level = Level::kFull;       // that it was judged at
  int step = -1;                    // first step where the modes disagree
  Difference difference;            // how S (cold-only: R) differs from E there
  std::string exception;            // class of the exception, where the difference is one
  std::vector<std::string> frames;  // its deepest frames inside the framework
  // The alarm goes away when the framework's documented unsound shortcuts are off.
  bool documented = false;
  std::vector<std::string> shortcuts;  // those that explain it, each alone
  // Stateful: the weakest reset that makes the call right. R0, R1 (frameworks/runtime.h), or R2: a
  // process in which nothing but this call is compiled.
  std::string cure;
  bool aligned = true;  // the call was given the same, by value, in S as in E
  int legal_steps = 0;  // steps before E raised; all of them in most cases
  std::string illegal;  // what E raised
  std::vector<StepReport> steps;

  bool alarm() const { return verdict != Verdict::kPass; }
};

// What mode S showed, step by step.
std::vector<CallSignals> Signals(const Judgement& judgement);

}  // namespace reprise

#endif  // REPRISE_ORACLE_VERDICT_H_
