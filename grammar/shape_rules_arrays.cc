// Shape rules of grammar/op_table_arrays.cc.
#include <algorithm>

#include "grammar/shape_rules.h"

namespace reprise::rules {
namespace {

// Positions along one dimension: integers that the template takes modulo its size.
const char* CheckPositions(const Op& op, const std::vector<ValueInfo>& in, size_t* dim) {
  const auto d = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  if (!d || in[0].shape[*d] == 0) return "no such dimension";
  *dim = *d;
  return in[1].dtype == Dtype::kI64 ? nullptr : "not positions";
}

}  // namespace

const char* Logical(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  out->dtype = Dtype::kBool;
  return nullptr;
}

const char* ToInt(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const char* why = SameFloat(op, in, out);
  out->dtype = Dtype::kI64;
  return why;
}

const char* SplitSize(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  if (!dim) return "no such dimension";
  const int64_t left = in[0].shape[*dim] - AttrInt(op, "size") * AttrInt(op, "take");
  if (left <= 0) return "no such part";
  *out = in[0];
  out->shape[*dim] = std::min(left, AttrInt(op, "size"));
  return nullptr;
}

const char* MoveDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto a = ResolveDim(AttrInt(op, "a"), in[0].shape.size());
  const auto b = ResolveDim(AttrInt(op, "b"), in[0].shape.size());
  if (!a || !b) return "no such dimensions";
  *out = in[0];
  out->shape.erase(out->shape.begin() + static_cast<std::ptrdiff_t>(*a));
  out->shape.insert(out->shape.begin() + static_cast<std::ptrdiff_t>(*b), in[0].shape[*a]);
  return nullptr;
}

const char* ExpandRows(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].shape.empty() || in[0].shape[0] == 0) return "no row";
  *out = in[0];
  out->shape[0] = AttrInt(op, "rows");
  return nullptr;
}

const char* RepeatInterleave(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  if (!dim) return "no such dimension";
  *out = in[0];
  out->shape[*dim] *= AttrInt(op, "times");
  return nullptr;
}

const char* Diagonal(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].shape.size() < 2) return "not a matrix";
  const int64_t shift = AttrInt(op, "shift");
  const int64_t rows = in[0].shape[0] + std::min<int64_t>(shift, 0);
  const int64_t columns = in[0].shape[1] - std::max<int64_t>(shift, 0);
  *out = in[0];
  out->shape.assign(in[0].shape.begin() + 2, in[0].shape.end());
  out->shape.push_back(std::max<int64_t>(0, std::min(rows, columns)));
  return nullptr;
}

const char* Unfold(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  if (!dim || in[0].shape.size() >= kMaxRank) return "no such dimension";
  const int64_t size = AttrInt(op, "size"), room = in[0].shape[*dim] - size;
  if (room < 0) return "window larger than the dimension";
  *out = in[0];
  out->shape[*dim] = room / AttrInt(op, "step") + 1;
  out->shape.push_back(size);
  return nullptr;
}

const char* Image(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  return in[0].shape.size() == 4 ? nullptr : "not a batch of images";
}

const char* Distance(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const Shape &a = in[0].shape, &b = in[1].shape;
  const bool wide = in[0].dtype == Dtype::kF32 || in[0].dtype == Dtype::kF64;
  if (!wide || in[0].dtype != in[1].dtype) return "element types do not fit";
  if (a.size() != 2 || b.size() != 2 || a[1] != b[1] || a[1] == 0) return "not two sets of points";
  *out = in[0];
  out->shape[1] = b[0];
  return nullptr;
}

const char* IndexSelect(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  size_t dim = 0;
  if (const char* why = CheckPositions(op, in, &dim)) return why;
  if (in[1].shape.size() != 1) return "not a list of positions";
  *out = in[0];
  out->shape[dim] = in[1].shape[0];
  return nullptr;
}

const char* IndexAdd(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  size_t dim = 0;
  if (const char* why = CheckPositions(op, in, &dim)) return why;
  if (in[1].shape.size() != 1 || in[2].dtype != in[0].dtype) return "not a list of positions";
  Shape expected = in[0].shape;
  expected[dim] = in[1].shape[0];
  if (in[2].shape != expected) return "not as many values";
  return SameNumeric(op, in, out);
}

const char* Addcmul(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = SameFloat(op, in, out)) return why;
  for (size_t i = 1; i < in.size(); ++i) {
    if (in[i].dtype != in[0].dtype) return "element types differ";
    const auto shape = Broadcast(out->shape, in[i].shape);
    if (!shape) return "shapes do not broadcast";
    out->shape = *shape;
  }
  return nullptr;
}

const char* SliceLast(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].shape.empty()) return "no such dimension";
  *out = in[0];
  int64_t& size = out->shape.back();
  const auto bound = [&](const char* attr) {
    const int64_t i = AttrInt(op, attr);
    return std::clamp<int64_t>(i < 0 ? i + in[0].shape.back() : i, 0, in[0].shape.back());
  };
  const int64_t step = AttrInt(op, "step");
  size = std::max<int64_t>(0, (bound("to") - bound("from") + step - 1) / step);
  return nullptr;
}

const char* TestDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const char* why = DropDim(op, in, out);
  out->dtype = Dtype::kBool;
  return why;
}

// Long products of large numbers are infinite.
const char* Product(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = DropDim(op, in, out)) return why;
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  return in[0].shape[*dim] > 8 ? "too many factors" : nullptr;
}

const char* CosineSimilarity(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const bool same = in[0].shape == in[1].shape && in[0].dtype == in[1].dtype;
  return same ? DropDim(op, in, out) : "operands differ";
}

const char* TakeAlong(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = Gather(op, in, out)) return why;
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  for (size_t i = 0; i < in[0].shape.size(); ++i) {
    if (i != *dim && in[0].shape[i] != in[1].shape[i]) return "sizes differ";
  }
  return nullptr;
}

const char* PlaneFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  int64_t width = 0;
  if (const char* why = KnownSize(in[1], 0, &width)) return why;
  if (const char* why = SizedFactory(op, {in[0]}, out)) return why;
  out->shape.push_back(width);
  return nullptr;
}

const char* NewFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  out->dtype = in[0].dtype;
  return SizedFactory(op, {in[1]}, out);
}

}  // namespace reprise::rules
