// Campaigns of the real launcher and the real target of the mock, whose processes die: of a case,
// or killed from outside. It costs that process only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/support/corpora.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr char kLaunch[] =
    "export REPRISE_SKIP_SETUP=1 REPRISE_TARGET=$BIN/fuzz_mock ASAN_OPTIONS=detect_leaks=0; "
    "ulimit -c 0; exec $SRC/reprise fuzz mock --no-histories ";
constexpr char kDying[] = "reprise 1\ninput x f32 [n]\nop y selu x\nreturn y\ncall x=[2]\n";

std::vector<std::string> Folders(const std::string& folder, const std::string& start) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (absl::StartsWith(entry.path().filename().string(), start)) found.push_back(entry.path());
  }
  return found;
}

void ExpectNoPartialFiles(const std::string& work) {
  for (const auto& entry : fs::recursive_directory_iterator(work)) {
    const std::string name = entry.path().filename();
    EXPECT_THAT(name, Not(HasSubstr(".partial"))) << entry.path();
    EXPECT_THAT(name, Not(testing::EndsWith(".bytes"))) << entry.path();
  }
  const Finished sums =
      Shell(absl::StrCat("cd ", work,
                         "/corpus && for f in $(ls | grep -E '^[0-9a-f]{40}$'); do "
                         "sha1sum $f; done | awk '$1 != $2'"));
  EXPECT_EQ(sums.output, "");
}

struct Killer {
  const char* plant;
  const char* artifact;
  const char* says;
};

class Death : public testing::TestWithParam<Killer> {};

TEST_P(Death, CostsTheProcessOnly) {
  const Killer& killer = GetParam();
  const TemporaryFolder folder;
  const std::string& work = folder.path();
  fs::create_directory(work + "/corpus");
  WriteFile(work + "/corpus/dying", kDying);
  // One run of each file of the corpus. The first process dies, and the second one comes to the
  // end.
  const Finished run =
      Shell(absl::StrCat(kLaunch, "--plant=$SRC/tests/plants/mock/", killer.plant,
                         ".py --work=", work, " -- -runs=1 -timeout=4 -rss_limit_mb=900"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("1 finding(s), 1 crash(es)"));
  EXPECT_THAT(run.output, HasSubstr("Done "));
  EXPECT_THAT(run.output, HasSubstr("confirmed 3 of 3 in fresh processes"));
  const auto findings = Folders(work + "/findings", "crash-");
  ASSERT_EQ(findings.size(), 1u) << run.output;
  EXPECT_EQ(ReadFile(findings[0] + "/original.reprise"),
            "reprise 1\ncompile backend=jit\n" + std::string(kDying).substr(10));
  EXPECT_THAT(ReadFile(findings[0] + "/report.txt"), testing::ContainsRegex(killer.says));
  const auto artifacts = Folders(work + "/artifacts", killer.artifact);
  ASSERT_EQ(artifacts.size(), 1u) << run.output;
  EXPECT_EQ(ReadFile(artifacts[0]), kDying);
  ExpectNoPartialFiles(work);
}

INSTANTIATE_TEST_SUITE_P(
    All, Death,
    testing::Values(Killer{"segfault", "crash-", "dies of this case: signal 11 .SIGSEGV."},
                    Killer{"recursion", "crash-", "dies of this case: signal 11 .SIGSEGV."},
                    Killer{"leave", "crash-", "dies of this case: exit 3"},
                    Killer{"hang", "timeout-", "dies of this case: timed out"},
                    Killer{"memory", "", "dies of this case: out of memory"}),
    [](const auto& info) { return std::string(info.param.plant); });

TEST(DeathAgain, OfWhatIsKnownIsCounted) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() + "/corpus");
  WriteFile(folder.path() + "/corpus/dying", kDying);
  WriteFile(folder.path() + "/corpus/dying_too", absl::StrCat(kDying, "call x=[3]\n"));
  const std::string command = absl::StrCat(
      kLaunch, "--plant=$SRC/tests/plants/mock/leave.py --work=", folder.path(), " -- -runs=1");
  const Finished run = Shell(command);
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("1 finding(s), 2 crash(es)"));
  EXPECT_THAT(run.output,
              testing::ContainsRegex("Known and swallowed: 1 alarm.*: crash-[a-z]+ .1."));
  // They are in quarantine: nobody dies of them again.
  WriteFile(folder.path() + "/corpus/dying", kDying);
  const Finished again = Shell(command);
  EXPECT_EQ(again.code, 0) << again.output;
  EXPECT_THAT(again.output, Not(HasSubstr("going on")));
}

TEST(DeathAgain, ADeathThatDoesNotConfirmIsKept) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() + "/corpus");
  WriteFile(folder.path() + "/corpus/dying", kDying);
  // Only the process of the campaign dies, not those that judge one file.
  WriteFile(folder.path() + "/plant.py",
            "import os\nimport mk\n\nright = mk.selu\n\n\ndef kill(x):\n"
            "    words = open('/proc/self/cmdline').read()\n"
            "    return os.abort() if '--in-flight' in words else right(x)\n\n\n"
            "def plant():\n    mk.selu = kill\n");
  const Finished run = Shell(absl::StrCat(kLaunch, "--plant=", folder.path(),
                                          "/plant.py --work=", folder.path(), " -- -runs=1"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("0 finding(s), 1 crash(es)"));
  EXPECT_THAT(run.output, HasSubstr("Did not confirm: 1 alarm(s), a defect of ours"));
  const auto kept = Folders(folder.path() + "/findings/unconfirmed", "");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_THAT(ReadFile(kept[0]), testing::StartsWith("# a process died with exit code 77, but a"));
}

// A campaign in the background, that is killed again and again.
class Campaign {
 public:
  explicit Campaign(const std::string& work) : work_(work), log_(work + "/log") {}

  void Start(const std::string& flags) {
    Shell("true");  // exports $BIN and $SRC
    launcher_ = fork();
    if (launcher_ != 0) return;
    setpgid(0, 0);
    const std::string command =
        absl::StrCat(kLaunch, "--work=", work_, " ", flags, " >>", log_, " 2>&1 </dev/null");
    execl("/bin/bash", "bash", "-c", command.c_str(), nullptr);
    _exit(127);
  }

  std::string Log() const { return ReadFile(log_); }

  size_t Said(const std::string& word) const {
    return std::vector<std::string>(absl::StrSplit(Log(), word)).size() - 1;
  }

  // Processes of this campaign whose command line has the word.
  std::vector<pid_t> Processes(const std::string& word) const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      if (pid <= 0) continue;
      const std::string line = ReadFile(entry.path() / "cmdline");
      if (absl::StrContains(line, word + work_)) found.push_back(pid);
    }
    return found;
  }

  // Waits for progress; false if the launcher ends before.
  bool Until(const std::function<bool()>& progress) const {
    while (!progress()) {
      if (waitpid(launcher_, nullptr, WNOHANG) != 0) return false;
      poll(nullptr, 0, 2);
    }
    return true;
  }

  bool Kill(const std::string& word) const {
    std::vector<pid_t> found;
    if (!Until([&] { return !(found = Processes(word)).empty(); })) return false;
    for (pid_t pid : found) kill(pid, SIGKILL);
    return true;
  }

  // The launcher, and then what it started, as a machine does that goes down.
  void KillAll() const {
    kill(launcher_, SIGKILL);
    waitpid(launcher_, nullptr, 0);
    for (const char* word : {"--in-flight=", "--bury=", "--judge="}) {
      // A process takes a moment to die, and must not pass for one of the next launcher.
      for (std::vector<pid_t> left; !(left = Processes(word)).empty(); poll(nullptr, 0, 2)) {
        for (pid_t pid : left) kill(pid, SIGKILL);
      }
    }
  }

  int Stop() const {
    kill(launcher_, SIGTERM);
    int status = 0;
    waitpid(launcher_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  const std::string work_, log_;
  pid_t launcher_ = -1;
};

TEST(KillNine, AtAnyMomentLosesAtMostTheCaseInFlight) {
  const TemporaryFolder folder;
  const std::string& work = folder.path();
  Campaign campaign(work);
  // With this flag libFuzzer never replaces a file of the corpus, so that all have to stay.
  const std::string flags = "--seed=1 --plant=$SRC/tests/plants/mock/flag.py -- -reduce_inputs=0";
  fs::create_directory(work + "/corpus");
  WriteFile(work + "/corpus/flag", ReadFile(REPRISE_SOURCE_DIR "/tests/data/mock/flag.reprise"));
  std::map<std::string, std::string> seen;
  const auto note = [&] {
    for (const auto& [name, content] : Contents(work + "/corpus")) {
      // libFuzzer may be about to write this one.
      if (!content.empty()) seen.emplace(name, content);
    }
  };
  campaign.Start(flags);
  size_t started = 0;
  for (int i = 0; i < 12; ++i) {
    // In turn: at once, in the middle of a case, after a new file, and everything together.
    const size_t files = campaign.Said("NEW  ");
    const std::string in_flight = work + "/artifacts/.job1.case";
    const auto progress = [&]() -> bool {
      if (i % 4 == 0) return true;
      if (i % 4 == 1) return !ReadFile(in_flight).empty();
      return campaign.Said("NEW  ") > files;
    };
    ASSERT_TRUE(campaign.Until([&] { return campaign.Said("fuzzing mock compiler") >= started; }))
        << campaign.Log();
    ASSERT_TRUE(campaign.Until(progress)) << campaign.Log();
    note();
    if (i % 4 == 3) {
      campaign.KillAll();
      campaign.Start(flags);
    } else {
      ASSERT_TRUE(campaign.Kill("--in-flight=")) << campaign.Log();
    }
    started = i % 2 == 0 ? 0 : campaign.Said("fuzzing mock compiler") + 1;
  }
  // The finding that the planted fault gives is made in the end, however often that was cut short.
  ASSERT_TRUE(campaign.Until([&] { return campaign.Said("kept in") > 0; })) << campaign.Log();
  ASSERT_TRUE(campaign.Until([&] { return !campaign.Processes("--in-flight=").empty(); }));
  EXPECT_EQ(campaign.Stop(), 0) << campaign.Log();

  ExpectNoPartialFiles(work);
  const auto corpus = Contents(work + "/corpus");
  for (const auto& [name, content] : seen) {
    ASSERT_TRUE(corpus.contains(name)) << name;
    EXPECT_EQ(corpus.at(name), content);
  }
  const std::string log = campaign.Log();
  for (size_t at = 0; (at = log.find("\n  kept in ", at)) != std::string::npos; ++at) {
    const std::string path = log.substr(at + 11, log.find('\n', at + 1) - at - 11);
    for (const char* file : {"case.reprise", "original.reprise", "report.txt", "judgement.json"})
      EXPECT_NE(ReadFile(absl::StrCat(path, "/", file)), "") << path;
  }
  EXPECT_THAT(log, Not(HasSubstr("cannot run")));
}

}  // namespace
}  // namespace reprise
