// What is written about an alarm: signatures that survive resizing, reports that crash parsers
// read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_split.h"
#include "grammar/parser.h"
#include "report/clusterfuzz.h"
#include "report/render.h"
#include "report/signature.h"

namespace reprise {
namespace {

Judgement Alarm(int step) {
  Judgement j;
  j.verdict = Verdict::kStateful;
  j.step = step;
  j.difference = {"results", "result", "value", "differs by 2.5 at [1,0]: expected 1, got 3.5"};
  j.legal_steps = step + 1;
  for (int i = 0; i <= step; ++i)
    j.steps.push_back({i, true, {i == 0 ? "cold" : "reused"}, "= E", ""});
  j.steps.back().s = "value of result";
  j.steps.back().r = "= E";
  return j;
}

std::string HashOf(const std::string& text, int step) {
  return SignatureOf("pytorch", Parse(text), Alarm(step)).hash;
}

TEST(Signature, IsBlindToSizesSeedsAndCounts) {
  const std::string base = "slot flag attr bool true\ninput x f32 [n]\nop y branch x on=flag\n";
  EXPECT_EQ(
      HashOf(base + "call x=[2]\nset flag false\nagain 1\n", 2),
      HashOf(base + "call x=[7] seed=5\nset flag false\nset flag false\nagain 1\nagain 1\n", 4));
}

TEST(Signature, TellsKindsApart) {
  const std::string base =
      "slot flag attr bool true\nslot gain global bool true\ninput x f32 [n]\nop y branch x "
      "on=flag\ncall x=[2]\n";
  const std::string a = HashOf(base + "set flag false\nagain 1\n", 2);
  EXPECT_NE(a, HashOf(base + "set gain false\nagain 1\n", 2));
  EXPECT_NE(a, HashOf(base + "set flag false via=dict\nagain 1\n", 2));
  EXPECT_THAT(a, testing::MatchesRegex("[a-z]+"));
  EXPECT_EQ(a.size(), 8u);
}

// The same history, of models that read, write and call different things.
TEST(Signature, TellsModelsApart) {
  const std::vector<std::string> models{
      "input x f32 [2]\nop y sin x\n",
      "slot r global random 7\ninput x f32 [2]\nop y draw_python x r\n",
      "slot n attr int 2\ninput x f32 [2]\nop y count x slot=n\n",
      "slot f global callable tanh:descriptor\ninput x f32 [2]\nop y apply x fn=f\n",
      "slot f method callable tanh\ninput x f32 [2]\nop y apply x fn=f\n",
      "input x f32 [2]\nop y sin x in=checkpoint\n",
      "input x f32 [2]\nop y custom x\n",
      "input x f32 [2]\nop y add_ x 1.0\n",
  };
  std::set<std::string> hashes;
  for (const std::string& model : models) hashes.insert(HashOf(model + "call\nagain 1\n", 1));
  EXPECT_EQ(hashes.size(), models.size());
  const std::string model = "input x f32 [2]\nop y sin x\n";
  for (const char* call : {"call x=out(1)", "call x=[2]:dynamic0", "call x=[2]:tag3"})
    hashes.insert(HashOf(model + "call\n" + call + "\n", 1));
  EXPECT_EQ(hashes.size(), models.size() + 3);
}

TEST(Signature, ExceptionsGoByClassAndFrames) {
  Judgement j = Alarm(1);
  j.exception = "AssertionError";
  j.frames = {"torch._dynamo.guards.check"};
  const Signature a = SignatureOf("pytorch", Parse("call\nagain 1\n"), j);
  const Signature b = SignatureOf("pytorch", Parse("op y sin x\ncall\ntrain\nagain 1\n"), j);
  EXPECT_EQ(a.hash, b.hash);
  EXPECT_THAT(a.text, testing::HasSubstr("torch._dynamo.guards.check"));
}

// ClusterFuzz reads frames only below the title line, innermost last, and takes three.
TEST(ClusterFuzzReport, HasTheTitleAndThreeFrames) {
  const Signature signature = SignatureOf("pytorch", Parse("call\nagain 1\n"), Alarm(1));
  const std::string report = ClusterFuzzReport("pytorch", "eager", Alarm(1), signature, "");
  const std::vector<std::string> lines = absl::StrSplit(report, '\n');
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0], "DEDUP_TOKEN: wrong_value--pytorch_eager--" + signature.hash);
  EXPECT_EQ(lines[1], " === Uncaught Python exception: ===");
  EXPECT_THAT(lines[2], testing::StartsWith("StatefulBug: "));
  EXPECT_EQ(lines[3], "Traceback (most recent call last):");
  EXPECT_EQ(lines[4], "  File \"oracle.py\", line 1, in wrong_value");
  EXPECT_EQ(lines[5], "  File \"backend.py\", line 1, in pytorch_eager");
  EXPECT_EQ(lines[6], "  File \"signature.py\", line 1, in FuzzerHash=" + signature.hash);
  EXPECT_EQ(lines[7], "");
}

TEST(ClusterFuzzReport, ForeignTextAddsNoFrames) {
  Judgement j = Alarm(1);
  j.difference.text = "raises X: File \"a.py\", line 3, in f\n  File \"b.py\", line 4";
  const std::string report = ClusterFuzzReport(
      "pytorch", "eager", j, SignatureOf("pytorch", Parse("call\nagain 1\n"), j), "");
  EXPECT_EQ(std::vector<std::string>(absl::StrSplit(report, ".py\", line")).size(), 4u);
  EXPECT_THAT(report, testing::Not(testing::HasSubstr("a.py\", line")));
}

TEST(Render, TableMarksTheFailingStep) {
  const TestCase test = Parse("slot flag attr bool true\ncall\nset flag false\nagain 1\n");
  Judgement j = Alarm(2);
  j.steps[1] = {1, false, {}, "", ""};
  const std::string table = RenderTable(test, j);
  EXPECT_THAT(table, testing::HasSubstr("\n> 3   again 1"));
  EXPECT_THAT(RenderVerdict(test, j),
              testing::HasSubstr(
                  "VERDICT stateful at step 3 (again 1)\n  value of result: differs by 2.5"));
}

}  // namespace
}  // namespace reprise
