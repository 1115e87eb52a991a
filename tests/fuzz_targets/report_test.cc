// `reprise_cli report` on the mock: which failures are findings, and which reset cures them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kResized[] = "input x f32 [n]\nop y sin x\ncall x=[2]\ncall x=[3]\n";

Finished Report(const std::string& text, const std::string& plant) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/case.reprise", text);
  return Shell(
      absl::StrCat("$BIN/reprise_cli report --framework=mock --plant=$SRC/tests/plants/mock/",
                   plant, ".py ", folder.path(), "/case.reprise"));
}

TEST(Report, ShortensConfirmsAndShowsTheProgram) {
  const Finished run = Report(
      "slot flag attr bool true\ninput x f32 [n]\nop a sin x\nop y branch a on=flag then=inc "
      "else=dec\ncall x=[2]\ncall x=[5]\nset flag false\nagain 1\n",
      "flag");
  EXPECT_EQ(run.code, 1) << run.output;
  EXPECT_THAT(run.output, HasSubstr("==== FINDING stateful"));
  EXPECT_THAT(run.output, HasSubstr("\n  cured by R0, the framework's own reset\n"));
  EXPECT_THAT(run.output,
              HasSubstr("confirmed 3 of 3 in fresh processes; steps before and after refinement: "
                        "4, 3"));
  EXPECT_THAT(run.output, HasSubstr("class Model(mk.Module):"));
}

// What is kept on disk, and what is kept for as long as the process lives.
TEST(Report, NamesTheWeakestResetThatCures) {
  for (const auto& [plant, cure] : {std::pair{"disk", "R1"}, {"process", "R2"}}) {
    const Finished run = Report(kResized, plant);
    EXPECT_EQ(run.code, 1) << run.output;
    EXPECT_THAT(run.output, HasSubstr("==== FINDING stateful"));
    EXPECT_THAT(run.output, HasSubstr("VERDICT stateful at step 2"));
    EXPECT_THAT(run.output, HasSubstr(absl::StrCat("cured by ", cure)));
  }
}

TEST(Report, WhatIsWrongEverywhereIsCuredByNothing) {
  const Finished run = Report(kResized, "sin");
  EXPECT_EQ(run.code, 1) << run.output;
  EXPECT_THAT(run.output, HasSubstr("VERDICT stateless"));
  EXPECT_THAT(run.output, Not(HasSubstr("cured by")));
}

TEST(Report, NoFailureIsNoFinding) {
  const Finished run = Report("input x f32 [n]\nop y cos x\ncall x=[2]\n", "sin");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("no finding: the three modes agree"));
}

}  // namespace
}  // namespace reprise
