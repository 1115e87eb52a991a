// Shape and dtype rules that operator rows share. All are total on any operands.
#ifndef REPRISE_GRAMMAR_SHAPE_RULES_H_
#define REPRISE_GRAMMAR_SHAPE_RULES_H_

#include <optional>
#include <vector>

#include "grammar/test_case.h"

namespace reprise {

// NumPy's broadcasting of two shapes; nullopt where they do not fit.
std::optional<Shape> Broadcast(const Shape& a, const Shape& b);
// Dimension -1 counts from the end; nullopt where the tensor has no such dimension.
std::optional<size_t> ResolveDim(int64_t dim, size_t rank);

// A size that is known before execution, at least `least`, and that a case may have; or why not.
const char* KnownSize(const ValueInfo& in, int64_t least, int64_t* size);

namespace rules {
const char* SameFloat(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SameNumeric(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SameAny(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* AlongDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Arithmetic(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Division(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* InPlaceArithmetic(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Linear(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Conv2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Pool2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* BatchNorm(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* LayerNorm(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Matmul(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Cat(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Split(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Reshape(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Flatten(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Transpose(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Reduction(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* FloatReduction(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* NonEmptyReduction(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Size(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Conv1d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* ConvTranspose2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* DepthwiseConv(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* AveragePool2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* MaxPool1d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* AdaptivePool2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Interpolate(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* GroupNorm(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* InstanceNorm(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Embedding(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Recurrent(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SelfAttention(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* DotProductAttention(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* CrossEntropy(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SquaredError(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Stack(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Permute(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Unsqueeze(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Squeeze(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Slice(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Select(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* IndexRows(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Gather(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* ScatterAdd(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* OneHot(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Expand(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* RepeatRows(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Narrow(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Pad(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Matrix(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* TransposedMatrix(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* FirstTwoByTwo(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Outer(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* HalveDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Diff(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* TopK(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* ArgMax(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* DropDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Variance(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Comparison(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Where(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* MaskedFill(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Cast(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SizedFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SquareFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* CountingFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* NumberOfElements(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* OptionalAdd(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SumItems(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* FirstItem(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Item(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Length(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* AppendTo(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* DrawPython(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* DrawGenerator(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* KeepIn(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* PutRow(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* CopyInto(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* WriteRow(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Logical(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* ToInt(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SplitSize(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* MoveDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* ExpandRows(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* RepeatInterleave(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Diagonal(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Unfold(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Image(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Distance(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* IndexSelect(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* IndexAdd(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Addcmul(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* SliceLast(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* TestDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* Product(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* CosineSimilarity(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* TakeAlong(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* PlaneFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
const char* NewFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);
}  // namespace rules

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_SHAPE_RULES_H_
