// Properties of the text: total, canonical, prefix-closed, harmless.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_cat.h"
#include "frameworks/framework.h"
#include "grammar/edit.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "grammar/resolve.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

const Capabilities& PyTorchCan() { return FindFramework("pytorch")->capabilities(); }

void ExpectCanonical(const std::string& text) {
  const TestCase test = Parse(text);
  const std::string printed = Print(test);
  EXPECT_EQ(Parse(printed), test) << text;
  EXPECT_EQ(Print(Parse(printed)), printed) << text;
}

TEST(Language, EmptyTextIsACase) {
  const TestCase test = Parse("");
  EXPECT_EQ(Print(test), "reprise 1\ncompile\ninput x f32 [n,4]\nreturn x\ncall x=[2,4]\n");
}

TEST(Language, DesignSketchReadsAsWritten) {
  const std::string text =
      "reprise 1\ncompile backend=inductor\nslot scale attr float 1.5\nslot gain global int 2\n"
      "input x f32 [n,8]\nop h linear x\nop m mul h scale\nop y branch m on=gain\n"
      "return y\ncall x=[2,8] seed=3\nset scale 2.0\ncall x=[4,8]:transposed seed=3\nagain 1\n";
  EXPECT_EQ(Print(Parse(text)), text);
}

TEST(Language, SamplesAreCanonical) {
  for (const std::string& text : SampleTexts()) ExpectCanonical(text);
}

TEST(Language, EveryPrefixParses) {
  for (const std::string& text : SampleTexts()) {
    for (size_t i = 0; i < text.size(); i += 3) ExpectCanonical(text.substr(0, i));
  }
}

TEST(Language, RandomBytesParse) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 300, ' ');
    for (char& c : text) c = static_cast<char>(random());
    ExpectCanonical(text);
  }
}

TEST(Language, DamagedSamplesParse) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 5000; ++i) {
    std::string text = SampleTexts()[random() % SampleTexts().size()];
    for (int k = 0; k < 4 && !text.empty(); ++k) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text[at] = " \n=[],:@#().x0-9"[random() % 16];
      } else {
        text.insert(at, text.substr(random() % text.size(), 12));
      }
    }
    ExpectCanonical(text);
  }
}

TEST(Language, RandomCasesSurvivePrinting) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const TestCase test = RandomCase(PyTorchCan(), seed, 10);
    EXPECT_EQ(Parse(Print(test)), test) << Print(test);
  }
}

TEST(Language, DeletingAStepShortensTheText) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const TestCase test = RandomCase(PyTorchCan(), seed, 12);
    for (size_t i = 0; i < test.steps.size(); ++i) {
      TestCase shorter = test;
      EraseStep(i, &shorter);
      // A call may take the place of what repeated it; everything else only loses a line.
      if (IsCall(test.steps[i]) || shorter.steps.empty()) continue;
      Resolve(&shorter);
      EXPECT_LT(Print(shorter).size(), Print(test).size());
    }
  }
}

TEST(Language, ExcessIsCut) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    absl::StrAppend(&text, "op v relu\nslot s attr float 1.0\ninput x f32 [n]\ncall\n");
  const TestCase test = Parse(text);
  EXPECT_EQ(test.ops.size(), kMaxOps);
  EXPECT_EQ(test.slots.size(), kMaxSlots);
  EXPECT_EQ(test.inputs.size(), kMaxInputs);
  EXPECT_EQ(test.steps.size(), kMaxSteps);
}

TEST(Language, HugeTextTakesLinearTime) {
  const std::string text(100 << 20, 'x');
  EXPECT_EQ(Parse(text), Parse(""));
}

TEST(Language, ReferencesAreTakenModuloWhatExists) {
  const TestCase test = Parse(
      "input a f32 [n]\ninput b f32 [n]\nop y add nothing whatever\nagain 77\ncall\nagain 77\n");
  EXPECT_THAT(test.ops[0].operands[0], testing::AnyOf("a", "b"));
  EXPECT_EQ(test.steps.size(), 2u);
  EXPECT_EQ(test.steps[1].attrs[0], "1");
}

// No text of a case reaches a program unquoted, whatever the file says: what is left of it is
// letters of a name, or letters inside quotes.
TEST(Language, ProgramsHoldNoForeignText) {
  const std::string evil = "__import__('os').system('true')";
  TestCase test = Parse(absl::StrCat("compile backend=", evil, "\nslot ", evil, " attr str ", evil,
                                     "\ninput ", evil, " f32 [", evil, "]\nop ", evil, " branch ",
                                     evil, " on=", evil, " then=", evil, "\nreturn ", evil,
                                     "\ncall ", evil, "=", evil, "\nset ", evil, " ", evil, "\n"));
  EXPECT_THAT(Print(test), testing::Not(testing::ContainsRegex("['().;]")));
  Repair(PyTorchCan(), &test);
  const std::string program = Text(FindFramework("pytorch")->Emit(test));
  EXPECT_THAT(program, testing::Not(testing::ContainsRegex("'|system[(]|__import__[(]")));
}

TEST(Language, LongNamesThatClashStayNames) {
  const std::string name(40, 'g');
  ExpectCanonical(absl::StrCat("op ", name, " sin\nop ", name, " dropout\neval ", name, "2\n"));
}

TEST(Language, ReservedWordsAreNotNames) {
  for (const char* word :
       {"self", "forward", "lambda", "torch", "model", "None", "train", "relu", "out1"}) {
    const TestCase test = Parse(absl::StrCat("input ", word, " f32 [n]\n"));
    EXPECT_EQ(test.inputs[0].name.substr(0, 2), "v_") << word;
  }
}

}  // namespace
}  // namespace reprise
