// The exact Path, Guard and History keys of small cases, as tests/data/FRAMEWORK/keys/keys.txt
// says. Built once per framework, which REPRISE_TEST_FRAMEWORK names. Whoever changes an
// expectation has looked at what the framework did.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "feedback/keys.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/judge.h"
#include "tests/support/cases.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

constexpr char kFolder[] = REPRISE_SOURCE_DIR "/tests/data/" REPRISE_TEST_FRAMEWORK "/keys/";

// Lines "STEP FAMILY: WORDS", one per key.
using Lines = std::set<std::string>;

struct Row {
  std::string name;
  Lines keys;
};

// Blocks "case NAME", a line per key; '#' begins a comment.
std::vector<Row> Rows() {
  std::vector<Row> rows;
  std::istringstream table(ReadFile(absl::StrCat(kFolder, "keys.txt")));
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (absl::StartsWith(line, "case ")) {
      rows.push_back({line.substr(5), {}});
    } else if (!rows.empty()) {
      rows.back().keys.insert(line);
    }
  }
  return rows;
}

Runtime& TheRuntime() {
  static Runtime* runtime = [] {
    auto started = Runtime::StartFor(REPRISE_TEST_FRAMEWORK);
    if (started.ok()) return started->release();
    std::fprintf(stderr, "%s\n", std::string(started.status().message()).c_str());
    std::abort();
  }();
  return *runtime;
}

std::vector<CallSignals> SignalsOf(const TestCase& test) {
  const Framework& framework = *FindFramework(REPRISE_TEST_FRAMEWORK);
  return Signals(Judge(framework, TheRuntime(), test, {ResetPolicy::kDemand}));
}

TestCase CaseOf(const std::string& name) {
  TestCase test = Parse(ReadFile(absl::StrCat(kFolder, name, ".reprise")));
  const auto lacking = Repair(FindFramework(REPRISE_TEST_FRAMEWORK)->capabilities(), &test);
  EXPECT_TRUE(lacking.empty()) << name << ": " << lacking[0];
  return test;
}

bool IsLookedAt(const Family& family) {
  return family.name == "path" || family.name == "guard" || family.name == "history";
}

std::string Text(const std::string& name, const Lines& lines) {
  std::string text = absl::StrCat("case ", name, "\n");
  for (const std::string& line : lines) absl::StrAppend(&text, line, "\n");
  return text;
}

class Keys : public testing::TestWithParam<Row> {};

TEST_P(Keys, AreThoseOfTheTable) {
  const Row& row = GetParam();
  const TestCase test = CaseOf(row.name);
  const auto signals = SignalsOf(test);
  Lines lines;
  const auto keys = KeysByStep(test, signals);
  for (size_t i = 0; i < keys.size(); ++i) {
    for (const Key& key : keys[i]) {
      const Rule* rule = Families()[key.family]->Excluded(key.cell);
      EXPECT_EQ(rule, nullptr) << NameOf(key) << ": " << rule->reason;
      if (IsLookedAt(*Families()[key.family])) lines.insert(absl::StrCat(i + 1, " ", NameOf(key)));
    }
  }
  EXPECT_EQ(Text(row.name, lines), Text(row.name, row.keys));
  for (const CallSignals& step : signals) EXPECT_EQ(step.unknown, 0);
}

// The samples use every word of the language.
std::vector<TestCase> Samples() {
  Capabilities can = FindFramework(REPRISE_TEST_FRAMEWORK)->capabilities();
  can.backends.resize(1);
  std::vector<TestCase> tests;
  for (const std::string& text : SampleTexts()) {
    tests.push_back(Parse(text));
    Repair(can, &tests.back());
  }
  return tests;
}

std::string Names(const std::vector<Key>& keys) {
  std::string names;
  for (const Key& key : keys) absl::StrAppend(&names, NameOf(key), "\n");
  return names;
}

TEST(KeysOfSamples, CanOccurAndAreKnown) {
  for (const TestCase& test : Samples()) {
    const auto signals = SignalsOf(test);
    for (const CallSignals& step : signals) EXPECT_EQ(step.unknown, 0) << Print(test);
    for (const Key& key : KeysOf(test, signals)) {
      const Rule* rule = Families()[key.family]->Excluded(key.cell);
      EXPECT_EQ(rule, nullptr) << NameOf(key) << ": " << rule->reason << "\n" << Print(test);
      EXPECT_FALSE(absl::StartsWith(NameOf(key), "guard: other,")) << Print(test);
    }
  }
}

// Within one process, after other cases, signals are the same.
TEST(KeysOfSamples, DependOnTheCaseAlone) {
  std::vector<TestCase> tests = Samples();
  for (const Row& row : Rows()) tests.push_back(CaseOf(row.name));
  std::vector<std::string> names;
  for (size_t i = 0; i < tests.size(); i += 3)
    names.push_back(Names(KeysOf(tests[i], SignalsOf(tests[i]))));
  for (size_t i = 0; i < tests.size(); i += 3) {
    const size_t last = (tests.size() - 1) / 3 * 3 - i;  // from the end
    EXPECT_EQ(Names(KeysOf(tests[last], SignalsOf(tests[last]))), names[last / 3])
        << Print(tests[last]);
  }
}

TEST(KeysTable, HasEveryCaseOfTheFolder) {
  Lines files, rows;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".reprise") files.insert(entry.path().stem());
  }
  for (const Row& row : Rows()) rows.insert(row.name);
  EXPECT_EQ(rows, files);
}

INSTANTIATE_TEST_SUITE_P(All, Keys, testing::ValuesIn(Rows()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace reprise
