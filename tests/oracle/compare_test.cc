// Structured comparison: each attribute on its own, and the first difference wins.
#include "oracle/compare.h"

#include <gtest/gtest.h>

#include "oracle/judgement_json.h"

namespace reprise {
namespace {

Leaf Tensor(const std::string& section, const std::string& path, float value) {
  Leaf leaf;
  leaf.section = section;
  leaf.path = path;
  leaf.kind = "tensor";
  leaf.dtype = "f32";
  leaf.shape = {1, 1};
  leaf.order = {0, 1};
  leaf.data.assign(reinterpret_cast<const char*>(&value), sizeof value);
  return leaf;
}

std::optional<Difference> Diff(const Leaf& expected, const Leaf& actual) {
  Outcome e, a;
  e.leaves = {expected};
  a.leaves = {actual};
  return Compare(e, a, Reference{[] { return nullptr; }});
}

TEST(Compare, EqualOutcomesAgree) {
  EXPECT_FALSE(Diff(Tensor("results", "result", 1), Tensor("results", "result", 1)));
}

TEST(Compare, EachAttributeIsSeen) {
  const Leaf base = Tensor("results", "result", 1);
  const auto changed = [&](auto edit) {
    Leaf leaf = base;
    edit(leaf);
    const auto difference = Diff(base, leaf);
    return difference ? difference->attribute : "none";
  };
  EXPECT_EQ(changed([](Leaf& l) { l.kind = "fake"; }), "kind");
  EXPECT_EQ(changed([](Leaf& l) { l.dtype = "f64"; }), "dtype");
  EXPECT_EQ(changed([](Leaf& l) { l.shape = {1}; }), "shape");
  EXPECT_EQ(changed([](Leaf& l) { l.order = {1, 0}; }), "order");
  EXPECT_EQ(changed([](Leaf& l) { l.requires_grad = true; }), "requires_grad");
  EXPECT_EQ(changed([](Leaf& l) { l.alias = 0; }), "alias");
  EXPECT_EQ(changed([](Leaf& l) { l.data[3] ^= 1; }), "value");
  EXPECT_EQ(changed([](Leaf& l) { l.path = "result[0]"; }), "tree");
}

TEST(Compare, NamesThePathOfTheFirstDifference) {
  Outcome e, a;
  e.leaves = {Tensor("results", "result[0]", 1), Tensor("results", "result[1]", 2),
              Tensor("state", "w", 3)};
  a.leaves = {Tensor("results", "result[0]", 1), Tensor("results", "result[1]", 5),
              Tensor("state", "w", 9)};
  const auto difference = Compare(e, a, Reference{[] { return nullptr; }});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->path, "result[1]");
}

TEST(Compare, AMissingOrExtraLeafIsADifference) {
  Outcome e, a;
  e.leaves = {Tensor("results", "result", 1)};
  const auto missing = Compare(e, a, Reference{[] { return nullptr; }});
  const auto extra = Compare(a, e, Reference{[] { return nullptr; }});
  ASSERT_TRUE(missing && extra);
  EXPECT_EQ(missing->text, "is missing");
  EXPECT_EQ(extra->text, "was not expected");
}

TEST(Compare, ExceptionsCompareByWhetherTheyAreRaised) {
  Outcome plain, raises, raises_too;
  raises.raised = Raised{"Outer", "RuntimeError", {}, "one text"};
  raises_too.raised = Raised{"Other", "ValueError", {}, "another"};
  EXPECT_EQ(Compare(plain, raises, {})->text, "raises RuntimeError: one text");
  EXPECT_EQ(Compare(raises, plain, {})->attribute, "raises");
  EXPECT_FALSE(Compare(raises, raises_too, {}));
}

TEST(Compare, ALevelLooksAtItsPartAlone) {
  Outcome e, other_state, other_order, raises;
  Leaf leaf = Tensor("results", "result", 1);
  leaf.order = {0};
  e.leaves = {leaf, Tensor("state", "model.w", 1)};
  other_state.leaves = {leaf, Tensor("state", "model.w", 2)};
  Leaf turned = leaf;
  turned.requires_grad = true;
  other_order.leaves = {turned, Tensor("state", "model.w", 1)};
  raises.raised = Raised{"E", "E", {}, "text"};
  const Reference none{[] { return nullptr; }};
  for (const Outcome* actual : {&other_state, &other_order}) {
    EXPECT_FALSE(Compare(e, *actual, none, Level::kThreeMode));
    EXPECT_TRUE(Compare(e, *actual, none, Level::kStructured));
  }
  EXPECT_TRUE(Compare(e, raises, none, Level::kCrash));
  EXPECT_FALSE(Compare(raises, e, none, Level::kCrash));
  EXPECT_TRUE(Compare(raises, e, none, Level::kTwoMode));
}

TEST(Compare, TheReferenceIsAskedForOnlyWhereItDecides) {
  int asked = 0;
  Outcome e, a, reference;
  e.leaves = {Tensor("results", "result", 1.00001f)};
  a.leaves = {Tensor("results", "result", 1.00002f)};
  reference.leaves = {Tensor("results", "result", 1)};
  reference.leaves[0].dtype = "f64";
  const double one = 1;
  reference.leaves[0].data.assign(reinterpret_cast<const char*>(&one), 8);
  const auto ask = [&]() -> const Outcome* {
    ++asked;
    return &reference;
  };
  EXPECT_FALSE(Compare(e, e, Reference{ask}));
  EXPECT_EQ(asked, 0);
  EXPECT_FALSE(Compare(e, a, Reference{ask}));
  EXPECT_EQ(asked, 1);
}

TEST(Compare, WhatWasGivenIsComparedByItself) {
  const auto given = [](float value) {
    Outcome outcome;
    outcome.leaves = {Tensor("results", "result", 1), Tensor("given", "x", value)};
    return outcome;
  };
  EXPECT_FALSE(Compare(given(1), given(2), Reference{}));
  EXPECT_TRUE(GivenTheSame(given(1), given(1), Reference{}));
  EXPECT_TRUE(GivenTheSame(given(1), given(1.000005F), Reference{}));
  EXPECT_FALSE(GivenTheSame(given(1), given(2), Reference{}));
}

TEST(JudgementJson, ReadsBackWhatItWrote) {
  Judgement j;
  j.verdict = Verdict::kStateful;
  j.step = 3;
  j.difference = {"results", "result", "value", "odd text: \"\n\x80"};
  j.exception = "RuntimeError";
  j.frames = {"torch.a.b"};
  j.documented = true;
  j.steps = {{0, true, {"cold", 1}, "= E", ""}};
  const auto back = FromJson(ToJson(j));
  ASSERT_TRUE(back);
  EXPECT_EQ(ToJson(*back), ToJson(j));
  EXPECT_EQ(ToJson(j).find('\n'), std::string::npos);
  for (const char* broken : {"", "{}", "[1]", "{\"verdict\":\"odd\"}", "\xff\xfe"})
    EXPECT_FALSE(FromJson(broken));
}

}  // namespace
}  // namespace reprise
