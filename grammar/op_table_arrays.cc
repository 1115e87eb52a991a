// More operators on arrays: windows and parts, tests and distances, positions, conversions.
#include "grammar/op_rows.h"
#include "grammar/shape_rules.h"

namespace reprise {

std::vector<OpRow> ArrayOperators() {
  using namespace rules;
  const AttrSpec last = Dim("dim", "-1"), first = Dim("dim", "0"), shift = Int("shift", "0", -2, 2);
  return {
      // Elementwise.
      {"square", "t", {}, SameNumeric},
      {"rsqrt", "t", {}, SameFloat},
      {"remainder", "tf", {}, SameFloat},
      {"addcmul", "ttt", {}, Addcmul},
      {"logical_not", "t", {}, Logical},
      {"to_int", "t", {}, ToInt},
      {"sub_", "tn", {}, InPlaceArithmetic, kInPlace},
      {"clamp_",
       "t",
       {Float("lo", "-0.5", -10, 0), Float("hi", "0.5", 0, 10)},
       SameFloat,
       kInPlace},
      {"index_fill_", "t", {}, WriteRow, kInPlace},
      // Rearrangement.
      {"split_size", "t", {Int("size", "2", 1, 8), last, Int("take", "0", 0, 3)}, SplitSize},
      {"movedim", "t", {Dim("a", "0"), Dim("b", "1")}, MoveDim},
      {"slice_last",
       "t",
       {Int("from", "-3", -8, 8), Int("to", "64", -8, 64), Int("step", "1", 1, 4)},
       SliceLast},
      {"expand_rows", "t", {Int("rows", "3", 1, 8)}, ExpandRows},
      {"tile", "ti", {}, RepeatRows},
      {"repeat_interleave", "t", {Int("times", "2", 1, 4), last}, RepeatInterleave},
      {"diagonal", "t", {shift}, Diagonal},
      {"unfold", "t", {last, Int("size", "2", 1, 4), Int("step", "1", 1, 3)}, Unfold},
      {"own_strides", "t", {}, SameAny},
      {"channels_last", "t", {}, Image},
      // Reductions and distances.
      {"max", "t", {last}, DropDim},
      {"std", "t", {last}, Variance},
      {"prod", "t", {last}, Product},
      {"any", "t", {last}, TestDim},
      {"all", "t", {last}, TestDim},
      {"cosine_similarity", "tt", {last}, CosineSimilarity},
      {"cdist", "tt", {}, Distance},
      // Positions, taken modulo the size.
      {"index_select", "tt", {first}, IndexSelect},
      {"take_along", "tt", {last}, TakeAlong},
      {"index_add", "ttt", {first}, IndexAdd},
      // Made by size.
      {"ones", "ii", {}, PlaneFactory},
      {"new_zeros", "ti", {}, NewFactory},
      {"empty_copy", "t", {}, SameAny},  // memory as it comes, then written
      // A function that is defined in each call.
      {"nested", "t", {Unary("fn", "sin")}, SameFloat},
  };
}

}  // namespace reprise
