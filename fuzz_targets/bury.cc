#include "fuzz_targets/bury.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "fuzz_targets/in_flight.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/confirm.h"
#include "oracle/refine.h"
#include "report/known_issues.h"
#include "report/render.h"
#include "report/signature.h"
#include "tools/flags.h"

namespace reprise {
namespace {

// Each question about a shorter case starts a process, and a case that hangs takes all its time.
constexpr int kMaxQuestions = 40;
constexpr std::chrono::seconds kMaxShortening{120};

constexpr size_t kLogBytes = 16 << 10;
constexpr int64_t kKilled = 128 + SIGKILL;

class Burial {
 public:
  explicit Burial(const Mourners& m)
      : m_(m),
        limits_{.seconds = m.options.timeout, .memory_mb = m.options.rss_limit_mb},
        scratch_(m.store.ScratchPath("bury")) {}

  ~Burial() {
    std::error_code ignored;
    std::filesystem::remove(scratch_, ignored);
  }

  int Run() {
    const auto bytes = ReadInFlight(m_.options.bury);
    if (!bytes || bytes->empty()) return kExitPass;
    TestCase test = Parse(*bytes);
    Repair(m_.capabilities, &test);
    const std::string text = Print(test);
    const Replay replay = ReplayInFreshProcess(CommandFor(text), limits_);
    if (!replay.died()) return Lives(text, replay);
    const std::string& how = replay.how_it_ended;
    const std::string key = DeathSignature(m_.capabilities.framework, test, how).hash;
    const std::string known = m_.store.Recall(key);
    if (!known.empty()) {
      Count(known);
      return Close(text);
    }
    std::string why_not;
    const auto confirmed = ConfirmDeath(CommandFor(text), limits_, &why_not);
    if (!confirmed) return Unconfirmed(text, why_not);
    Close(text);  // first of all, for this process may be killed too
    const TestCase shorter = Shorten(test, *confirmed);
    m_.store.Remember(key, Keep(test, shorter, *confirmed));
    return kExitAlarm;
  }

 private:
  // A fresh process that judges this text.
  std::vector<std::string> CommandFor(const std::string& text) const {
    std::ofstream(scratch_, std::ios::binary) << text;
    std::vector<std::string> command = m_.confirm_command;
    command.push_back(absl::StrCat("--judge=", scratch_));
    return command;
  }

  int Lives(const std::string& text, const Replay& replay) const {
    if (!replay.started) {
      m_.say(absl::StrCat("reprise: the last case cannot be judged: a fresh process ended with ",
                          replay.how_it_ended, "\n"));
      return kExitPass;
    }
    if (m_.options.died == 0 || m_.options.died == kKilled) return kExitPass;
    return Unconfirmed(text, "a fresh process lives");
  }

  int Unconfirmed(const std::string& text, const std::string& why_not) const {
    const std::string reason =
        absl::StrCat("a process died with exit code ", m_.options.died, ", but ", why_not);
    const std::string kept = m_.store.KeepApart(kUnconfirmed, text, reason);
    m_.say(absl::StrCat("reprise: ", reason, kept.empty() ? "" : "; the case is kept in ", kept,
                        "\n"));
    return kExitPass;
  }

  int Close(const std::string& text) const {
    const absl::Status status = m_.store.Quarantine(text);
    if (!status.ok()) m_.say(absl::StrCat("reprise: ", std::string(status.message()), "\n"));
    return kExitAlarm;
  }

  bool Dies(const std::string& text, const std::string& how) const {
    const Replay replay = ReplayInFreshProcess(CommandFor(text), limits_);
    return replay.died() && replay.how_it_ended == how;
  }

  // A shorter case that kills for sure, in the same way.
  TestCase Shorten(const TestCase& test, const std::string& how) const {
    const auto until = std::chrono::steady_clock::now() + kMaxShortening;
    TestCase shorter = Refine(
        m_.capabilities, test, static_cast<int>(test.steps.size()) - 1,
        [&](const TestCase& candidate) {
          return std::chrono::steady_clock::now() < until && Dies(Print(candidate), how);
        },
        kMaxQuestions);
    if (shorter == test) return test;
    std::string ignored;
    const auto confirmed = ConfirmDeath(CommandFor(Print(shorter)), limits_, &ignored);
    return confirmed == how ? shorter : test;
  }

  // The name of the finding that it is, new or known.
  std::string Keep(const TestCase& original, const TestCase& test, const std::string& how) const {
    const Signature signature = DeathSignature(m_.capabilities.framework, test, how);
    std::string name = absl::StrCat("crash-", signature.hash);
    if (m_.options.known_issues.contains(signature.hash)) name = KnownIssueName(signature.hash);
    if (name == KnownIssueName(signature.hash) || m_.store.Knows(name)) {
      Count(name);
      return name;
    }
    const std::string report =
        absl::StrCat("==== FINDING crash ", signature.hash, " ====\n", signature.text, "\n\n",
                     Print(test), "\nThe process dies of this case: ", how, "\n",
                     RenderOrigin(original, test, m_.options.plant), "  kept in ",
                     m_.store.PathOf(name), "\n====\n");
    const absl::Status status = m_.store.Add(name, {{"case.reprise", Print(test)},
                                                    {"original.reprise", Print(original)},
                                                    {"program.py", Script(m_.framework.Emit(test))},
                                                    {"log.txt", LastWords(Print(test), how)},
                                                    {"report.txt", report}});
    if (absl::IsAlreadyExists(status)) {
      Count(name);
      return name;
    }
    m_.say(report);
    if (!status.ok()) m_.say(absl::StrCat("reprise: ", std::string(status.message()), "\n"));
    return name;
  }

  void Count(const std::string& name) const {
    m_.store.Count(name);
    m_.say(absl::StrCat("reprise: the process died of what is known: ", name, "\n"));
  }

  // What a process says that dies of the case, with the sanitizer's stack if there is one.
  std::string LastWords(const std::string& text, const std::string& how) const {
    if (!absl::StartsWith(how, "signal")) return how + "\n";
    CommandFor(text);
    std::vector<std::string> command = m_.confirm_command;
    command.push_back(scratch_);
    ReplayLimits limits = limits_;
    limits.log = m_.store.ScratchPath("log");
    ReplayInFreshProcess(command, limits);
    std::stringstream words;
    words << std::ifstream(limits.log).rdbuf();
    std::error_code ignored;
    std::filesystem::remove(limits.log, ignored);
    const std::string all = words.str();
    return all.substr(all.size() - std::min(all.size(), kLogBytes));
  }

  const Mourners& m_;
  const ReplayLimits limits_;
  const std::string scratch_;
};

}  // namespace

int Bury(const Mourners& mourners) { return Burial(mourners).Run(); }

}  // namespace reprise
