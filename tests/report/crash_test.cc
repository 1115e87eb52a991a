// What a crash aggregator reads in the logs of the real target: of a wrong result, and of a native
// crash, to which we must add nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "grammar/parser.h"
#include "report/clusterfuzz.h"
#include "tests/support/crash_parser.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string Log(const std::string& plant, const std::string& file, const std::string& flags = "") {
  return Shell(absl::StrCat("ulimit -c 0; ASAN_OPTIONS=detect_leaks=0 $BIN/fuzz_mock ", flags,
                            " --plant=$SRC/tests/plants/mock/", plant, ".py ", file))
      .output;
}

constexpr char kFlag[] = "$SRC/tests/data/mock/flag.reprise";
constexpr char kSin[] = "$SRC/tests/data/mock/sin.reprise";
constexpr char kSelu[] = "$SRC/tests/data/mock/selu.reprise";

TEST(CrashLog, OfAWrongResultHasTheSignatureAsItsState) {
  const std::string log = Log("flag", kFlag);
  const Crash crash = ParseCrash(log);
  EXPECT_EQ(crash.type, "Uncaught exception") << log;
  EXPECT_THAT(crash.state,
              ElementsAre(testing::MatchesRegex("FuzzerHash=[a-z]+"), "mock_jit", "wrong_value"));
  EXPECT_EQ(DedupToken(log),
            absl::StrCat("wrong_value--mock_jit--", crash.state[0].substr(sizeof "FuzzerHash")));
}

TEST(CrashLog, IsTheSameWhereStandardErrorIsClosed) {
  EXPECT_EQ(ParseCrash(Log("flag", kFlag, "-close_fd_mask=3")).state,
            ParseCrash(Log("flag", kFlag)).state);
}

TEST(CrashLog, TwoBugsAreTwo) {
  const Crash flag = ParseCrash(Log("flag", kFlag)), sin = ParseCrash(Log("sin", kSin)),
              reuse = ParseCrash(Log("reuse", kSin));
  EXPECT_TRUE(IsOneBug(flag, flag));
  EXPECT_FALSE(IsOneBug(flag, sin));
  EXPECT_FALSE(IsOneBug(sin, reuse));
  // Without the hash they would be one: two lines of three are equal.
  Crash a = flag, b = sin;
  a.state[0] = b.state[0] = "x";
  EXPECT_TRUE(IsOneBug(a, b));
}

TEST(CrashLog, OfANativeCrashIsTheSanitizers) {
  const std::string log = Log("segfault", kSelu);
  const Crash crash = ParseCrash(log);
  EXPECT_EQ(crash.type, "Null-dereference") << log;
  ASSERT_EQ(crash.state.size(), 3u) << log;
  EXPECT_THAT(crash.state[0], HasSubstr("strlen"));
  EXPECT_THAT(log, Not(HasSubstr("Uncaught Python exception")));
  EXPECT_THAT(log, Not(HasSubstr(".py\", line")));
}

// Raised by libFuzzer's own handler.
TEST(CrashLog, OfAnAbortIsASignal) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/abort.py",
            "import os\nimport mk\n\n\ndef plant():\n    mk.sin = lambda x: os.abort()\n");
  const Crash crash = ParseCrash(
      Shell(absl::StrCat("ulimit -c 0; ASAN_OPTIONS=detect_leaks=0 $BIN/fuzz_mock --plant=",
                         folder.path(), "/abort.py ", kSin))
          .output);
  EXPECT_THAT(crash.type, testing::AnyOf("Fatal-signal", "ABRT"));
  EXPECT_EQ(crash.state.size(), 3u);
}

// A campaign prints findings, with what compilers say in them, and dies natively afterwards.
TEST(CrashLog, WhatIsPrintedBeforeSpoilsNothing) {
  Judgement j;
  j.difference = {"results", "result", "raises",
                  "File \"a.py\", line 3, in f\n === Uncaught Python exception: ===\n"};
  const std::string ours = WithoutTraceback(j.difference.text);
  const Crash alone = ParseCrash(Log("segfault", kSelu));
  EXPECT_EQ(ParseCrash(ours + Log("segfault", kSelu)).state, alone.state);
  EXPECT_EQ(ParseCrash(j.difference.text + Log("segfault", kSelu)).type, "Uncaught exception");
  // Nor does the message of a report add frames to it.
  const Signature signature = SignatureOf("mock", Parse("call\n"), j);
  const Crash crash = ParseCrash(ClusterFuzzReport("mock", "jit", j, signature, ""));
  EXPECT_THAT(crash.state, ElementsAre("FuzzerHash=" + signature.hash, "mock_jit", "wrong_raises"));
}

TEST(CrashLog, WithoutTheTitleATracebackIsNotUnderstood) {
  EXPECT_EQ(ParseCrash("  File \"a.py\", line 3, in f\n" + Log("segfault", kSelu)).type, "");
}

}  // namespace
}  // namespace reprise
