// The real fuzz target of the mock, as its users run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kFlag[] = "$SRC/tests/data/mock/flag.reprise";
constexpr char kPlantFlag[] = " --plant=$SRC/tests/plants/mock/flag.py ";

size_t Files(const std::string& folder) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

TEST(Target, ExplainsAFileThatPasses) {
  const Finished run = Shell(absl::StrCat("$BIN/fuzz_mock ", kFlag));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("class Model(mk.Module):"));
  EXPECT_THAT(run.output, HasSubstr("VERDICT pass"));
}

TEST(Target, AbortsWithAReportOnAnAlarm) {
  const Finished run = Shell(absl::StrCat("$BIN/fuzz_mock", kPlantFlag, kFlag));
  EXPECT_EQ(run.code, 77) << run.output;
  EXPECT_THAT(run.output, HasSubstr("reprise: fuzzing mock compiler, Python 3"));
  EXPECT_THAT(run.output, testing::ContainsRegex("StatefulBug: .*PLANTED FAULT from"));
  EXPECT_THAT(run.output, HasSubstr("> 3"));
  EXPECT_THAT(run.output, HasSubstr("VERDICT stateful at step 3"));
  EXPECT_THAT(
      run.output,
      testing::ContainsRegex(
          "DEDUP_TOKEN: wrong_value--mock_jit--[a-z]+\n === Uncaught Python exception: ===\n"
          "StatefulBug: "));
}

TEST(Target, SkipsAFileThatItsFrameworkCannotRun) {
  const Finished run = Shell("$BIN/fuzz_mock $SRC/corpus/architectures/autoencoder.reprise");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("skipped, mock lacks: step backward"));
  EXPECT_THAT(run.output, Not(HasSubstr("VERDICT")));
}

TEST(Target, KeepsItsReportWhenStandardErrorIsClosed) {
  const Finished run = Shell(absl::StrCat("$BIN/fuzz_mock -close_fd_mask=3", kPlantFlag, kFlag));
  EXPECT_EQ(run.code, 77);
  EXPECT_THAT(run.output, HasSubstr("FuzzerHash="));
}

TEST(Target, FuzzingFindsConfirmsAndAborts) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/seed",
            "slot flag attr bool true\ninput x f32 [n]\nop y branch x on=flag then=inc "
            "else=dec\ncall x=[2]\n");
  const Finished run =
      Shell(absl::StrCat("$BIN/fuzz_mock -seed=1 -runs=20000 -artifact_prefix=", folder.path(), "/",
                         kPlantFlag, folder.path()));
  EXPECT_EQ(run.code, 77) << run.output;
  EXPECT_THAT(run.output, HasSubstr("StatefulBug"));
}

TEST(Target, ACampaignKeepsFindingsAndGoesOn) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/corpus");
  const Finished run = Shell(
      absl::StrCat("$BIN/fuzz_mock -seed=1 -runs=1000 --campaign=", folder.path(), "/findings",
                   kPlantFlag, folder.path(), "/corpus ", "$SRC/tests/data/mock"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("==== FINDING stateful"));
  EXPECT_THAT(run.output, HasSubstr("confirmed 3 of 3 in fresh processes"));
  EXPECT_THAT(run.output, HasSubstr("\n  PLANTED FAULT from "));
  const size_t kept = run.output.find("\n  kept in ");
  ASSERT_NE(kept, std::string::npos);
  const std::string finding =
      run.output.substr(kept + 11, run.output.find('\n', kept + 1) - kept - 11);
  // The kept case shows the failure again, and the kept program holds nothing of ours.
  EXPECT_EQ(Shell(absl::StrCat("$BIN/reprise_cli run --framework=mock", kPlantFlag, finding,
                               "/case.reprise"))
                .code,
            1);
  EXPECT_THAT(ReadFile(finding + "/program.py"), Not(HasSubstr("reprise")));
  EXPECT_THAT(ReadFile(finding + "/judgement.json"), HasSubstr("\"verdict\":\"stateful\""));
}

// The signature that a campaign gives to the planted fault, which another one is told to know.
TEST(Target, KnownIssuesAreSwallowedAndCounted) {
  const TemporaryFolder folder;
  const auto campaign = [&](const std::string& name, const std::string& flags) {
    std::filesystem::create_directories(absl::StrCat(folder.path(), "/", name, "/corpus"));
    return Shell(absl::StrCat("cd ", folder.path(), "/", name,
                              " && $BIN/fuzz_mock -seed=1 -runs=300 --campaign=findings",
                              kPlantFlag, flags, " corpus $SRC/tests/data/mock"));
  };
  EXPECT_EQ(campaign("first", "").code, 0);
  std::string known, name;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/first/findings")) {
    const std::vector<std::string> words = absl::StrSplit(entry.path().filename().string(), '-');
    if (words[0] == "stateful") absl::StrAppend(&known, name = words[1], "  # planted\n");
  }
  ASSERT_NE(known, "");
  EXPECT_THAT(ReadFile(folder.path() + "/first/findings/seen/stateful-" + name), Not(""));
  WriteFile(folder.path() + "/known", known);
  const Finished second = campaign("second", "--known-issues=../known");
  EXPECT_EQ(second.code, 0) << second.output;
  EXPECT_THAT(second.output, HasSubstr("a known issue, swallowed: " + name));
  EXPECT_THAT(second.output, Not(HasSubstr("==== FINDING")));
  EXPECT_THAT(ReadFile(folder.path() + "/second/findings/seen/known-" + name),
              testing::MatchesRegex(" *[1-9][0-9]*\n"));
  // Outside a campaign, too: without the file it would abort.
  const Finished third = Shell(
      absl::StrCat("cd ", folder.path(), " && mkdir third && $BIN/fuzz_mock -seed=1 -runs=300",
                   kPlantFlag, "--known-issues=known third $SRC/tests/data/mock"));
  EXPECT_EQ(third.code, 0) << third.output;
  WriteFile(folder.path() + "/known", "what\n");
  const Finished bad = campaign("bad", "--known-issues=../known");
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.output,
            "reprise: ../known, line 1: not a signature of 8 lower-case letters: what\n");
}

TEST(Target, AnAlarmThatDoesNotConfirmIsKeptAndCounted) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/corpus");
  WriteFile(folder.path() + "/plant.py",
            "import mk\n\n\ndef plant():\n"
            "    if '--judge' not in open('/proc/self/cmdline').read():\n"
            "        mk.faults.add('wrong_op:sin')\n");
  const Finished run = Shell(absl::StrCat("cd ", folder.path(),
                                          " && $BIN/fuzz_mock -seed=1 -runs=1 --campaign=findings ",
                                          "--plant=plant.py corpus $SRC/tests/data/mock"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("did not confirm (replay 1 says pass at step -1); the case is "
                                    "kept in findings/unconfirmed/"));
  EXPECT_GE(Files(folder.path() + "/findings/unconfirmed"), 1u);
  EXPECT_THAT(ReadFile(folder.path() + "/findings/seen/unconfirmed"),
              testing::MatchesRegex(" *[1-9][0-9]*\n"));
  EXPECT_THAT(run.output, Not(HasSubstr("==== FINDING")));
}

TEST(Target, LeavesBetweenInputsWhenItHoldsTooMuchMemory) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/corpus");
  const Finished run =
      Shell(absl::StrCat("$BIN/fuzz_mock --recycle-mb=1 --recycle=", folder.path(), "/recycle ",
                         folder.path(), "/corpus $SRC/tests/data/mock"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(ReadFile(folder.path() + "/recycle"), "");
}

TEST(Target, TheLanguageItselfSurvivesAShortFuzz) {
  const TemporaryFolder folder;
  const Finished run = Shell(
      absl::StrCat("$BIN/fuzz_grammar -seed=1 -runs=20000 -artifact_prefix=", folder.path(), "/ ",
                   folder.path(), " $SRC/corpus/architectures $SRC/tests/data/pytorch"));
  EXPECT_EQ(run.code, 0) << run.output;
}

TEST(Target, NothingIsFoundWhereNothingIsPlanted) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/corpus");
  const Finished run =
      Shell(absl::StrCat("$BIN/fuzz_mock -seed=2 -runs=1000 --campaign=", folder.path(),
                         "/findings ", folder.path(), "/corpus $SRC/corpus/architectures"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(Files(folder.path() + "/findings"), 0u) << run.output;
  EXPECT_THAT(run.output, Not(HasSubstr("did not confirm")));
}

TEST(Target, MergesAndMinimises) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/merged");
  const Finished merge = Shell(
      absl::StrCat("$BIN/fuzz_mock -merge=1 ", folder.path(), "/merged $SRC/corpus/architectures"));
  EXPECT_EQ(merge.code, 0) << merge.output;
  EXPECT_GE(Files(folder.path() + "/merged"), 3u);
  const Finished small = Shell(absl::StrCat(
      "cd ", folder.path(), " && $BIN/fuzz_mock -minimize_crash=1 -runs=200 -exact_artifact_path=",
      folder.path(), "/small", kPlantFlag, kFlag));
  EXPECT_LE(ReadFile(folder.path() + "/small").size(),
            ReadFile(REPRISE_SOURCE_DIR "/tests/data/mock/flag.reprise").size())
      << small.output;
}

TEST(Target, DumpsFeaturesAsALineForEachInput) {
  const TemporaryFolder folder;
  const std::string dump = folder.path() + "/features";
  const std::string copy = folder.path() + "/copy";
  WriteFile(copy, ReadFile(REPRISE_SOURCE_DIR "/tests/data/mock/flag.reprise"));
  const Finished run = Shell(absl::StrCat("$BIN/fuzz_mock --features=", dump, " ", kFlag, " ", copy,
                                          " $SRC/tests/data/mock/sin.reprise"));
  EXPECT_EQ(run.code, 0) << run.output;
  const std::vector<std::string> lines = absl::StrSplit(ReadFile(dump), '\n');
  ASSERT_EQ(lines.size(), 4u);  // the last one is empty
  EXPECT_THAT(lines[0], testing::ContainsRegex("^0 [0-9 ]+$"));
  EXPECT_EQ(lines[0], lines[1]);
  EXPECT_NE(lines[0], lines[2]);
  EXPECT_EQ(Shell(absl::StrCat("$BIN/fuzz_mock --features=/no/such/file ", kFlag)).code, 2);
}

// A crash of the framework itself has no verdict to refine by.
TEST(Target, MinimisesACaseThatTheFrameworkDiesOn) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/dying.py",
            "import os\nimport mk\n\n\ndef plant():\n"
            "    mk.sin = lambda x: os.abort()\n");
  const std::string given =
      "reprise 1\nslot s attr float 1.5\ninput x f32 [n]\nop h mul x s\nop y sin h\n"
      "op z neg y\nreturn z\ncall x=[2]\ncall x=[3]\nset s 2.5\nagain 1\ncall x=[4]\n";
  WriteFile(folder.path() + "/given", given);
  const std::string target =
      absl::StrCat("cd ", folder.path(), " && $BIN/fuzz_mock ", "--plant=dying.py -seed=1 ");
  EXPECT_EQ(Shell(target + "given").code, 77);
  const Finished run =
      Shell(target + "-minimize_crash=1 -runs=50 -exact_artifact_path=small given");
  EXPECT_EQ(run.code, 0) << run.output;
  const std::string small = ReadFile(folder.path() + "/small");
  EXPECT_LT(small.size(), given.size()) << run.output;
  for (const char* needless : {"op z", "slot", "set s"})
    EXPECT_THAT(small, Not(HasSubstr(needless)));
  EXPECT_EQ(Shell(target + "small").code, 77);
}

struct Bad {
  const char* name;
  const char* make;  // shell that makes $F
};

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, GivesAClearResult) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/f";
  const std::string make = absl::StrCat("export F=", file, "; ", GetParam().make, "; ");
  for (const char* command :
       {"$BIN/reprise_cli show $F --framework=mock", "$BIN/reprise_cli run $F --framework=mock",
        "timeout 60 $BIN/fuzz_mock -runs=1 $F"}) {
    const Finished run = Shell(make + command);
    EXPECT_LT(run.code, 100) << command << run.output;
    EXPECT_NE(run.code, 77) << command << run.output;
    EXPECT_THAT(run.output, Not(HasSubstr("Traceback"))) << command;
    EXPECT_NE(run.output, "") << command;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadInput,
                         testing::Values(Bad{"empty", "touch $F"}, Bad{"directory", "mkdir $F"},
                                         Bad{"missing", "true"},
                                         Bad{"binary", "head -c 10000 /dev/urandom > $F"},
                                         Bad{"huge", "head -c 100000000 /dev/zero > $F"},
                                         Bad{"unreadable", "touch $F; chmod 000 $F"}),
                         [](const auto& info) { return info.param.name; });

TEST(Usage, ExitCodesSayWhatIsWrong) {
  EXPECT_EQ(Shell("$BIN/reprise_cli").code, 2);
  EXPECT_EQ(Shell("$BIN/reprise_cli run /no/such/file").code, 2);
  EXPECT_EQ(Shell(absl::StrCat("$BIN/reprise_cli run --no-such-flag ", kFlag)).code, 2);
  EXPECT_EQ(Shell(absl::StrCat("$BIN/reprise_cli run --framework=none ", kFlag)).code, 2);
  EXPECT_EQ(
      Shell(absl::StrCat("$BIN/reprise_cli run --framework=mock --plant=/no/such ", kFlag)).code,
      2);
  EXPECT_EQ(
      Shell("$BIN/reprise_cli run --framework=mock $SRC/corpus/architectures/autoencoder.reprise")
          .code,
      3);
  EXPECT_EQ(
      Shell(absl::StrCat("REPRISE_VENV_PYTHON=/no/python $BIN/reprise_cli run --framework=mock ",
                         kFlag))
          .code,
      4);
  EXPECT_EQ(Shell(absl::StrCat("$BIN/fuzz_mock --backend=none ", kFlag)).code, 2);
  EXPECT_EQ(Shell(absl::StrCat("$BIN/fuzz_mock --typing-mistake ", kFlag)).code, 2);
}

TEST(Usage, AnUnsupportedCaseSaysWhatIsMissing) {
  const Finished run =
      Shell("$BIN/reprise_cli run --framework=mock $SRC/corpus/architectures/autoencoder.reprise");
  EXPECT_THAT(run.output, HasSubstr("step backward: the mock records no gradients"));
}

}  // namespace
}  // namespace reprise
