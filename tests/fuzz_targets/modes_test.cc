// Every way in which libFuzzer runs a target, on the real one. Built once per framework.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/support/corpora.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kFramework[] = REPRISE_TEST_FRAMEWORK;
const bool kIsMock = std::string(kFramework) == "mock";

// Legal on every framework, and quick.
const std::vector<std::string>& SmallCases() {
  static const auto* cases = new std::vector<std::string>{
      "input x f32 [n]\nop y relu x\nreturn y\ncall x=[2]\ncall x=[3]\ncall x=[5]\n",
      "input x f32 [n]\nop y neg x\nreturn y\ncall x=[2]\nagain 1\n",
      "slot s attr float 1.5\ninput x f32 [n]\nop y mul x s\nreturn y\ncall x=[2]\nset s 2.5\n"
      "again 1\n",
      "slot f attr bool true\ninput x f32 [n]\nop y branch x on=f then=inc else=dec\nreturn y\n"
      "call x=[2]\n",
      "input x f32 [n]\ninput z f32 [n]\nop y add x z\nreturn y\ncall x=[2] z=[2]\n",
      "input x f32 [n,4]\nop y linear x out=2\nreturn y\ncall x=[2]\ncall x=[3]\n"};
  return *cases;
}

// A case that fails, with the flags under which it does. Not in its shortest form.
struct Failing {
  std::string text, flags;
};
Failing TheFailing() {
  if (!kIsMock) {
    return {absl::StrReplaceAll(ReadFile(REPRISE_SOURCE_DIR "/corpus/histories/197859.reprise"),
                                {{"set sub", "call x=[5]\nset sub"}}),
            ""};
  }
  return {ReadFile(REPRISE_SOURCE_DIR "/tests/data/mock/flag.reprise") +
              "call x=[5]\nagain 1\ncall x=[6]\nagain 2\n",
          "--plant=" REPRISE_SOURCE_DIR "/tests/plants/mock/flag.py"};
}

struct Mode {
  const char* name;
  const char* flags;     // $F stands for the folder of the test
  const char* outer;     // what a process says that only starts others; "" for one that fuzzes
  const char* says;      // what is said at the end
  bool chooses = false;  // "out" shall reach what "corpus" reaches
};

constexpr Mode kModes[] = {
    {"Runs", "-runs=12 $F/out $F/corpus", "", "Done 12 runs"},
    {"MaxTotalTime", "-max_total_time=1 $F/out $F/corpus", "", "Done "},
    {"Merge", "-merge=1 $F/out $F/corpus", "MERGE-OUTER: attempt 1", "successful in 1 attempt",
     true},
    {"SetCoverMerge", "-set_cover_merge=1 $F/out $F/corpus", "MERGE-OUTER: attempt 1",
     "successful in 1 attempt", true},
    {"Fork", "-fork=2 -runs=6 --campaign=$F/findings $F/out $F/corpus",
     "fuzzing in separate process(s)", "INFO: exiting: 0"},
    {"Jobs", "-jobs=2 -workers=2 -runs=8 --campaign=$F/findings $F/out $F/corpus",
     "exited with exit code", "Job 1 exited with exit code 0"},
};

std::string FlagsOf(const Mode& mode, const std::string& folder) {
  return absl::StrReplaceAll(mode.flags, {{"$F", folder}});
}

// "corpus" holds the small cases, and "out" is empty.
void LayOut(const std::string& folder) {
  WriteCorpus(folder + "/corpus", SmallCases());
  std::filesystem::create_directory(folder + "/out");
}

class Modes : public testing::TestWithParam<Mode> {};

TEST_P(Modes, RunsToItsEnd) {
  const TemporaryFolder folder;
  LayOut(folder.path());
  std::string flags = "-seed=1";
  if (GetParam().chooses) {
    // An alarm is no crash here, and its case is not lost.
    WriteFile(folder.path() + "/corpus/failing", TheFailing().text);
    absl::StrAppend(&flags, " ", TheFailing().flags);
  }
  if (!kIsMock) absl::StrAppend(&flags, " --backend=eager");
  const Finished run = Shell(absl::StrCat("cd ", folder.path(), " && $BIN/fuzz_", kFramework, " ",
                                          flags, " ", FlagsOf(GetParam(), folder.path())));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr(GetParam().says));
  EXPECT_THAT(run.output, HasSubstr(GetParam().outer));
  EXPECT_THAT(run.output, Not(HasSubstr("DEDUP_TOKEN")));
  if (GetParam().chooses) {
    EXPECT_EQ(FeaturesOf(kFramework, folder.path() + "/out", flags),
              FeaturesOf(kFramework, folder.path() + "/corpus", flags));
  }
}

class OuterModes : public testing::TestWithParam<Mode> {};

// The target alone, without its Python side: what needs a framework cannot get far.
TEST_P(OuterModes, NeedNoFramework) {
  const TemporaryFolder folder;
  LayOut(folder.path());
  const Finished run =
      Shell(absl::StrCat("cp $BIN/fuzz_", kFramework, " ", folder.path(), "/target && cd ",
                         folder.path(), " && ./target ", FlagsOf(GetParam(), folder.path())));
  EXPECT_THAT(run.output, HasSubstr(GetParam().outer));
}

std::vector<Mode> ModesWithChildren() {
  std::vector<Mode> modes;
  std::copy_if(std::begin(kModes), std::end(kModes), std::back_inserter(modes),
               [](const Mode& mode) { return *mode.outer != '\0'; });
  return modes;
}

std::string NameOf(const testing::TestParamInfo<Mode>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, Modes, testing::ValuesIn(kModes), NameOf);
INSTANTIATE_TEST_SUITE_P(All, OuterModes, testing::ValuesIn(ModesWithChildren()), NameOf);

std::string TokenOf(const std::string& output) {
  const size_t start = output.find("DEDUP_TOKEN: ");
  return start == std::string::npos ? "" : output.substr(start, output.find('\n', start) - start);
}

TEST(MinimizeCrash, GivesAShorterCaseOfTheSameBug) {
  const TemporaryFolder folder;
  const std::string given = folder.path() + "/given", small = folder.path() + "/small";
  WriteFile(given, TheFailing().text);
  const std::string target = absl::StrCat("$BIN/fuzz_", kFramework, " ", TheFailing().flags, " ");
  const std::string wanted = TokenOf(Shell(target + given).output);
  EXPECT_NE(wanted, "");
  const Finished run = Shell(
      absl::StrCat(target, "-minimize_crash=1 -runs=60 -exact_artifact_path=", small, " ", given));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("nothing more can go from this case"));
  EXPECT_LT(ReadFile(small).size(), TheFailing().text.size()) << ReadFile(small);
  EXPECT_THAT(ReadFile(small), Not(HasSubstr("call x=[5]")));
  const Finished again = Shell(target + small);
  EXPECT_EQ(again.code, 77) << again.output;
  EXPECT_EQ(TokenOf(again.output), wanted) << ReadFile(small);
}

TEST(MinimizeCrash, ItsOuterProcessNeedsNoFramework) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/given", TheFailing().text);
  const Finished run =
      Shell(absl::StrCat("cp $BIN/fuzz_", kFramework, " ", folder.path(), "/target && cd ",
                         folder.path(), " && ./target -minimize_crash=1 -runs=1 given"));
  EXPECT_THAT(run.output, HasSubstr("CRASH_MIN: minimizing crash input"));
}

TEST(Merging, InEitherOrderReachesTheSameAndAgainChangesNothing) {
  const TemporaryFolder folder;
  const std::vector<std::string>& cases = SmallCases();
  WriteCorpus(folder.path() + "/one", {cases[0], cases[1], cases[2], cases[3]});
  WriteCorpus(folder.path() + "/two", {cases[4], cases[5], cases[2], TheFailing().text});
  const std::string flags = kIsMock ? TheFailing().flags : "--backend=eager";
  const auto merge = [&](const std::string& folders) {
    const Finished run = Shell(
        absl::StrCat("cd ", folder.path(), "; REPRISE_SKIP_SETUP=1 ", "REPRISE_TARGET=$BIN/fuzz_",
                     kFramework, " $SRC/reprise merge ", kFramework, " ", flags, " ", folders));
    EXPECT_EQ(run.code, 0) << run.output;
  };
  merge("ab one two");
  merge("ba two one");
  const auto merged = Contents(folder.path() + "/ab");
  EXPECT_EQ(Contents(folder.path() + "/ba"), merged);
  merge("again ab");
  EXPECT_EQ(Contents(folder.path() + "/again"), merged);
  std::filesystem::copy(folder.path() + "/one", folder.path() + "/both");
  for (const auto& [name, text] : Contents(folder.path() + "/two"))
    WriteFile(folder.path() + "/both/two_" + name, text);
  EXPECT_EQ(FeaturesOf(kFramework, folder.path() + "/ab", flags),
            FeaturesOf(kFramework, folder.path() + "/both", flags));
}

}  // namespace
}  // namespace reprise
