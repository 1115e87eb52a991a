// Every case of tests/data has the verdict that its table says, through the real command line,
// with and without its planted fault. Built once per framework.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "grammar/attributes.h"
#include "oracle/judgement_json.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

struct Row {
  std::string test, plant, verdict;
  bool documented = false;
  int64_t compiles = -1;  // of the retained run; -1: not looked at
};

std::vector<Row> Rows() {
  std::vector<Row> rows;
  std::istringstream table(
      ReadFile(REPRISE_SOURCE_DIR "/tests/data/" REPRISE_TEST_FRAMEWORK "/verdicts.txt"));
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Row row;
    words >> row.test >> row.plant >> row.verdict;
    for (std::string mark; words >> mark;) {
      row.documented |= mark == "documented";
      if (absl::StartsWith(mark, "compiles=")) row.compiles = ParseInt(mark.substr(9), -1);
    }
    rows.push_back(row);
  }
  return rows;
}

class Data : public testing::TestWithParam<Row> {};

TEST_P(Data, HasItsVerdict) {
  const Row& row = GetParam();
  std::string command =
      absl::StrCat("$BIN/reprise_cli run --json --framework=" REPRISE_TEST_FRAMEWORK
                   " $SRC/tests/data/" REPRISE_TEST_FRAMEWORK "/",
                   row.test, ".reprise");
  if (row.plant != "-") {
    absl::StrAppend(&command, " --plant=$SRC/tests/plants/" REPRISE_TEST_FRAMEWORK "/", row.plant,
                    ".py");
  }
  const Finished finished = Shell(command);
  const auto judgement = FromJson(finished.output);
  ASSERT_TRUE(judgement) << finished.output;
  EXPECT_EQ(Name(judgement->verdict), row.verdict) << finished.output;
  EXPECT_EQ(judgement->documented, row.documented);
  if (row.compiles >= 0) {
    const auto compiled = [](const StepReport& step) { return Compiled(step.signals); };
    EXPECT_EQ(std::count_if(judgement->steps.begin(), judgement->steps.end(), compiled),
              row.compiles)
        << finished.output;
  }
  EXPECT_EQ(finished.code, row.verdict == "pass" ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(All, Data, testing::ValuesIn(Rows()), [](const auto& info) {
  std::string name = info.param.test + "_" + info.param.plant;
  for (char& c : name) c = std::isalnum(c) ? c : '_';
  return name;
});

}  // namespace
}  // namespace reprise
