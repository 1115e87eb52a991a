// Shape rules of comparing, choosing, converting, and making tensors by size.
#include "grammar/shape_rules.h"

namespace reprise {

const char* KnownSize(const ValueInfo& in, int64_t least, int64_t* size) {
  if (!in.number) return "the size is not known";
  *size = *in.number;
  return *size < least || *size > 64 ? "no such size" : nullptr;
}

namespace rules {

const char* Comparison(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  out->dtype = Dtype::kBool;
  if (in[1].type != Type::kTensor) return nullptr;
  const auto shape = Broadcast(in[0].shape, in[1].shape);
  if (!shape) return "shapes do not broadcast";
  out->shape = *shape;
  return nullptr;
}

const char* Where(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].dtype != Dtype::kBool || in[1].dtype != in[2].dtype) return "element types do not fit";
  const auto values = Broadcast(in[1].shape, in[2].shape);
  const auto shape = values ? Broadcast(in[0].shape, *values) : std::nullopt;
  if (!shape) return "shapes do not broadcast";
  *out = in[1];
  out->shape = *shape;
  return nullptr;
}

const char* MaskedFill(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (!IsFloat(in[0].dtype) || in[1].dtype != Dtype::kBool) return "element types do not fit";
  return Broadcast(in[0].shape, in[1].shape) == in[0].shape ? nullptr : "the mask does not fit";
}

const char* Cast(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  out->dtype = in[1].dtype;
  // What a float out of range becomes is undefined.
  return IsInteger(out->dtype) && IsFloat(in[0].dtype) ? "a float as an integer" : nullptr;
}

const char* SizedFactory(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  int64_t size = 0;
  if (const char* why = KnownSize(in[0], 0, &size)) return why;
  if (in.size() > 1 && in[1].type == Type::kInt) return "an integer would choose the element type";
  out->shape = {size};
  return nullptr;
}

const char* SquareFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (const char* why = SizedFactory(op, in, out)) return why;
  out->shape.push_back(out->shape[0]);
  return nullptr;
}

const char* CountingFactory(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  out->dtype = Dtype::kI64;
  return SizedFactory(op, in, out);
}

const char* NumberOfElements(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = ValueInfo{Type::kInt, Dtype::kI64, {}, NumElements(in[0].shape)};
  return nullptr;
}

}  // namespace rules
}  // namespace reprise
