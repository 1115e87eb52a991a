#include "oracle/confirm.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "oracle/judgement_json.h"

extern char** environ;

namespace reprise {
namespace {

int64_t NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// Reads everything that comes before the deadline; false if the deadline came first.
bool ReadAll(int fd, int64_t deadline, std::string* text) {
  char buffer[1 << 14];
  for (;;) {
    const int64_t left = deadline - NowMs();
    pollfd waiting{fd, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) == 0) return false;
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text->append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

Replay ReplayInFreshProcess(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {std::nullopt, "no pipe"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return {std::nullopt, "cannot be started"};
  }
  std::string text;
  const bool in_time = ReadAll(ends[0], NowMs() + kReplaySeconds * 1000, &text);
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) return {std::nullopt, "timed out"};
  const std::string ended = WIFSIGNALED(status) ? absl::StrCat("signal ", WTERMSIG(status))
                                                : absl::StrCat("exit ", WEXITSTATUS(status));
  return {FromJson(text), ended};
}

bool SameKind(const Judgement& a, const Judgement& b) {
  return a.verdict == b.verdict && a.documented == b.documented && a.exception == b.exception &&
         a.difference.attribute == b.difference.attribute &&
         a.difference.section == b.difference.section;
}

std::optional<Judgement> Confirm(const std::vector<std::string>& command, const Judgement& alarm,
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

}  // namespace reprise
