// ./reprise merge on corpora that the mock's real target made: what it promises about the outcome,
// and about merges that are killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "tests/support/corpora.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// Dies, once, at the case numbered DIE_AT of a process: the process alone, or all that the launcher
// has started, or the launcher as well. The file "died" remembers that it has happened.
constexpr char kDying[] = R"(import os
import runtime

begin = runtime.Runtime.begin_case
begun = 0


def counted(self):
    global begun
    begun += 1
    if begun == 60 and not os.path.exists("died"):
        open("died", "w").close()
        who = os.environ["WHO_DIES"]
        if who == "launcher":
            os.kill(int(os.environ["LAUNCHER"]), 9)
        if who == "process":
            os.kill(os.getpid(), 9)
        os.killpg(0, 9)
    begin(self)


def plant():
    runtime.Runtime.begin_case = counted
)";

// Two corpora of short campaigns, made once.
class Merge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    campaigns = new TemporaryFolder;
    for (const char* seed : {"1", "2"}) {
      const std::string corpus = absl::StrCat(campaigns->path(), "/corpus ", seed);
      fs::create_directories(absl::StrCat(campaigns->path(), "/", seed));
      const Finished run =
          Shell(absl::StrCat("cd ", campaigns->path(), "/", seed, " && $BIN/fuzz_mock -seed=", seed,
                             " -runs=300 . $SRC/corpus/architectures"));
      ASSERT_EQ(run.code, 0) << run.output;
      fs::rename(absl::StrCat(campaigns->path(), "/", seed), corpus);
    }
  }
  static void TearDownTestSuite() { delete campaigns; }

  void SetUp() override {
    for (const char* seed : {"1", "2"}) {
      fs::copy(absl::StrCat(campaigns->path(), "/corpus ", seed), Path(absl::StrCat("c ", seed)));
    }
    WriteFile(Path("dying.py"), kDying);
  }

  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }

  Finished Run(const std::string& words, const std::string& before = "") const {
    return Shell(absl::StrCat("cd ", folder_.path(), "; export REPRISE_SKIP_SETUP=1 ",
                              "REPRISE_TARGET=$BIN/fuzz_mock; ", before,
                              " $SRC/reprise merge mock ", words));
  }

  void MustMerge(const std::string& words) const {
    const Finished run = Run(words);
    EXPECT_EQ(run.code, 0) << run.output;
  }

  std::set<std::string> Features(const std::string& name) const {
    return FeaturesOf("mock", Path(name));
  }

  static TemporaryFolder* campaigns;
  const TemporaryFolder folder_;
};
TemporaryFolder* Merge::campaigns = nullptr;

TEST_F(Merge, KeepsAllFeaturesInFewerFilesWhateverTheOrder) {
  const Finished run = Run("'a b' 'c 1' 'c 2'");
  EXPECT_EQ(run.code, 0) << run.output;
  const auto merged = Contents(Path("a b"));
  const size_t given = Contents(Path("c 1")).size() + Contents(Path("c 2")).size();
  EXPECT_LT(merged.size(), given / 2);
  EXPECT_THAT(run.output,
              HasSubstr(absl::StrCat(given, " files in, ", merged.size(), " kept of ")));
  EXPECT_FALSE(fs::exists(Path("a b.merge")));
  std::set<std::string> all = Features("c 1");
  all.merge(Features("c 2"));
  EXPECT_EQ(Features("a b"), all);
  EXPECT_THAT(run.output, HasSubstr(absl::StrCat("Features: ", all.size(), ", ")));
  MustMerge("ba 'c 2' 'c 1'");
  EXPECT_EQ(Contents(Path("ba")), merged);
}

TEST_F(Merge, IntoEitherCorpusReachesTheSame) {
  fs::copy(Path("c 1"), Path("into 1"));
  fs::copy(Path("c 2"), Path("into 2"));
  MustMerge("'into 1' 'c 2'");
  MustMerge("'into 2' 'c 1'");
  EXPECT_EQ(Features("into 1"), Features("into 2"));
  // What was there before stays.
  for (const auto& [name, text] : Contents(Path("c 1")))
    EXPECT_EQ(ReadFile(Path("into 1/" + name)), text);
}

TEST_F(Merge, OfWhatIsMergedChangesNothing) {
  MustMerge("once 'c 1' 'c 2'");
  const auto once = Contents(Path("once"));
  const Finished again = Run("once 'c 2' 'c 1'");
  EXPECT_THAT(again.output, HasSubstr(", 0 kept of "));
  EXPECT_EQ(Contents(Path("once")), once);
  MustMerge("twice once");
  EXPECT_EQ(Contents(Path("twice")), once);
}

TEST_F(Merge, TakesTheCorpusOfAWorkFolder) {
  fs::create_directories(Path("work/findings"));
  WriteFile(Path("work/findings/report.txt"), "not a case");
  fs::copy(Path("c 1"), Path("work/corpus"));
  MustMerge("one work");
  MustMerge("two 'c 1'");
  EXPECT_EQ(Contents(Path("one")), Contents(Path("two")));
}

TEST_F(Merge, WithTooLittleMemoryLosesNoCase) {
  fs::create_directory(Path("few"));
  for (const auto& [name, text] : Contents(Path("c 1"))) {
    if (Contents(Path("few")).size() < 10) WriteFile(Path("few/" + name), text);
  }
  MustMerge("wide few");
  const Finished narrow = Run("narrow few --recycle-mb=1");
  EXPECT_EQ(narrow.code, 0) << narrow.output;
  EXPECT_THAT(narrow.output, HasSubstr("MERGE-OUTER: attempt 9"));
  EXPECT_EQ(Contents(Path("narrow")), Contents(Path("wide")));
}

TEST_F(Merge, NeitherStopsAtAlarmsNorLosesTheirCases) {
  fs::create_directory(Path("alarms"));
  fs::copy(REPRISE_SOURCE_DIR "/tests/data/mock/flag.reprise", Path("alarms/flag"));
  const Finished run = Run("out alarms --plant=$SRC/tests/plants/mock/flag.py");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, Not(HasSubstr("DEDUP_TOKEN")));
  EXPECT_THAT(run.output, HasSubstr("1 files in, 1 kept of 1"));
}

TEST_F(Merge, NamesTheCaseThatTheFrameworkDiesOn) {
  const Finished run = Run("out 'c 1' --plant=dying.py", "WHO_DIES=process");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("MERGE-OUTER: attempt 2"));
  EXPECT_THAT(run.output,
              HasSubstr("Left out, because the framework died on them (1): " + Path("c 1/")));
}

class KilledMerge : public Merge, public testing::WithParamInterface<const char*> {};

TEST_P(KilledMerge, EndsAsIfItHadNotBeen) {
  MustMerge("expected 'c 1' 'c 2'");
  const std::string words = "out 'c 1' 'c 2' --plant=dying.py";
  const std::string who = absl::StrCat("WHO_DIES=", GetParam());
  Finished run = Run(words, who + " bash -c 'export LAUNCHER=$$; exec \"$@\"' -");
  if (std::string(GetParam()) == "launcher") {
    EXPECT_EQ(run.code, 128 + 9) << run.output;
    EXPECT_TRUE(Contents(Path("out")).empty());
    run = Run(words, who);
    EXPECT_THAT(run.output, HasSubstr("going on with the merge that was interrupted"));
  }
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, Not(HasSubstr("Left out")));
  EXPECT_THAT(run.output, HasSubstr(" cases were done before"));
  EXPECT_EQ(Contents(Path("out")), Contents(Path("expected")));
  EXPECT_FALSE(fs::exists(Path("out.merge")));
}

INSTANTIATE_TEST_SUITE_P(Who, KilledMerge, testing::Values("libfuzzer", "launcher"));

}  // namespace
}  // namespace reprise
