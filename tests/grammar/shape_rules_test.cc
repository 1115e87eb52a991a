// Shape rules against small examples worked out by hand.
#include "grammar/shape_rules.h"

#include <gtest/gtest.h>

#include "grammar/infer.h"
#include "grammar/parser.h"
#include "grammar/printer.h"

namespace reprise {
namespace {

struct Example {
  const char* model;
  Shape call;
  Shape result;  // {-1}: illegal
};

class ShapeRules : public testing::TestWithParam<Example> {};

TEST_P(ShapeRules, InferTheResult) {
  const Example& example = GetParam();
  std::string dims;
  for (size_t i = 0; i < example.call.size(); ++i)
    dims += (i > 0 ? "," : "") + std::string(1, static_cast<char>('a' + i));
  const TestCase test = Parse("input x f32 [" + dims + "]\nop y " + example.model +
                              "\nreturn y\ncall x=" + ShapeText(example.call) + "\n");
  const Inference inference = InferCall(test, 0, nullptr);
  if (example.result == Shape{-1}) {
    EXPECT_FALSE(inference.ok()) << Print(test);
  } else {
    ASSERT_TRUE(inference.ok()) << inference.problem << "\n" << Print(test);
    EXPECT_EQ(inference.values.at("y").shape, example.result) << Print(test);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ShapeRules,
    testing::Values(
        Example{"linear x out=5", {2, 3}, {2, 5}}, Example{"linear x", {}, {-1}},
        Example{"conv2d x out=4 kernel=3 stride=2 pad=1", {2, 3, 8, 7}, {2, 4, 4, 4}},
        Example{"conv2d x kernel=5 pad=0", {2, 3, 4, 4}, {-1}}, Example{"conv2d x", {2, 3}, {-1}},
        Example{"max_pool2d x kernel=2", {1, 1, 5, 4}, {1, 1, 2, 2}},
        Example{"max_pool2d x kernel=4", {1, 1, 3, 3}, {-1}}, Example{"batch_norm x", {1, 3}, {-1}},
        Example{"batch_norm x", {2, 3}, {2, 3}}, Example{"layer_norm x", {2, 1}, {-1}},
        Example{"softmax x dim=2", {2, 3}, {-1}}, Example{"add x 1.0", {2}, {2}},
        Example{"cat x x dim=0", {2, 3}, {4, 3}}, Example{"cat x x dim=3", {2, 3}, {-1}},
        Example{"split x parts=2 dim=0 take=1", {5}, {2}},
        Example{"split x parts=4 dim=0 take=3", {5}, {-1}},
        Example{"reshape x shape=[-1,2]", {3, 4}, {6, 2}},
        Example{"reshape x shape=[-1,5]", {3, 4}, {-1}}, Example{"reshape x shape=[]", {1, 1}, {}},
        Example{"flatten x", {2, 3, 4}, {2, 12}},
        Example{"transpose x a=0 b=-1", {2, 3, 4}, {4, 3, 2}},
        Example{"transpose x a=0 b=0", {2, 3}, {-1}}, Example{"sum x", {2, 3}, {}},
        Example{"sum x dim=[1] keep=yes", {2, 3}, {2, 1}}, Example{"mean x dim=[0,1]", {2, 3}, {}},
        Example{"amax x", {0, 3}, {-1}}, Example{"sum x dim=[0]", {0, 3}, {3}},
        Example{"matmul x x", {3, 3}, {3, 3}}, Example{"matmul x x", {2, 3}, {-1}},
        Example{"size x dim=1", {2, 3}, {}}, Example{"cat x x dim=0", {64, 64, 3}, {-1}}));

TEST(ShapeRules, Broadcast) {
  EXPECT_EQ(Broadcast({2, 1}, {3}), (Shape{2, 3}));
  EXPECT_EQ(Broadcast({0}, {1}), (Shape{0}));
  EXPECT_EQ(Broadcast({2}, {3}), std::nullopt);
}

TEST(ShapeRules, SubmodulesKeepTheSizesTheyWereBuiltFor) {
  const TestCase test = Parse(
      "input x f32 [n,w]\nop h linear x\nop y reuse x of=h\ncall x=[2,3]\ncall x=[5,3]\ncall "
      "x=[2,4]\n");
  const Inference construction = InferCall(test, 0, nullptr);
  ASSERT_TRUE(construction.ok());
  EXPECT_TRUE(InferCall(test, 1, &construction).ok());
  EXPECT_FALSE(InferCall(test, 2, &construction).ok());
}

}  // namespace
}  // namespace reprise
