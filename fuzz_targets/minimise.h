// -minimize_crash: what the custom mutator offers, made by refinement instead of by chance.
//
// Each round of libFuzzer starts two processes: one that has to crash on the file, and one, the
// "internal step", that asks the mutator for something smaller until that crashes. A round costs
// two imports of a framework, and counts only if the DEDUP_TOKEN stays. So the first offer of an
// internal step is the file refined as far as its signature allows; whatever fails in another way
// is swallowed; and when nothing can go any more the step ends at once. (`reprise refine` goes
// further: it keeps the kind of failure only, and so loses steps that the signature names.)
//
// A file on which the framework itself dies cannot be refined in this process, for it would die
// with the mutator's question half asked. What is offered there is cut at random.
#ifndef REPRISE_FUZZ_TARGETS_MINIMISE_H_
#define REPRISE_FUZZ_TARGETS_MINIMISE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frameworks/framework.h"
#include "fuzz_targets/options.h"
#include "mutators/mutate.h"
#include "oracle/verdict.h"

namespace reprise {

class Minimiser {
 public:
  using Judging = std::function<Judgement(const TestCase&)>;

  // `judge` judges in this process; `confirm_command` is a process that judges a file.
  Minimiser(const Capabilities& capabilities, const TargetOptions& options, TestCase test,
            const std::vector<std::string>& confirm_command, Judging judge);

  // A legal case to try, smaller than `max_size` where that is possible; nullopt: nothing is left.
  std::optional<TestCase> Offer(size_t max_size, Random& random);

  // Does a case fail as the file does?
  bool IsWanted(const TestCase& test, const Judgement& judgement) const;

 private:
  bool MayAsk();

  const Capabilities& capabilities_;
  const TargetOptions& options_;
  const TestCase test_;
  const Judging judge_;
  const int64_t started_;
  bool dies_ = false;      // the framework does, on the file
  bool offered_ = false;   // the refined case
  std::string signature_;  // of the file; empty while it is not known
};

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_MINIMISE_H_
