// The operators. One row each; CONTRIBUTING.md shows how one is added.
#include "grammar/shape_rules.h"
#include "grammar/tables.h"

namespace reprise {
namespace {

AttrSpec Int(const char* name, const char* fallback, double lo, double hi) {
  return {name, AttrKind::kInt, fallback, lo, hi};
}
AttrSpec Float(const char* name, const char* fallback, double lo, double hi) {
  return {name, AttrKind::kFloat, fallback, lo, hi};
}
AttrSpec Dim(const char* name, const char* fallback) { return Int(name, fallback, -4, 3); }
AttrSpec Unary(const char* name, const char* fallback) {
  return {name, AttrKind::kUnary, fallback};
}

const std::vector<AttrSpec>& ReductionAttrs() {
  static const auto* attrs = new std::vector<AttrSpec>{
      {"dim", AttrKind::kInts, "[]", -4, 3}, {"keep", AttrKind::kChoice, "no", 0, 0, "no|yes"}};
  return *attrs;
}

}  // namespace

const std::vector<OpRow>& Operators() {
  using namespace rules;
  constexpr unsigned kLayer = kModuleOp | kParameters;
  static const auto* rows = new std::vector<OpRow>{
      // Layers.
      {"linear", "t", {Int("out", "4", 1, 32)}, Linear, kLayer, {-1}},
      {"conv2d",
       "t",
       {Int("out", "4", 1, 16), Int("kernel", "3", 1, 5), Int("stride", "1", 1, 3),
        Int("pad", "1", 0, 2)},
       Conv2d,
       kLayer,
       {1}},
      {"batch_norm", "t", {}, BatchNorm, kLayer, {1}},
      {"layer_norm", "t", {}, LayerNorm, kLayer, {-1}},
      {"dropout", "t", {Float("p", "0.5", 0, 0.9)}, SameFloat, kModuleOp | kRandom},
      {"max_pool2d", "t", {Int("kernel", "2", 1, 4)}, Pool2d},
      // Elementwise.
      {"relu", "t", {}, SameFloat},
      {"tanh", "t", {}, SameFloat},
      {"sigmoid", "t", {}, SameFloat},
      {"gelu", "t", {}, SameFloat},
      {"sin", "t", {}, SameFloat},
      {"neg", "t", {}, SameNumeric},
      {"softmax", "t", {Dim("dim", "-1")}, AlongDim},
      {"clamp", "t", {Float("lo", "-0.5", -10, 0), Float("hi", "0.5", 0, 10)}, SameFloat},
      {"add", "tn", {}, Arithmetic},
      {"sub", "tn", {}, Arithmetic},
      {"mul", "tn", {}, Arithmetic},
      {"div", "tn", {}, Division},
      {"add_", "tn", {}, InPlaceArithmetic, kInPlace},
      {"mul_", "tn", {}, InPlaceArithmetic, kInPlace},
      // Contraction, rearrangement, reduction.
      {"matmul", "tt", {}, Matmul},
      {"cat", "tt", {Dim("dim", "-1")}, Cat},
      {"split", "t", {Int("parts", "2", 1, 4), Dim("dim", "-1"), Int("take", "0", 0, 3)}, Split},
      {"reshape", "t", {{"shape", AttrKind::kInts, "[-1]", -1, 64}}, Reshape},
      {"flatten", "t", {Dim("start", "1")}, Flatten},
      {"transpose", "t", {Dim("a", "0"), Dim("b", "1")}, Transpose},
      {"sum", "t", ReductionAttrs(), Reduction},
      {"mean", "t", ReductionAttrs(), FloatReduction},
      {"amax", "t", ReductionAttrs(), NonEmptyReduction},
      {"size", "t", {Dim("dim", "0")}, Size, 0, {}, Type::kInt},
      // Control, calls of what a slot or an earlier layer holds, graph breaks.
      {"branch",
       "t",
       {{"on", AttrKind::kPredicate, "training"}, Unary("then", "relu"), Unary("else", "tanh")},
       SameFloat},
      {"apply", "t", {{"fn", AttrKind::kFunction}}, SameFloat},
      {"reuse", "t", {{"of", AttrKind::kModule}}, SameAny},
      {"graph_break", "t", {}, SameAny, kBreaksGraph},
  };
  return *rows;
}

}  // namespace reprise
