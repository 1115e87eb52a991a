#include "oracle/confirm.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/judgement_json.h"

extern char** environ;

namespace reprise {
namespace {

int64_t NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// How often a replay is looked at.
constexpr int kTickMs = 50;

// Resident memory of a process in MiB.
int64_t ResidentMb(pid_t process) {
  std::ifstream statm(absl::StrCat("/proc/", process, "/statm"));
  int64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE) >> 20;
}

// A process that was started, and what it has said so far.
class Child {
 public:
  Child(pid_t process, int output) : process_(process), output_(output) {}

  // Follows it to its end. True if it came there by itself; "" or what it exceeded.
  std::string Follow(const ReplayLimits& limits) {
    int64_t began = NowMs();
    for (;;) {
      const bool had_started = started();
      if (!Read()) return "";
      if (!had_started && started()) began = NowMs();
      // Its own children may outlive it and keep the pipe open.
      if (waitpid(process_, &status_, WNOHANG) == process_) {
        ended_ = true;
        while (Read(0)) {
        }
        return "";
      }
      if (NowMs() - began >= limits.seconds * 1000) return "timed out";
      if (limits.memory_mb > 0 && ResidentMb(process_) > limits.memory_mb) return "out of memory";
    }
  }

  // Its exit status, after it has ended or been killed.
  int Collect(bool killed) {
    close(output_);
    if (killed) kill(process_, SIGKILL);
    while (!ended_ && waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    return status_;
  }

  bool started() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  // Waits for more; false at the end of the pipe, or if there is nothing to wait for.
  bool Read(int milliseconds = kTickMs) {
    pollfd waiting{output_, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) return milliseconds > 0;
    char buffer[1 << 14];
    const ssize_t got = read(output_, buffer, sizeof buffer);
    if (got > 0) text_.append(buffer, static_cast<size_t>(got));
    return got > 0 || (got < 0 && errno == EINTR);
  }

  const pid_t process_;
  const int output_;
  bool ended_ = false;
  int status_ = 0;
  std::string text_;
};

std::string HowItEnded(int status) {
  if (!WIFSIGNALED(status)) return absl::StrCat("exit ", WEXITSTATUS(status));
  const char* name = sigabbrev_np(WTERMSIG(status));
  return absl::StrCat("signal ", WTERMSIG(status),
                      name == nullptr ? "" : absl::StrCat(" (SIG", name, ")"));
}

// The last replay if all kConfirmations show the failure of `alarm`.
std::optional<Judgement> ReplayAll(const std::vector<std::string>& command, const Judgement& alarm,
                                   std::string* why_not) {
  std::optional<Judgement> last;
  for (int i = 1; i <= kConfirmations; ++i) {
    const Replay replay = ReplayInFreshProcess(command);
    if (!replay.judgement) {
      *why_not = absl::StrCat("replay ", i, " ended with ", replay.how_it_ended);
      return std::nullopt;
    }
    if (!SameKind(alarm, *replay.judgement) || replay.judgement->step != alarm.step) {
      *why_not = absl::StrCat("replay ", i, " says ", Name(replay.judgement->verdict), " at step ",
                              replay.judgement->step);
      return std::nullopt;
    }
    last = replay.judgement;
  }
  return last;
}

void TryAlone(std::vector<std::string> command, Judgement* confirmed) {
  const bool uncured =
      confirmed->verdict == Verdict::kStateless || confirmed->verdict == Verdict::kUnstable;
  const auto before = confirmed->steps.begin();
  const bool compiled_before = std::any_of(before, before + confirmed->step,
                                           [](const StepReport& step) { return step.judged; });
  if (!uncured || !compiled_before) return;
  command.push_back(absl::StrCat("--alone=", confirmed->step));
  const Replay replay = ReplayInFreshProcess(command);
  if (!replay.judgement || replay.judgement->alarm()) return;
  confirmed->verdict = Verdict::kStateful;
  confirmed->cure = "R2";
}

}  // namespace

Replay ReplayInFreshProcess(const std::vector<std::string>& command, const ReplayLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {std::nullopt, "no pipe"};
  const std::string log = limits.log.empty() ? "/dev/null" : limits.log;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0666);
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t process;
  const int error = posix_spawn(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return {std::nullopt, "cannot be started"};
  }
  Child child(process, ends[0]);
  const std::string exceeded = child.Follow(limits);
  const int status = child.Collect(!exceeded.empty());
  if (!exceeded.empty()) return {std::nullopt, exceeded, child.started()};
  return {FromJson(child.text()), HowItEnded(status), child.started()};
}

bool SameKind(const Judgement& a, const Judgement& b) {
  return a.verdict == b.verdict && a.documented == b.documented && a.exception == b.exception &&
         a.cure == b.cure && a.difference.attribute == b.difference.attribute &&
         a.difference.section == b.difference.section;
}

std::optional<Judgement> Confirm(const std::vector<std::string>& command, const TestCase& test,
                                 const std::string& file, const Judgement& alarm,
                                 std::string* why_not) {
  std::ofstream(file) << Print(test);
  std::vector<std::string> judge_file = command;
  judge_file.back() += file;
  auto confirmed = ReplayAll(judge_file, alarm, why_not);
  if (confirmed) TryAlone(std::move(judge_file), &*confirmed);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return confirmed;
}

std::optional<std::string> ConfirmDeath(const std::vector<std::string>& command,
                                        const ReplayLimits& limits, std::string* why_not) {
  std::string how;
  for (int i = 1; i <= kConfirmations; ++i) {
    const Replay replay = ReplayInFreshProcess(command, limits);
    if (!replay.died() || (i > 1 && replay.how_it_ended != how)) {
      *why_not = absl::StrCat("replay ", i, replay.judgement ? " lives" : " ended with ",
                              replay.judgement ? "" : replay.how_it_ended);
      return std::nullopt;
    }
    how = replay.how_it_ended;
  }
  return how;
}

}  // namespace reprise
