#include "grammar/follow_rows.h"

#include <gtest/gtest.h>

#include <set>

#include "grammar/history.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/resolve.h"
#include "tests/support/row_cases.h"

namespace reprise {
namespace {

TEST(FollowRows, SaysWhatBecomesOfThem) {
  for (const RowCase& row : RowCases()) {
    const TestCase test = Parse(row.text);
    const int first = FirstCall(test);
    const Inference inference = InferCall(test, first, nullptr);
    ASSERT_TRUE(inference.ok()) << row.text << inference.problem;
    const auto tracks = FollowRows(HistoryBefore(test, static_cast<size_t>(first)).ops(), inference,
                                   {{"x", row.source}}, /*evaluating=*/true);
    const Track track = tracks.at(test.returns[0]);
    EXPECT_EQ(static_cast<int>(track.flow), static_cast<int>(row.expected.flow)) << row.text;
    if (row.expected.flow == Flow::kMixed) continue;
    EXPECT_EQ(track.axis, row.expected.axis) << row.text;
  }
}

TEST(FollowRows, OperatorsOfTheTableAreOperators) {
  for (const std::string& name : OperatorsThatKeepRows()) EXPECT_NE(FindOperator(name), nullptr);
}

TEST(FollowRows, WhatDependsOnTheModeMixesWhileTraining) {
  for (const char* op : {"batch_norm", "dropout"}) {
    const TestCase test =
        Parse(std::string("input x f32 [n,4]\nop y ") + op + " x\ncall x=[2,4]\n");
    const auto track = [&](bool evaluating) {
      return FollowRows(test.ops, InferCall(test, 0, nullptr), {{"x", 0}}, evaluating).at("y").flow;
    };
    EXPECT_EQ(track(true), Flow::kRows);
    EXPECT_EQ(track(false), Flow::kMixed);
  }
}

}  // namespace
}  // namespace reprise
