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
        Example{"size x dim=1", {2, 3}, {}}, Example{"cat x x dim=0", {64, 64, 3}, {-1}},
        Example{"conv1d x out=2 kernel=3 pad=0", {1, 4, 5}, {1, 2, 3}},
        Example{"conv_transpose2d x out=2 kernel=2 stride=2", {1, 3, 4, 5}, {1, 2, 8, 10}},
        Example{"depthwise_conv x kernel=4", {1, 2, 4, 4}, {1, 2, 5, 5}},
        Example{"group_norm x groups=3", {2, 4, 5}, {-1}},
        Example{"lstm x hidden=5", {2, 3, 4}, {2, 3, 5}},
        Example{"self_attention x heads=3", {1, 2, 4}, {-1}},
        Example{"interpolate x scale=3", {1, 1, 2, 2}, {1, 1, 6, 6}},
        Example{"stack x x dim=1", {2, 3}, {2, 2, 3}},
        Example{"permute x dims=[1,0]", {2, 3}, {3, 2}},
        Example{"permute x dims=[0,0]", {2, 3}, {-1}}, Example{"unsqueeze x dim=-1", {2}, {2, 1}},
        Example{"squeeze x dim=0", {1, 3}, {3}}, Example{"squeeze x dim=0", {2, 3}, {2, 3}},
        Example{"slice x from=1 to=9 step=2", {6, 2}, {3, 2}},
        Example{"slice x from=4 to=2", {6}, {0}}, Example{"narrow x 1 2", {4}, {2}},
        Example{"narrow x 3 2", {4}, {-1}}, Example{"select x -1 dim=1", {2, 3}, {2}},
        Example{"select x 3 dim=1", {2, 3}, {-1}}, Example{"expand x 4", {2, 3}, {4, 2, 3}},
        Example{"repeat_rows x 2", {3, 1}, {6, 1}}, Example{"pad x by=2", {3}, {7}},
        Example{"glu x dim=0", {4, 2}, {2, 2}}, Example{"glu x dim=0", {3, 2}, {-1}},
        Example{"diff x dim=0", {4}, {3}}, Example{"topk x k=3 dim=0", {2}, {-1}},
        Example{"argmax x dim=0", {2, 3}, {3}}, Example{"var x dim=0", {1, 3}, {-1}},
        Example{"gt x 0.5", {2}, {2}}, Example{"zeros 3", {2}, {3}}, Example{"eye 2", {2}, {2, 2}},
        Example{"full 3 1", {2}, {-1}}, Example{"sin x in=vmap", {2, 3}, {2, 3}},
        Example{"sum x in=vmap", {2, 3}, {2}}, Example{"sum x in=func_grad", {2, 3}, {2, 3}},
        Example{"sum x in=vmap", {}, {-1}}));

INSTANTIATE_TEST_SUITE_P(
    Arrays, ShapeRules,
    testing::Values(Example{"split_size x size=2 dim=0 take=1", {3}, {1}},
                    Example{"split_size x size=2 dim=0 take=2", {4}, {-1}},
                    Example{"movedim x a=0 b=-1", {2, 3, 4}, {3, 4, 2}},
                    Example{"slice_last x from=-3 to=64 step=2", {2, 5}, {2, 2}},
                    Example{"slice_last x from=4 to=2", {3, 5}, {3, 0}},
                    Example{"expand_rows x rows=5", {2, 3}, {5, 3}},
                    Example{"expand_rows x", {0, 3}, {-1}}, Example{"tile x 3", {2, 3}, {6, 3}},
                    Example{"repeat_interleave x times=3", {2, 3}, {2, 9}},
                    Example{"diagonal x shift=1", {3, 3, 5}, {5, 2}},
                    Example{"diagonal x shift=-2", {2, 3}, {0}},
                    Example{"unfold x dim=0 size=2 step=2", {5, 3}, {2, 3, 2}},
                    Example{"unfold x size=4", {3}, {-1}}, Example{"channels_last x", {2, 3}, {-1}},
                    Example{"prod x", {2, 9}, {-1}}, Example{"any x dim=0", {2, 3}, {3}},
                    Example{"cosine_similarity x x dim=0", {2, 3}, {3}},
                    Example{"cdist x x", {4, 2}, {4, 4}}, Example{"cdist x x", {4}, {-1}},
                    Example{"index_select x x", {4}, {-1}},
                    Example{"addcmul x x x", {2, 3}, {2, 3}}, Example{"ones 3 2", {2}, {3, 2}},
                    Example{"ones 3 -2", {2}, {-1}}, Example{"new_zeros x 5", {2}, {5}},
                    Example{"cast x i64", {2}, {-1}}, Example{"to_int x", {2}, {2}}));

TEST(ShapeRules, PositionsAreIntegersThatFit) {
  const auto infer = [](const std::string& op) -> Shape {
    const Inference inference = InferCall(
        Parse("input x f32 [a,b]\ninput i i64 [c]\ninput j i64 [a,d]\ninput s f32 [c,b]\nop y " +
              op + "\nreturn y\ncall x=[2,3] i=[5] j=[2,4] s=[5,3]\n"),
        0, nullptr);
    return inference.ok() ? inference.values.at("y").shape : Shape{-1};
  };
  EXPECT_EQ(infer("index_select x i dim=1"), (Shape{2, 5}));
  EXPECT_EQ(infer("index_select x j dim=1"), Shape{-1});
  EXPECT_EQ(infer("take_along x j dim=1"), (Shape{2, 4}));
  EXPECT_EQ(infer("take_along x j dim=0"), Shape{-1});
  EXPECT_EQ(infer("index_add x i s dim=0"), (Shape{2, 3}));
  EXPECT_EQ(infer("index_add x i x dim=0"), Shape{-1});
}

struct Sequence {
  const char* what;
  const char* text;
  bool legal;
  Shape result = {};
};

class LastCall : public testing::TestWithParam<Sequence> {};

TEST_P(LastCall, FollowsWhatCameBefore) {
  const Sequence& sequence = GetParam();
  const TestCase test = Parse(sequence.text);
  const Inference construction = InferCall(test, FirstCall(test), nullptr);
  ASSERT_TRUE(construction.ok()) << construction.problem << "\n" << Print(test);
  const Inference last = InferCall(test, static_cast<int>(test.steps.size()) - 1, &construction);
  EXPECT_EQ(last.ok(), sequence.legal) << sequence.what << "\n" << Print(test);
  if (last.ok()) EXPECT_EQ(last.values.at("y").shape, sequence.result) << Print(test);
}

INSTANTIATE_TEST_SUITE_P(
    All, LastCall,
    testing::Values(
        Sequence{"a slot as a size",
                 "slot k attr int 2\ninput x f32 [4]\nop y narrow x 0 k\ncall\nset k 3\nagain 1\n",
                 true,
                 {3}},
        Sequence{"a slot as a size that is too large",
                 "slot k attr int 2\ninput x f32 [4]\nop y narrow x 0 k\ncall\nset k 5\nagain 1\n",
                 false},
        Sequence{"an input as a size",
                 "input x f32 [2]\ninput k int\nop y expand x k\ncall k=2\ncall k=5\n",
                 true,
                 {5, 2}},
        Sequence{
            "a slot that the model counts",
            "slot k attr int 2\ninput x f32 [4]\nop c count x slot=k\nop y sin c\ncall\nagain 1\n",
            true,
            {4}},
        Sequence{"a second program",
                 "input x f32 [2,3]\nop y unsqueeze x dim=0\ncall\nvariant y dim 2\nagain 1\n",
                 true,
                 {2, 3, 1}},
        Sequence{"parameters cast, arguments not",
                 "input x f32 [n,2]\nop y linear x\ncall\ncast f64\nagain 1\n", false},
        Sequence{"parameters and arguments cast",
                 "input x f32 [n,2]\nop y linear x out=3\ncall\ncast f64\ncall x=[5,2]:f64\n",
                 true,
                 {5, 3}},
        Sequence{"another instance has parameters of its own",
                 "input x f32 [n,2]\nop y linear x out=3\ncall\ncast f64\ninstance 2\nagain 1\n",
                 true,
                 {2, 3}},
        Sequence{"an earlier output",
                 "input x f32 [n]\nop y cat x x dim=0\ncall x=[2]\ncall x=out(1)\n",
                 true,
                 {8}},
        Sequence{"an item that is there in the first call only",
                 "input x f32 [2]\ninput d dict f32 [2]\nop y item d key=b\ncall "
                 "d=(a:[2],b:[2])\ncall d=(a:[2])\n",
                 false}),
    [](const auto& info) {
      std::string name = info.param.what;
      for (char& c : name) c = std::isalnum(c) ? c : '_';
      return name;
    });

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
