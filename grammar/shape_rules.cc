#include "grammar/shape_rules.h"

#include <algorithm>

namespace reprise {

std::optional<Shape> Broadcast(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

std::optional<size_t> ResolveDim(int64_t dim, size_t rank) {
  if (dim < 0) dim += static_cast<int64_t>(rank);
  if (dim < 0 || dim >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(dim);
}

namespace rules {
namespace {

const char* Arithmetic2(const std::vector<ValueInfo>& in, ValueInfo* out) {
  const ValueInfo &a = in[0], &b = in[1];
  *out = a;
  if (a.dtype == Dtype::kBool) return "arithmetic on booleans";
  if (b.type == Type::kFloat && !IsFloat(a.dtype)) return "a float with an integer tensor";
  // Compilers model a NumPy scalar as an array without dimensions, and document that; it promotes
  // otherwise than a number does (PyTorch: torch.compiler_faq).
  if (b.type == Type::kScalar && (!IsFloat(a.dtype) || a.shape.empty()))
    return "a NumPy scalar would choose the element type";
  if (b.type != Type::kTensor) return nullptr;
  if (a.dtype != b.dtype) return "element types differ";
  const auto shape = Broadcast(a.shape, b.shape);
  if (!shape) return "shapes do not broadcast";
  out->shape = *shape;
  return nullptr;
}

}  // namespace

const char* SameAny(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  return nullptr;
}

const char* SameFloat(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  return IsFloat(in[0].dtype) ? SameAny(op, in, out) : "not a float tensor";
}

const char* SameNumeric(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  return in[0].dtype != Dtype::kBool ? SameAny(op, in, out) : "a boolean tensor";
}

const char* AlongDim(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (!ResolveDim(AttrInt(op, "dim"), in[0].shape.size())) return "no such dimension";
  return SameFloat(op, in, out);
}

const char* Arithmetic(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  return Arithmetic2(in, out);
}

const char* Division(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  return IsFloat(in[0].dtype) ? Arithmetic2(in, out) : "division of integers";
}

const char* InPlaceArithmetic(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = Arithmetic2(in, out)) return why;
  return out->shape == in[0].shape ? nullptr : "an in-place result must keep its shape";
}

const char* Linear(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kF32) return "parameters are f32";
  if (in[0].shape.empty() || in[0].shape.back() == 0) return "no features";
  *out = in[0];
  out->shape.back() = AttrInt(op, "out");
  return nullptr;
}

const char* Conv2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kF32) return "parameters are f32";
  if (in[0].shape.size() != 4 || in[0].shape[1] == 0) return "not an image batch";
  *out = in[0];
  out->shape[1] = AttrInt(op, "out");
  for (size_t i = 2; i < 4; ++i) {
    const int64_t room = in[0].shape[i] + 2 * AttrInt(op, "pad") - AttrInt(op, "kernel");
    if (room < 0) return "kernel larger than the image";
    out->shape[i] = room / AttrInt(op, "stride") + 1;
  }
  return nullptr;
}

const char* Pool2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (!IsFloat(in[0].dtype)) return "not a float tensor";
  if (in[0].shape.size() != 4 || in[0].shape[1] == 0) return "not an image batch";
  *out = in[0];
  for (size_t i = 2; i < 4; ++i) {
    const int64_t size = in[0].shape[i] / AttrInt(op, "kernel");
    if (size == 0) return "window larger than the image";
    out->shape[i] = size;
  }
  return nullptr;
}

const char* BatchNorm(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kF32) return "parameters are f32";
  if (in[0].shape.size() < 2 || in[0].shape.size() > 4) return "no channels";
  *out = in[0];
  // Statistics of one value per channel are refused by the frameworks in training mode.
  if (in[0].shape[1] == 0 || NumElements(in[0].shape) / in[0].shape[1] < 2) return "too few values";
  return nullptr;
}

const char* LayerNorm(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kF32) return "parameters are f32";
  // One feature has variance 0: the result is noise.
  if (in[0].shape.empty() || in[0].shape.back() < 2) return "too few features";
  *out = in[0];
  return nullptr;
}

const char* Matmul(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const Shape &a = in[0].shape, &b = in[1].shape;
  if (in[0].dtype != in[1].dtype || !IsFloat(in[0].dtype)) return "element types do not fit";
  if (a.size() < 2 || b.size() < 2 || a.back() != b[b.size() - 2]) return "sizes do not fit";
  const auto batch = Broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  if (!batch) return "batches do not broadcast";
  *out = in[0];
  out->shape = *batch;
  out->shape.push_back(a[a.size() - 2]);
  out->shape.push_back(b.back());
  return nullptr;
}

const char* Cat(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const Shape &a = in[0].shape, &b = in[1].shape;
  const auto dim = ResolveDim(AttrInt(op, "dim"), a.size());
  if (!dim || a.size() != b.size() || in[0].dtype != in[1].dtype) return "ranks or types differ";
  for (size_t i = 0; i < a.size(); ++i) {
    if (i != *dim && a[i] != b[i]) return "sizes differ";
  }
  *out = in[0];
  out->shape[*dim] += b[*dim];
  return nullptr;
}

const char* Split(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  if (!dim) return "no such dimension";
  const int64_t size = in[0].shape[*dim], parts = AttrInt(op, "parts"), take = AttrInt(op, "take");
  const int64_t step = (size + parts - 1) / parts;
  if (size == 0 || take >= parts || step * take >= size) return "no such part";
  *out = in[0];
  out->shape[*dim] = std::min(step, size - step * take);
  return nullptr;
}

const char* Reshape(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const std::vector<int64_t> wanted = ParseInts(Attr(op, "shape"));
  const int64_t total = NumElements(in[0].shape);
  int64_t known = 1;
  int unknown = -1;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] >= 0) {
      known *= wanted[i];
    } else if (unknown >= 0) {
      return "two unknown sizes";
    } else {
      unknown = static_cast<int>(i);
    }
  }
  *out = in[0];
  out->shape = wanted;
  if (unknown < 0) return known == total ? nullptr : "sizes do not fit";
  if (known == 0 || total % known != 0) return "sizes do not fit";
  out->shape[unknown] = total / known;
  return nullptr;
}

const char* Flatten(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto start = ResolveDim(AttrInt(op, "start"), in[0].shape.size());
  if (!start) return "no such dimension";
  *out = in[0];
  out->shape.assign(in[0].shape.begin(), in[0].shape.begin() + *start);
  out->shape.push_back(NumElements(Shape(in[0].shape.begin() + *start, in[0].shape.end())));
  return nullptr;
}

const char* Transpose(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto a = ResolveDim(AttrInt(op, "a"), in[0].shape.size());
  const auto b = ResolveDim(AttrInt(op, "b"), in[0].shape.size());
  if (!a || !b || *a == *b) return "no such dimensions";
  *out = in[0];
  std::swap(out->shape[*a], out->shape[*b]);
  return nullptr;
}

const char* Reduction(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype == Dtype::kBool) return "a boolean tensor";
  *out = in[0];
  // Integer sums accumulate in the widest integer type.
  if (IsInteger(in[0].dtype)) out->dtype = Dtype::kI64;
  const std::vector<int64_t> dims = ParseInts(Attr(op, "dim"));
  const bool keep = Attr(op, "keep") == "yes";
  std::vector<bool> reduced(in[0].shape.size(), dims.empty());
  for (int64_t dim : dims) {
    const auto d = ResolveDim(dim, reduced.size());
    if (!d || reduced[*d]) return "no such dimension";
    reduced[*d] = true;
  }
  if (dims.empty() && keep) return "keeping all dimensions needs them named";
  out->shape.clear();
  for (size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i]) out->shape.push_back(in[0].shape[i]);
    if (reduced[i] && keep) out->shape.push_back(1);
  }
  return nullptr;
}

const char* FloatReduction(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (!IsFloat(in[0].dtype)) return "not a float tensor";
  return NonEmptyReduction(op, in, out);
}

const char* NonEmptyReduction(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (NumElements(in[0].shape) == 0) return "nothing to reduce";
  const char* why = Reduction(op, in, out);
  out->dtype = in[0].dtype;
  return why;
}

const char* Size(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const auto dim = ResolveDim(AttrInt(op, "dim"), in[0].shape.size());
  if (!dim) return "no such dimension";
  *out = ValueInfo{Type::kInt, Dtype::kI64, {}, in[0].shape[*dim]};
  return nullptr;
}

}  // namespace rules
}  // namespace reprise
