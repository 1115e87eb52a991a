// Shape rules of layers and of what works on images and sequences.
#include <algorithm>

#include "grammar/shape_rules.h"

namespace reprise::rules {
namespace {

// [batch, channel, spatial...] of `rank` dimensions, none of them empty.
const char* NeedImage(const ValueInfo& in, size_t rank) {
  if (!IsFloat(in.dtype)) return "not a float tensor";
  if (in.shape.size() != rank) return "of another rank";
  return NumElements(in.shape) == 0 ? "an empty batch or image" : nullptr;
}

const char* NeedSequence(const ValueInfo& in) { return NeedImage(in, 3); }

// A window that moves over dimensions 2 and on.
const char* Slide(const ValueInfo& in, int64_t kernel, int64_t stride, int64_t pad,
                  ValueInfo* out) {
  *out = in;
  for (size_t i = 2; i < in.shape.size(); ++i) {
    const int64_t room = in.shape[i] + 2 * pad - kernel;
    if (room < 0) return "window larger than the image";
    out->shape[i] = room / stride + 1;
  }
  return nullptr;
}

}  // namespace

const char* Conv1d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 3)) return why;
  const char* why =
      Slide(in[0], AttrInt(op, "kernel"), AttrInt(op, "stride"), AttrInt(op, "pad"), out);
  out->shape[1] = AttrInt(op, "out");
  return why;
}

const char* ConvTranspose2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 4)) return why;
  *out = in[0];
  out->shape[1] = AttrInt(op, "out");
  for (size_t i = 2; i < 4; ++i)
    out->shape[i] = (in[0].shape[i] - 1) * AttrInt(op, "stride") + AttrInt(op, "kernel");
  return nullptr;
}

const char* DepthwiseConv(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 4)) return why;
  const int64_t kernel = AttrInt(op, "kernel");
  return Slide(in[0], kernel, 1, kernel / 2, out);
}

const char* AveragePool2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 4)) return why;
  return Slide(in[0], AttrInt(op, "kernel"), AttrInt(op, "kernel"), 0, out);
}

const char* MaxPool1d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 3)) return why;
  return Slide(in[0], AttrInt(op, "kernel"), AttrInt(op, "kernel"), 0, out);
}

const char* AdaptivePool2d(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 4)) return why;
  *out = in[0];
  out->shape[2] = out->shape[3] = AttrInt(op, "size");
  return nullptr;
}

const char* Interpolate(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 4)) return why;
  *out = in[0];
  for (size_t i = 2; i < 4; ++i) out->shape[i] *= AttrInt(op, "scale");
  return nullptr;
}

const char* GroupNorm(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].shape.size() < 3) return "no channels";
  if (const char* why = NeedImage(in[0], in[0].shape.size())) return why;
  const int64_t groups = AttrInt(op, "groups");
  if (in[0].shape[1] % groups != 0) return "channels do not divide into groups";
  // One value per group has variance 0: the result is noise.
  if (NumElements(in[0].shape) / (in[0].shape[0] * groups) < 2) return "too few values";
  *out = in[0];
  return nullptr;
}

const char* InstanceNorm(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 4)) return why;
  if (in[0].shape[2] * in[0].shape[3] < 2) return "too few values";
  *out = in[0];
  return nullptr;
}

const char* Embedding(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kI64) return "ids are i64";
  *out = in[0];
  out->dtype = Dtype::kF32;
  out->shape.push_back(AttrInt(op, "dim"));
  return nullptr;
}

const char* Recurrent(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedSequence(in[0])) return why;
  *out = in[0];
  out->shape[2] = AttrInt(op, "hidden");
  return nullptr;
}

const char* SelfAttention(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedSequence(in[0])) return why;
  if (in[0].shape[2] % AttrInt(op, "heads") != 0) return "features do not divide into heads";
  *out = in[0];
  return nullptr;
}

const char* DotProductAttention(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const Shape &q = in[0].shape, &k = in[1].shape, &v = in[2].shape;
  for (const ValueInfo& value : in) {
    if (const char* why = NeedImage(value, q.size())) return why;
    if (value.dtype != in[0].dtype) return "element types differ";
  }
  const size_t rank = q.size();
  if (rank < 3) return "of another rank";
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (q[i] != k[i] || k[i] != v[i]) return "batches differ";
  }
  if (q[rank - 1] != k[rank - 1] || k[rank - 2] != v[rank - 2]) return "sizes do not fit";
  *out = in[0];
  out->shape.back() = v.back();
  return nullptr;
}

const char* CrossEntropy(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = NeedImage(in[0], 2)) return why;
  if (in[1].dtype != Dtype::kI64 || in[1].shape != Shape{in[0].shape[0]}) return "no class a row";
  *out = in[0];
  out->shape.clear();
  return nullptr;
}

const char* SquaredError(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (!IsFloat(in[0].dtype) || in[0].dtype != in[1].dtype) return "element types do not fit";
  if (in[0].shape != in[1].shape || NumElements(in[0].shape) == 0) return "sizes do not fit";
  *out = in[0];
  out->shape.clear();
  return nullptr;
}

}  // namespace reprise::rules
