#include "fuzz_targets/minimise.h"

#include <time.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/confirm.h"
#include "oracle/refine.h"
#include "report/signature.h"

namespace reprise {
namespace {

int64_t NowSeconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

}  // namespace

Minimiser::Minimiser(const Capabilities& capabilities, const TargetOptions& options, TestCase test,
                     const std::vector<std::string>& confirm_command, Judging judge)
    : capabilities_(capabilities),
      options_(options),
      test_(std::move(test)),
      judge_(std::move(judge)),
      started_(NowSeconds()) {
  std::vector<std::string> command = confirm_command;
  command.push_back(absl::StrCat("--judge=", options.minimising));
  dies_ = !ReplayInFreshProcess(command).judgement.has_value();
}

bool Minimiser::MayAsk() {
  return options_.max_seconds <= 0 || NowSeconds() - started_ < options_.max_seconds;
}

bool Minimiser::IsWanted(const TestCase& test, const Judgement& judgement) const {
  return judgement.alarm() &&
         SignatureOf(capabilities_.framework, test, judgement).hash == signature_;
}

std::optional<TestCase> Minimiser::Offer(size_t max_size, Random& random) {
  if (dies_) return ShrinkRandomly(capabilities_, test_, max_size, random);
  if (offered_) return std::nullopt;  // and it did not hold in fresh processes
  offered_ = true;
  const Judgement judgement = judge_(test_);
  if (!judgement.alarm()) return std::nullopt;
  signature_ = SignatureOf(capabilities_.framework, test_, judgement).hash;
  const int checks = options_.runs > 0
                         ? static_cast<int>(std::min<int64_t>(options_.runs, kMaxRefineChecks))
                         : kMaxRefineChecks;
  TestCase refined = Refine(
      capabilities_, test_, judgement.step,
      [&](const TestCase& candidate) { return MayAsk() && IsWanted(candidate, judge_(candidate)); },
      checks);
  if (Print(refined).size() > max_size) return std::nullopt;
  return refined;
}

}  // namespace reprise
