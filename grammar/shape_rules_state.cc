// Shape rules of operators that read containers, optional values and generators, or write slots.
#include <algorithm>

#include "grammar/shape_rules.h"

namespace reprise::rules {
namespace {

const char* NeedEqual(const ValueInfo& a, const ValueInfo& b) {
  if (a.dtype != b.dtype) return "element types differ";
  return a.shape == b.shape ? nullptr : "sizes differ";
}

}  // namespace

const char* OptionalAdd(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (!IsFloat(in[0].dtype)) return "not a float tensor";
  if (in[1].none) return nullptr;
  if (in[1].dtype != in[0].dtype) return "element types differ";
  return Broadcast(in[0].shape, in[1].shape) == in[0].shape ? nullptr : "sizes differ";
}

const char* SumItems(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].type == Type::kData) return "a dataclass is not iterated";
  if (in[0].items.empty()) return "an empty container";
  for (const ValueInfo& item : in[0].items) {
    if (item.dtype == Dtype::kBool) return "arithmetic on booleans";
    if (const char* why = NeedEqual(item, in[0].items[0])) return why;
  }
  *out = in[0].items[0];
  return nullptr;
}

const char* FirstItem(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].type == Type::kData) return "a dataclass is not iterated";
  if (in[0].items.empty()) return "an empty container";
  *out = in[0].items[0];
  return nullptr;
}

const char* Item(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out) {
  const std::string& key = Attr(op, "key");
  size_t index = static_cast<size_t>(ParseInt(key, -1));
  if (!in[0].keys.empty()) {
    const auto it = std::find(in[0].keys.begin(), in[0].keys.end(), key);
    index = static_cast<size_t>(it - in[0].keys.begin());
  }
  if (index >= in[0].items.size()) return "no such item";
  *out = in[0].items[index];
  return nullptr;
}

const char* Length(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  if (in[0].type == Type::kData) return "a dataclass has no length";
  *out = ValueInfo{Type::kInt, Dtype::kI64, {}, static_cast<int64_t>(in[0].items.size())};
  return nullptr;
}

const char* AppendTo(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (in[0].dtype == Dtype::kBool) return "arithmetic on booleans";
  return in[1].type == Type::kList ? nullptr : "only lists are appended to";
}

const char* DrawPython(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (!IsFloat(in[0].dtype)) return "not a float tensor";
  return in[1].type == Type::kRandom ? nullptr : "not a random.Random";
}

const char* DrawGenerator(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (!IsFloat(in[0].dtype)) return "not a float tensor";
  return in[1].type == Type::kGenerator ? nullptr : "not a generator of the framework";
}

const char* KeepIn(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  return IsFloat(in[0].dtype) ? NeedEqual(in[0], in[1]) : "not a float tensor";
}

const char* PutRow(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (in[0].shape.empty() || in[1].shape.empty()) return "no rows";
  if (in[0].shape[0] == 0 || in[1].shape[0] == 0) return "no rows";
  ValueInfo row = in[0];
  row.shape[0] = in[1].shape[0];
  return IsFloat(in[0].dtype) ? NeedEqual(row, in[1]) : "not a float tensor";
}

const char* CopyInto(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  return NeedEqual(in[0], in[1]);
}

const char* WriteRow(const Op&, const std::vector<ValueInfo>& in, ValueInfo* out) {
  *out = in[0];
  if (!IsFloat(in[0].dtype)) return "not a float tensor";
  return in[0].shape.empty() || in[0].shape[0] == 0 ? "no rows" : nullptr;
}

}  // namespace reprise::rules
