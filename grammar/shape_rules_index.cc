// Shape rules of rearranging, indexing and scanning.
#include <algorithm>

#include "grammar/shape_rules.h"

namespace reprise::rules {
namespace {

std::optional<size_t> DimOf(const Op& op, const ValueInfo& in) {
  return ResolveDim(AttrInt(op, "dim"), in.shape.size());
}

}  // namespace

const char* Stack(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size() + 1);
  if (!dim || in[0].shape != in[1].shape || in[0].dtype != in[1].dtype) return "operands differ";
  if (in[0].shape.size() >= kMaxRank) return "too many dimensions";
  *out = in[0];
  out->shape.insert(out->shape.begin() + static_cast<std::ptrdiff_t>(*dim), 2);
  return nullptr;
}

const char* Permute(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const std::vector<int64_t> dims = ParseInts(Attr(op, "dims"));
  if (dims.size() != in[0].shape.size()) return "of another rank";
  std::vector<bool> used(dims.size());
  *out = in[0];
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto dim = ResolveDim(dims[i], dims.size());
    if (!dim || used[*dim]) return "no permutation";
    used[*dim] = true;
    out->shape[i] = in[0].shape[*dim];
  }
  return nullptr;
}

const char* Unsqueeze(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size() + 1);
  if (!dim || in[0].shape.size() >= kMaxRank) return "no such dimension";
  *out = in[0];
  out->shape.insert(out->shape.begin() + static_cast<std::ptrdiff_t>(*dim), 1);
  return nullptr;
}

const char* Squeeze(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (!dim) return "no such dimension";
  *out = in[0];
  if (in[0].shape[*dim] == 1)
    out->shape.erase(out->shape.begin() + static_cast<std::ptrdiff_t>(*dim));
  return nullptr;
}

const char* Slice(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].shape.empty()) return "no such dimension";
  const int64_t from = std::min(AttrInt(op, "from"), in[0].shape[0]);
  const int64_t to = std::min(AttrInt(op, "to"), in[0].shape[0]), step = AttrInt(op, "step");
  *out = in[0];
  out->shape[0] = std::max<int64_t>(0, (to - from + step - 1) / step);
  return nullptr;
}

const char* Select(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (!dim) return "no such dimension";
  if (!in[1].number) return "the index is not known";
  const int64_t size = in[0].shape[*dim];
  if (*in[1].number < -size || *in[1].number >= size) return "no such element";
  *out = in[0];
  out->shape.erase(out->shape.begin() + static_cast<std::ptrdiff_t>(*dim));
  return nullptr;
}

const char* IndexRows(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (!IsInteger(in[1].dtype)) return "indices are integers";
  if (in[0].shape.empty() || in[0].shape[0] == 0) return "no rows";
  if (in[0].shape.size() + in[1].shape.size() > kMaxRank + 1) return "too many dimensions";
  *out = in[0];
  out->shape = in[1].shape;
  out->shape.insert(out->shape.end(), in[0].shape.begin() + 1, in[0].shape.end());
  return nullptr;
}

const char* Gather(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (in[1].dtype != Dtype::kI64) return "ids are i64";
  if (!dim || in[0].shape.size() != in[1].shape.size() || in[0].shape[*dim] == 0)
    return "no such dimension";
  for (size_t i = 0; i < in[0].shape.size(); ++i) {
    if (i != *dim && in[1].shape[i] > in[0].shape[i]) return "more ids than elements";
  }
  *out = in[0];
  out->shape = in[1].shape;
  return nullptr;
}

const char* ScatterAdd(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = Gather(op, in, out)) return why;
  if (in[2].dtype != in[0].dtype || in[2].shape != in[1].shape) return "sources do not fit";
  *out = in[0];
  return nullptr;
}

const char* OneHot(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kI64) return "ids are i64";
  if (in[0].shape.size() >= kMaxRank) return "too many dimensions";
  *out = in[0];
  out->shape.push_back(AttrInt(op, "classes"));
  return nullptr;
}

const char* Expand(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  int64_t size = 0;
  if (const char* why = KnownSize(in[1], 0, &size)) return why;
  if (in[0].shape.size() >= kMaxRank) return "too many dimensions";
  *out = in[0];
  out->shape.insert(out->shape.begin(), size);
  return nullptr;
}

const char* RepeatRows(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  int64_t times = 0;
  if (const char* why = KnownSize(in[1], 0, &times)) return why;
  if (in[0].shape.empty()) return "no rows";
  *out = in[0];
  out->shape[0] *= times;
  return nullptr;
}

const char* Narrow(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  int64_t start = 0, length = 0;
  if (const char* why = KnownSize(in[1], 0, &start)) return why;
  if (const char* why = KnownSize(in[2], 0, &length)) return why;
  if (in[0].shape.empty() || start + length > in[0].shape[0]) return "beyond the end";
  *out = in[0];
  out->shape[0] = length;
  return nullptr;
}

const char* Pad(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].shape.empty()) return "no such dimension";
  *out = in[0];
  out->shape.back() += 2 * AttrInt(op, "by");
  return nullptr;
}

const char* Matrix(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  return in[0].shape.size() < 2 ? "no matrix" : nullptr;
}

const char* TransposedMatrix(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (in[0].shape.size() != 2) return "no matrix";
  std::swap(out->shape[0], out->shape[1]);
  return nullptr;
}

const char* FirstTwoByTwo(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const bool fits = in[0].shape.size() == 2 && in[0].shape[0] >= 2 && in[0].shape[1] >= 2;
  *out = in[0];
  out->shape = {2, 2};
  return fits ? nullptr : "no 2 by 2 elements";
}

const char* Outer(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (!IsFloat(in[0].dtype) || in[0].dtype != in[1].dtype) return "element types do not fit";
  if (in[0].shape.size() != 2 || in[1].shape.size() != 2 || in[0].shape[0] != in[1].shape[0])
    return "sizes do not fit";
  *out = in[0];
  out->shape.push_back(in[1].shape[1]);
  return nullptr;
}

const char* HalveDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (!dim || !IsFloat(in[0].dtype)) return "no such dimension";
  if (in[0].shape[*dim] % 2 != 0 || in[0].shape[*dim] == 0) return "cannot be halved";
  *out = in[0];
  out->shape[*dim] /= 2;
  return nullptr;
}

const char* Diff(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (!dim || in[0].dtype == Dtype::kBool) return "no such dimension";
  if (in[0].shape[*dim] == 0) return "nothing to subtract";
  *out = in[0];
  --out->shape[*dim];
  return nullptr;
}

const char* TopK(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (!dim || !IsFloat(in[0].dtype)) return "no such dimension";
  if (in[0].shape[*dim] < AttrInt(op, "k")) return "too few elements";
  *out = in[0];
  out->shape[*dim] = AttrInt(op, "k");
  return nullptr;
}

const char* ArgMax(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  if (!dim || !IsFloat(in[0].dtype)) return "no such dimension";
  if (in[0].shape[*dim] == 0) return "nothing to choose from";
  *out = in[0];
  out->dtype = Dtype::kI64;
  out->shape.erase(out->shape.begin() + static_cast<std::ptrdiff_t>(*dim));
  return nullptr;
}

const char* DropDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = ArgMax(op, in, out)) return why;
  out->dtype = in[0].dtype;
  return nullptr;
}

const char* Variance(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = DimOf(op, in[0]);
  // One value has no variance.
  if (dim && in[0].shape[*dim] < 2) return "too few values";
  return DropDim(op, in, out);
}

}  // namespace reprise::rules
