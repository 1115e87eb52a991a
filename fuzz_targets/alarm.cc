#include "fuzz_targets/alarm.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/confirm.h"
#include "oracle/judgement_json.h"
#include "report/clusterfuzz.h"
#include "report/known_issues.h"
#include "report/render.h"

namespace reprise {

AlarmHandler::AlarmHandler(const Framework& framework, const Capabilities& capabilities,
                           const TargetOptions& options, std::vector<std::string> confirm_command,
                           const InFlight& in_flight, int fd)
    : framework_(framework),
      capabilities_(capabilities),
      options_(options),
      confirm_command_(std::move(confirm_command)),
      in_flight_(in_flight),
      fd_(fd) {
  // -minimize_crash wants a crash.
  if (!options.campaign.empty() && options.minimising.empty())
    store_ = std::make_unique<FindingsStore>(options.campaign);
}

void AlarmHandler::Write(const std::string& text) const {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(fd_, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

void AlarmHandler::Say(const std::string& text) const { Write(WithoutTraceback(text)); }

void AlarmHandler::Explain(const TestCase& test, const Judgement& judgement) const {
  Say(absl::StrCat("\n", Script(framework_.Emit(test)), "\n", RenderTable(test, judgement), "\n",
                   RenderVerdict(test, judgement), "\n"));
}

void AlarmHandler::Handle(Runtime& runtime, const TestCase& test, const Judgement& judgement) {
  if (options_.reproducing) Abort(test, judgement);
  const Signature first = SignatureOf(capabilities_.framework, test, judgement);
  const auto known = known_.find(first.text);
  if (known != known_.end()) return Count(known->second);
  known_[first.text] = Settle(runtime, test, judgement);
}

std::string AlarmHandler::Settle(Runtime& runtime, const TestCase& test,
                                 const Judgement& judgement) {
  if (store_ == nullptr && options_.known_issues.empty()) return ConfirmAndAbort(test, judgement);
  const auto [best, alarm] = ShortenHere(runtime, test, judgement);
  const Signature signature = SignatureOf(capabilities_.framework, best, alarm);
  std::string name = FindingName(alarm, signature);
  if (options_.known_issues.contains(signature.hash)) {
    name = KnownIssueName(signature.hash);
    Say(absl::StrCat("reprise: a known issue, swallowed: ", signature.hash, ", ", signature.text,
                     "\n"));
    Count(name);
    return name;
  }
  if (store_ == nullptr) return ConfirmAndAbort(test, judgement);
  // What it turned out to be in fresh processes, if it was met before.
  const std::string turned_out = store_->Recall(name);
  if (!turned_out.empty()) name = turned_out;
  if (store_->Knows(name) || name == kUnstable) {
    Count(name);
    return name;
  }
  std::string why_not;
  auto confirmed = ConfirmCase(best, alarm, &why_not);
  // What this process remembers of other cases may have misled the refinement.
  const bool misled = !confirmed && !(best == test);
  if (misled) confirmed = ConfirmCase(test, judgement, &why_not);
  if (!confirmed) {
    LogUnconfirmed(best, why_not);
    return kUnconfirmed;
  }
  const std::string found = Keep(test, misled ? test : best, *confirmed);
  if (found != name) store_->Remember(name, found);
  return found;
}

std::string AlarmHandler::ConfirmAndAbort(const TestCase& test, const Judgement& judgement) {
  std::string why_not;
  const auto confirmed = ConfirmCase(test, judgement, &why_not);
  if (!confirmed) {
    LogUnconfirmed(test, why_not);
    return "";
  }
  if (confirmed->verdict != Verdict::kUnstable) Abort(test, *confirmed);
  Say("reprise: an unstable alarm: its runs disagree each in its own way\n");
  return "";
}

void AlarmHandler::Count(const std::string& name) const {
  if (store_ != nullptr && !name.empty()) store_->Count(name);
}

void AlarmHandler::Abort(const TestCase& test, const Judgement& judgement) const {
  const Signature signature = SignatureOf(capabilities_.framework, test, judgement);
  Write(ClusterFuzzReport(capabilities_.framework, test.compile[kBackend], judgement, signature,
                          options_.plant));
  std::abort();
}

Shortened AlarmHandler::ShortenHere(Runtime& runtime, const TestCase& test,
                                    const Judgement& judgement) const {
  // The input under whose name all this happens must not pass for one that hangs.
  const auto until = std::chrono::steady_clock::now() +
                     std::chrono::seconds(std::max<int64_t>(options_.timeout / 2, 1));
  return Shorten(framework_, runtime, test, judgement, options_.judging,
                 [&](const TestCase& candidate) {
                   if (std::chrono::steady_clock::now() > until) return false;
                   const std::string text = Print(candidate);
                   if (store_ != nullptr && store_->IsQuarantined(text)) return false;
                   in_flight_.Note(text);
                   return true;
                 });
}

std::optional<Judgement> AlarmHandler::ConfirmCase(const TestCase& test, const Judgement& judgement,
                                                   std::string* why_not) const {
  std::error_code ignored;
  const std::string folder = std::filesystem::temp_directory_path(ignored);
  const std::string file = store_ != nullptr
                               ? store_->ScratchPath("confirm")
                               : absl::StrCat(folder, "/reprise-confirm-", getpid(), ".reprise");
  std::vector<std::string> command = confirm_command_;
  command.emplace_back("--judge=");
  return Confirm(command, test, file, judgement, why_not);
}

void AlarmHandler::LogUnconfirmed(const TestCase& test, const std::string& why_not) const {
  const std::string text = Print(test);
  const std::string kept = store_ == nullptr ? "" : store_->KeepApart(kUnconfirmed, text, why_not);
  Say(absl::StrCat("reprise: an alarm did not confirm (", why_not, "); ",
                   kept.empty() ? "the case:\n" + text : "the case is kept in " + kept + "\n"));
}

std::string AlarmHandler::Keep(const TestCase& original, const TestCase& test,
                               const Judgement& judgement) {
  if (judgement.verdict == Verdict::kUnstable) {
    const std::string path =
        store_->KeepApart(kUnstable, Print(test), "its runs disagree each in its own way");
    Say(absl::StrCat("reprise: an unstable alarm", path.empty() ? "" : ", kept in " + path, "\n"));
    return kUnstable;
  }
  const Signature signature = SignatureOf(capabilities_.framework, test, judgement);
  const std::string name = FindingName(judgement, signature);
  const std::string report = RenderFinding(signature, original, test, judgement, options_.plant) +
                             absl::StrCat("  kept in ", store_->PathOf(name), "\n====\n");
  const absl::Status status = store_->Add(name, {{"case.reprise", Print(test)},
                                                 {"original.reprise", Print(original)},
                                                 {"program.py", Script(framework_.Emit(test))},
                                                 {"report.txt", report},
                                                 {"judgement.json", ToJson(judgement) + "\n"}});
  if (absl::IsAlreadyExists(status)) {
    Count(name);
    return name;
  }
  Say(report);
  if (!status.ok()) Say(absl::StrCat("reprise: ", std::string(status.message()), "\n"));
  return name;
}

}  // namespace reprise
