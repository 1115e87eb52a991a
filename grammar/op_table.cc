// The operators. One row each; CONTRIBUTING.md shows how one is added.
#include "grammar/op_rows.h"
#include "grammar/shape_rules.h"

namespace reprise {
namespace {

using namespace rules;
using Attrs = std::vector<AttrSpec>;
using Rows = std::vector<OpRow>;

constexpr unsigned kLayer = kModuleOp | kParameters;

AttrSpec Written(const char* types) { return {"slot", AttrKind::kWritten, "", 0, 0, types}; }
AttrSpec On() { return {"on", AttrKind::kPredicate, "training"}; }
AttrSpec Sizes(const char* fallback) { return {"shape", AttrKind::kInts, fallback, -1, 64}; }
Attrs Windowed() {
  return {Int("out", "4", 1, 16), Int("kernel", "3", 1, 5), Int("stride", "1", 1, 3),
          Int("pad", "1", 0, 2)};
}
Attrs Reduced() { return {{"dim", AttrKind::kInts, "[]", -4, 3}, Choice("keep", "no|yes", "no")}; }

Rows Layers() {
  return {
      {"linear", "t", {Int("out", "4", 1, 32)}, Linear, kLayer, {-1}},
      {"conv1d", "t", Windowed(), Conv1d, kLayer, {1}},
      {"conv2d", "t", Windowed(), Conv2d, kLayer, {1}},
      {"conv_transpose2d",
       "t",
       {Int("out", "4", 1, 16), Int("kernel", "2", 1, 4), Int("stride", "2", 1, 3)},
       ConvTranspose2d,
       kLayer,
       {1}},
      {"depthwise_conv", "t", {Int("kernel", "3", 1, 5)}, DepthwiseConv, kLayer, {1}},
      {"batch_norm", "t", {}, BatchNorm, kLayer | kByMode, {1}},
      {"layer_norm", "t", {}, LayerNorm, kLayer, {-1}},
      {"rms_norm", "t", {}, LayerNorm, kLayer, {-1}},
      {"group_norm", "t", {Int("groups", "2", 1, 8)}, GroupNorm, kLayer, {1}},
      {"instance_norm", "t", {}, InstanceNorm, kModuleOp, {1}},
      {"embedding", "t", {Int("rows", "10", 1, 64), Int("dim", "4", 1, 32)}, Embedding, kLayer},
      {"lstm", "t", {Int("hidden", "4", 1, 16)}, Recurrent, kLayer, {-1}},
      {"gru", "t", {Int("hidden", "4", 1, 16)}, Recurrent, kLayer, {-1}},
      {"self_attention", "t", {Int("heads", "2", 1, 8)}, SelfAttention, kLayer, {-1}},
      {"attention", "ttt", {Choice("causal", "no|yes", "no")}, DotProductAttention},
      {"prelu", "t", {}, SameFloat, kLayer},
      {"dropout", "t", {Float("p", "0.5", 0, 0.9)}, SameFloat, kModuleOp | kRandom | kByMode},
      {"max_pool1d", "t", {Int("kernel", "2", 1, 4)}, MaxPool1d},
      {"max_pool2d", "t", {Int("kernel", "2", 1, 4)}, Pool2d},
      {"avg_pool2d", "t", {Int("kernel", "2", 1, 4)}, AveragePool2d},
      {"adaptive_avg_pool2d", "t", {Int("size", "1", 1, 4)}, AdaptivePool2d},
      {"interpolate", "t", {Int("scale", "2", 1, 4)}, Interpolate},
      {"cross_entropy", "tt", {}, CrossEntropy},
      {"mse_loss", "tt", {}, SquaredError},
  };
}

Rows Elementwise() {
  Rows rows{
      {"neg", "t", {}, SameNumeric},
      {"softmax", "t", {Dim("dim", "-1")}, AlongDim},
      {"log_softmax", "t", {Dim("dim", "-1")}, AlongDim},
      {"glu", "t", {Dim("dim", "-1")}, HalveDim},
      {"clamp", "t", {Float("lo", "-0.5", -10, 0), Float("hi", "0.5", 0, 10)}, SameFloat},
      {"clamp_max", "tf", {}, SameFloat},
      {"clamp_min", "tf", {}, SameFloat},
      {"add", "tn", {}, Arithmetic},
      {"sub", "tn", {}, Arithmetic},
      {"mul", "tn", {}, Arithmetic},
      {"div", "tn", {}, Division},
      {"power", "tf", {}, SameFloat},
      {"maximum", "tt", {}, Arithmetic},
      {"minimum", "tt", {}, Arithmetic},
      {"lerp", "ttf", {}, InPlaceArithmetic},
      {"gt", "tn", {}, Comparison},
      {"lt", "tn", {}, Comparison},
      {"eq", "tn", {}, Comparison},
      {"where", "ttt", {}, Where},
      {"masked_fill", "ttf", {}, MaskedFill},
      {"cast", "td", {}, Cast},
      {"full_like", "tf", {}, SameFloat},
      {"zeros_like", "t", {}, SameAny},
      {"contiguous", "t", {}, SameAny},
      {"detach", "t", {}, SameAny},
      {"clone", "t", {}, SameAny},
      {"noise", "t", {}, SameFloat, kRandom},
      {"rand_like", "t", {}, SameFloat, kRandom},
      // In place.
      {"add_", "tn", {}, InPlaceArithmetic, kInPlace},
      {"mul_", "tn", {}, InPlaceArithmetic, kInPlace},
      {"relu_", "t", {}, SameFloat, kInPlace},
      {"copy_", "tt", {}, CopyInto, kInPlace},
      {"fill_row_", "tf", {}, WriteRow, kInPlace},
  };
  for (const char* name :
       {"relu",  "tanh",  "sigmoid",    "gelu",      "sin",       "cos", "leaky_relu",
        "elu",   "selu",  "silu",       "mish",      "relu6",     "erf", "exp",
        "log1p", "sqrt",  "hardtanh",   "softplus",  "hardswish", "abs", "sign",
        "floor", "round", "reciprocal", "logsigmoid"}) {
    rows.push_back({name, "t", {}, SameFloat});
  }
  return rows;
}

Rows Rearranging() {
  return {
      {"matmul", "tt", {}, Matmul},
      {"outer", "tt", {}, Outer},
      {"cat", "tt", {Dim("dim", "-1")}, Cat},
      {"stack", "tt", {Dim("dim", "0")}, Stack},
      {"split", "t", {Int("parts", "2", 1, 4), Dim("dim", "-1"), Int("take", "0", 0, 3)}, Split},
      {"reshape", "t", {Sizes("[-1]")}, Reshape},
      {"view", "t", {Sizes("[-1]")}, Reshape},
      {"flatten", "t", {Dim("start", "1")}, Flatten},
      {"transpose", "t", {Dim("a", "0"), Dim("b", "1")}, Transpose},
      {"t", "t", {}, TransposedMatrix},
      {"permute", "t", {{"dims", AttrKind::kInts, "[1,0]", -4, 3}}, Permute},
      {"unsqueeze", "t", {Dim("dim", "0")}, Unsqueeze},
      {"squeeze", "t", {Dim("dim", "0")}, Squeeze},
      {"slice",
       "t",
       {Int("from", "0", 0, 64), Int("to", "2", 0, 64), Int("step", "1", 1, 4)},
       Slice},
      {"narrow", "tii", {}, Narrow},
      {"select", "ti", {Dim("dim", "0")}, Select},
      {"gather_rows", "tt", {}, IndexRows},
      {"gather", "tt", {Dim("dim", "0")}, Gather},
      {"scatter_add", "ttt", {Dim("dim", "0")}, ScatterAdd},
      {"one_hot", "t", {Int("classes", "4", 1, 16)}, OneHot},
      {"expand", "ti", {}, Expand},
      {"repeat_rows", "ti", {}, RepeatRows},
      {"roll", "ti", {Dim("dim", "0")}, AlongDim},
      {"flip", "t", {Dim("dim", "0")}, AlongDim},
      {"pad", "t", {Int("by", "1", 0, 4)}, Pad},
      {"tril", "t", {}, Matrix},
      {"as_strided", "t", {}, FirstTwoByTwo},
      {"restride", "t", {}, FirstTwoByTwo},
      {"size", "t", {Dim("dim", "0")}, Size, 0, {}, Type::kInt},
      {"numel", "t", {}, NumberOfElements, 0, {}, Type::kInt},
      // Reductions and scans.
      {"sum", "t", Reduced(), Reduction},
      {"mean", "t", Reduced(), FloatReduction},
      {"amax", "t", Reduced(), NonEmptyReduction},
      {"amin", "t", Reduced(), NonEmptyReduction},
      {"var", "t", {Dim("dim", "-1")}, Variance},
      {"norm", "t", {Dim("dim", "-1")}, DropDim},
      {"logsumexp", "t", {Dim("dim", "-1")}, DropDim},
      {"argmax", "t", {Dim("dim", "-1")}, ArgMax},
      {"argmin", "t", {Dim("dim", "-1")}, ArgMax},
      {"cumsum", "t", {Dim("dim", "-1")}, AlongDim},
      {"cumprod", "t", {Dim("dim", "-1")}, AlongDim},
      {"sort", "t", {Dim("dim", "-1")}, AlongDim},
      {"topk", "t", {Int("k", "1", 1, 8), Dim("dim", "-1")}, TopK},
      {"diff", "t", {Dim("dim", "-1")}, Diff},
      // Made by size.
      {"zeros", "i", {}, SizedFactory},
      {"full", "if", {}, SizedFactory},
      {"arange", "i", {}, CountingFactory},
      {"eye", "i", {}, SquareFactory},
  };
}

Rows Control() {
  return {
      // Control, calls of what a slot or an earlier layer holds, graph breaks, exceptions.
      {"branch", "t", {On(), Unary("then", "relu"), Unary("else", "tanh")}, SameFloat},
      {"apply", "t", {{"fn", AttrKind::kFunction}}, SameFloat},
      {"reuse", "t", {{"of", AttrKind::kModule}}, SameAny},
      {"repeat", "ti", {Unary("fn", "sin")}, SameFloat},
      {"graph_break", "t", {}, SameAny, kBreaksGraph},
      {"check", "t", {On()}, SameFloat, kRaises},
      {"checked_index", "tt", {}, IndexRows, kRaises},
      // Containers, optional values, metadata, random numbers.
      {"item", "c", {{"key", AttrKind::kKey, "0"}}, Item},
      {"first_item", "c", {}, FirstItem},
      {"sum_items", "c", {}, SumItems},
      {"length", "c", {}, Length, 0, {}, Type::kInt},
      {"append_to", "tc", {}, AppendTo, kAppends},
      {"or_add", "to", {}, OptionalAdd},
      {"read_tag", "t", {}, SameFloat},
      {"draw_python", "tr", {}, DrawPython, kBreaksGraph},
      {"draw_generator", "tr", {}, DrawGenerator, kBreaksGraph},
      {"python_random",
       "t",
       {Choice("kind", "randint|uniform|random", "uniform")},
       SameFloat,
       kPythonRandom | kBreaksGraph},
      {"python_branch",
       "t",
       {Unary("then", "relu"), Unary("else", "tanh")},
       SameFloat,
       kPythonRandom | kBreaksGraph},
      // Writes of slots.
      {"count", "t", {Written("int|float"), Int("by", "1", -4, 4)}, SameFloat},
      {"lazy", "t", {Written("optional")}, OptionalAdd},
      {"store", "t", {Written("tensor")}, KeepIn},
      {"copy_into", "t", {Written("tensor")}, KeepIn},
      {"put_row", "t", {Written("tensor")}, PutRow},
      // Operators with definitions of their own.
      {"custom",
       "t",
       {Float("scale", "2.0", -4, 4), Float("grad", "2.0", -8, 8)},
       SameFloat,
       kRegistered},
      {"custom_grad", "t", {Unary("fn", "sin"), Float("grad", "2.0", -8, 8)}, SameFloat},
      {"inner_grad", "t", {Unary("fn", "sin")}, SameFloat},
      {"allow_in_graph", "t", {Unary("fn", "sin")}, SameFloat},
  };
}

}  // namespace

const std::vector<OpRow>& Operators() {
  static const auto* rows = [] {
    auto* all = new Rows;
    for (const Rows& part : {Layers(), Elementwise(), Rearranging(), ArrayOperators(), Control()})
      all->insert(all->end(), part.begin(), part.end());
    return all;
  }();
  return *rows;
}

}  // namespace reprise
