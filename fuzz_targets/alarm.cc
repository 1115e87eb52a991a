#include "fuzz_targets/alarm.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/confirm.h"
#include "oracle/judgement_json.h"
#include "oracle/refine.h"
#include "report/clusterfuzz.h"
#include "report/render.h"

namespace reprise {

AlarmHandler::AlarmHandler(const Framework& framework, const Capabilities& capabilities,
                           const TargetOptions& options, std::vector<std::string> confirm_command,
                           int fd)
    : framework_(framework),
      capabilities_(capabilities),
      options_(options),
      quick_{.policy = ResetPolicy::kDemand,
             .level = options.judging.level,
             .sound = options.judging.sound},
      confirm_command_(std::move(confirm_command)),
      fd_(fd) {
  // -minimize_crash wants a crash.
  if (!options.campaign.empty() && options.minimising.empty())
    store_ = std::make_unique<FindingsStore>(options.campaign);
}

void AlarmHandler::Say(const std::string& text) const {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd_, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

void AlarmHandler::Explain(const TestCase& test, const Judgement& judgement) const {
  Say(absl::StrCat("\n", Script(framework_.Emit(test)), "\n", RenderTable(test, judgement), "\n",
                   RenderVerdict(test, judgement), "\n"));
}

void AlarmHandler::Handle(Runtime& runtime, const TestCase& test, const Judgement& judgement) {
  if (options_.reproducing) Abort(test, judgement);
  const Signature first = SignatureOf(capabilities_.framework, test, judgement);
  if (!known_.insert(first.text).second) return;
  if (store_ == nullptr) {
    if (const auto confirmed = ConfirmCase(test, judgement)) Abort(test, *confirmed);
    return;
  }
  TestCase shorter = Shorten(runtime, test, judgement);
  const Judgement refined = Judge(framework_, runtime, shorter, quick_);
  const bool kept = SameKind(refined, judgement);
  const TestCase& best = kept ? shorter : test;
  const Judgement& alarm = kept ? refined : judgement;
  if (store_->Knows(alarm, SignatureOf(capabilities_.framework, best, alarm))) return;
  if (const auto confirmed = ConfirmCase(best, alarm)) Keep(test, best, *confirmed);
}

void AlarmHandler::Abort(const TestCase& test, const Judgement& judgement) const {
  const Signature signature = SignatureOf(capabilities_.framework, test, judgement);
  Say(ClusterFuzzReport(capabilities_.framework, test.compile[kBackend], judgement, signature,
                        options_.plant));
  std::abort();
}

TestCase AlarmHandler::Shorten(Runtime& runtime, const TestCase& test,
                               const Judgement& judgement) const {
  return Refine(capabilities_, test, judgement.step, [&](const TestCase& candidate) {
    return SameKind(Judge(framework_, runtime, candidate, quick_), judgement);
  });
}

std::optional<Judgement> AlarmHandler::ConfirmCase(const TestCase& test,
                                                   const Judgement& judgement) const {
  std::error_code ignored;
  const std::string file = std::filesystem::temp_directory_path(ignored) /
                           absl::StrCat("reprise-confirm-", getpid(), ".reprise");
  std::ofstream(file) << Print(test);
  std::vector<std::string> command = confirm_command_;
  command.push_back(absl::StrCat("--judge=", file));
  std::string why_not;
  auto confirmed = Confirm(command, judgement, &why_not);
  if (!confirmed) {
    Say(absl::StrCat("reprise: an alarm did not confirm (", why_not, "); the case:\n",
                     Print(test)));
  }
  std::filesystem::remove(file, ignored);
  return confirmed;
}

void AlarmHandler::Keep(const TestCase& original, const TestCase& test,
                        const Judgement& judgement) {
  const Signature signature = SignatureOf(capabilities_.framework, test, judgement);
  const std::string path = store_->PathOf(judgement, signature);
  const std::string report = absl::StrCat(
      "==== FINDING ", Name(judgement.verdict), judgement.documented ? " (documented)" : "", " ",
      signature.hash, " ====\n", signature.text, "\n\n", Print(test), "\n",
      RenderTable(test, judgement), "\n", RenderVerdict(test, judgement), "  confirmed ",
      kConfirmations, " of ", kConfirmations,
      " in fresh processes; steps before and after refinement: ", original.steps.size(), ", ",
      test.steps.size(), options_.plant.empty() ? "" : "\n  PLANTED FAULT from ", options_.plant,
      "\n  kept in ", path, "\n====\n");
  const absl::Status status = store_->Add(judgement, signature,
                                          {{"case.reprise", Print(test)},
                                           {"original.reprise", Print(original)},
                                           {"program.py", Script(framework_.Emit(test))},
                                           {"report.txt", report},
                                           {"judgement.json", ToJson(judgement) + "\n"}});
  if (absl::IsAlreadyExists(status)) return;
  Say(report);
  if (!status.ok()) Say(absl::StrCat("reprise: ", std::string(status.message()), "\n"));
}

}  // namespace reprise
