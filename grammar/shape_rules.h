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
}  // namespace rules

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_SHAPE_RULES_H_
