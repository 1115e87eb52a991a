#include "grammar/follow_rows.h"

#include <algorithm>
#include <optional>
#include <set>

#include "grammar/scope.h"
#include "grammar/shape_rules.h"

namespace reprise {
namespace {

// One operator in one call.
struct Use {
  const Op& op;
  std::vector<Track> in;
  std::vector<ValueInfo> operands;
  const ValueInfo& out;
  bool evaluating;

  size_t rank(size_t i = 0) const { return operands[i].shape.size(); }
  size_t axis() const { return in[0].axis; }
  // The row's dimension attribute; the rank where it is none of the first operand's.
  size_t Dim(const char* name, size_t rank) const {
    return ResolveDim(AttrInt(op, name), rank).value_or(rank);
  }
};

using Rule = Track (*)(const Use& use);
constexpr Track kMixedUp{Flow::kMixed, 0};

Track Moved(const Use& use, size_t axis) { return {use.in[0].flow, axis}; }
Track KeptUnless(const Use& use, bool mixes) { return mixes ? kMixedUp : use.in[0]; }

// Element by element; the shapes of operands are aligned at their ends.
Track Each(const Use& use) {
  const size_t rank = use.out.shape.size();
  Track result;
  for (size_t i = 0; i < use.in.size(); ++i) {
    if (use.in[i].flow == Flow::kConstant) continue;
    const size_t axis = use.in[i].axis + rank - use.rank(i);
    if (result.flow != Flow::kConstant && result.axis != axis) return kMixedUp;
    result = {std::max(result.flow, use.in[i].flow), axis};
  }
  for (size_t i = 0; i < use.in.size(); ++i) {
    if (use.in[i].flow != Flow::kConstant || use.operands[i].type != Type::kTensor) continue;
    const size_t behind = rank - result.axis;  // dimensions from the rows on
    if (use.rank(i) >= behind && use.operands[i].shape[use.rank(i) - behind] != 1) return kMixedUp;
  }
  return result;
}

// Turned into another kind of number, element by element: integers jump.
Track Converted(const Use& use) {
  return IsFloat(use.operands[0].dtype) && !IsFloat(use.out.dtype) ? kMixedUp : Each(use);
}

Track Chosen(const Use& use) {
  static const std::set<std::string> kSizeless{"training", "grad_enabled", "truth",    "less",
                                               "equals",   "dtype",        "floating", "rank",
                                               "none",     "has",          "contains", "count"};
  const std::string name = ParsePredicate(Attr(use.op, "on")).row->name;
  return kSizeless.contains(name) ? Each(use) : kMixedUp;
}

Track AllButLast(const Use& use) { return KeptUnless(use, use.axis() + 1 == use.rank()); }
Track FirstOnly(const Use& use) { return KeptUnless(use, use.axis() != 0); }
Track AllButFirst(const Use& use) { return KeptUnless(use, use.axis() == 0); }
Track Evaluated(const Use& use) { return KeptUnless(use, !use.evaluating || use.axis() != 0); }
Track EvaluatedEach(const Use& use) { return KeptUnless(use, !use.evaluating); }

// [batch, time, features]: what comes later does not reach what came before.
Track Recurring(const Use& use) {
  if (use.rank() != 3 || use.axis() == 2) return kMixedUp;
  return use.axis() == 0 ? use.in[0] : Track{Flow::kPrefix, 1};
}

Track SelfAttending(const Use& use) { return KeptUnless(use, use.rank() != 3 || use.axis() != 0); }

Track Attending(const Use& use) {
  for (size_t i = 0; i < 3; ++i) {
    if (use.in[i].flow == Flow::kConstant || use.in[i].axis != use.axis()) return kMixedUp;
    if (use.rank(i) != use.rank() || use.axis() + 1 == use.rank()) return kMixedUp;
  }
  const Flow flow = std::max({use.in[0].flow, use.in[1].flow, use.in[2].flow});
  if (use.axis() + 2 < use.rank()) return {flow, use.axis()};
  return Attr(use.op, "causal") == "yes" ? Track{Flow::kPrefix, use.axis()} : kMixedUp;
}

Track AlongOther(const Use& use) {
  return KeptUnless(use, use.Dim("dim", use.rank()) == use.axis());
}

Track Accumulated(const Use& use) {
  const bool along = use.Dim("dim", use.rank()) == use.axis();
  return {along ? Flow::kPrefix : use.in[0].flow, use.axis()};
}

Track DimDropped(const Use& use) {
  const size_t dim = use.Dim("dim", use.rank());
  if (dim == use.axis()) return kMixedUp;
  return Moved(use, use.axis() - (dim < use.axis() ? 1 : 0));
}

Track Reduced(const Use& use) {
  const std::vector<int64_t> listed = ParseInts(Attr(use.op, "dim"));
  if (listed.empty()) return kMixedUp;
  std::set<size_t> dims;
  for (int64_t dim : listed) dims.insert(ResolveDim(dim, use.rank()).value_or(use.axis()));
  if (dims.contains(use.axis())) return kMixedUp;
  if (Attr(use.op, "keep") == "yes") return use.in[0];
  const auto before = std::distance(dims.begin(), dims.lower_bound(use.axis()));
  return Moved(use, use.axis() - static_cast<size_t>(before));
}

// The elements in their order: rows stay rows where all dimensions up to theirs stay.
Track Reshaped(const Use& use) {
  const Shape &in = use.operands[0].shape, &out = use.out.shape;
  const size_t upto = use.axis() + 1;
  const bool kept = out.size() >= upto &&
                    std::equal(in.begin(), in.begin() + static_cast<long>(upto), out.begin());
  return KeptUnless(use, !kept);
}

Track Transposed(const Use& use) {
  const size_t a = use.Dim("a", use.rank()), b = use.Dim("b", use.rank());
  return Moved(use, use.axis() == a ? b : use.axis() == b ? a : use.axis());
}

Track Turned(const Use& use) { return Moved(use, use.rank() - 1 - use.axis()); }

Track Permuted(const Use& use) {
  const std::vector<int64_t> dims = ParseInts(Attr(use.op, "dims"));
  for (size_t i = 0; i < dims.size(); ++i) {
    if (ResolveDim(dims[i], use.rank()) == use.axis()) return Moved(use, i);
  }
  return kMixedUp;
}

Track DimAdded(const Use& use) {
  const size_t dim = use.Dim("dim", use.rank() + 1);
  return Moved(use, use.axis() + (dim <= use.axis() ? 1 : 0));
}

Track Squeezed(const Use& use) {
  return use.out.shape.size() == use.rank() ? use.in[0] : DimDropped(use);
}

Track Multiplied(const Use& use) {
  const size_t rank = use.rank(), axis = use.axis();
  if (use.in[0].flow == Flow::kConstant || rank < 2 || axis + 1 == rank) return kMixedUp;
  if (use.in[1].flow == Flow::kConstant) return KeptUnless(use, use.rank(1) != 2);
  const bool both = use.rank(1) == rank && use.in[1].axis == axis && axis + 2 < rank;
  return both ? Track{std::max(use.in[0].flow, use.in[1].flow), axis} : kMixedUp;
}

bool Alike(const Use& use) {
  return use.in[0].axis == use.in[1].axis && use.in[0].flow != Flow::kConstant &&
         use.in[1].flow != Flow::kConstant;
}

Track Joined(const Use& use) {
  if (!Alike(use) || use.Dim("dim", use.rank()) == use.axis()) return kMixedUp;
  return {std::max(use.in[0].flow, use.in[1].flow), use.axis()};
}

Track Stacked(const Use& use) {
  if (!Alike(use)) return kMixedUp;
  return {std::max(use.in[0].flow, use.in[1].flow), DimAdded(use).axis};
}

const std::map<std::string, Rule>& Rules() {
  static const auto* rules = [] {
    auto* all = new std::map<std::string, Rule>{
        {"linear", AllButLast},
        {"layer_norm", AllButLast},
        {"rms_norm", AllButLast},
        {"pad", AllButLast},
        {"conv1d", FirstOnly},
        {"conv2d", FirstOnly},
        {"conv_transpose2d", FirstOnly},
        {"depthwise_conv", FirstOnly},
        {"group_norm", FirstOnly},
        {"instance_norm", FirstOnly},
        {"max_pool1d", FirstOnly},
        {"max_pool2d", FirstOnly},
        {"avg_pool2d", FirstOnly},
        {"adaptive_avg_pool2d", FirstOnly},
        {"interpolate", FirstOnly},
        {"prelu", FirstOnly},
        {"batch_norm", Evaluated},
        {"dropout", EvaluatedEach},
        {"lstm", Recurring},
        {"gru", Recurring},
        {"self_attention", SelfAttending},
        {"attention", Attending},
        {"slice", AllButFirst},
        {"cumsum", Accumulated},
        {"cumprod", Accumulated},
        {"sum", Reduced},
        {"mean", Reduced},
        {"amax", Reduced},
        {"amin", Reduced},
        {"reshape", Reshaped},
        {"view", Reshaped},
        {"flatten", Reshaped},
        {"embedding", Reshaped},
        {"transpose", Transposed},
        {"t", Turned},
        {"permute", Permuted},
        {"unsqueeze", DimAdded},
        {"squeeze", Squeezed},
        {"matmul", Multiplied},
        {"cat", Joined},
        {"stack", Stacked},
        {"cast", Converted},
        {"branch", Chosen},
        {"channels_last", Each},
        {"own_strides", Each},
    };
    for (const char* op : {"softmax", "log_softmax", "glu", "roll", "flip", "sort"})
      all->emplace(op, AlongOther);
    for (const char* op : {"var", "std", "norm", "logsumexp", "max", "prod"})
      all->emplace(op, DimDropped);
    for (const char* op : {"relu",        "tanh",        "sigmoid",
                           "gelu",        "sin",         "cos",
                           "leaky_relu",  "elu",         "selu",
                           "silu",        "mish",        "relu6",
                           "erf",         "exp",         "log1p",
                           "sqrt",        "hardtanh",    "softplus",
                           "hardswish",   "abs",         "reciprocal",
                           "logsigmoid",  "neg",         "clamp",
                           "clamp_max",   "clamp_min",   "add",
                           "sub",         "mul",         "div",
                           "power",       "maximum",     "minimum",
                           "lerp",        "where",       "masked_fill",
                           "full_like",   "zeros_like",  "contiguous",
                           "detach",      "clone",       "square",
                           "rsqrt",       "addcmul",     "apply",
                           "repeat",      "graph_break", "custom",
                           "custom_grad", "inner_grad",  "allow_in_graph",
                           "nested",      "empty_copy"})
      all->emplace(op, Each);
    return all;
  }();
  return *rules;
}

// Contexts that change neither what an operator's attributes mean nor which values it makes.
bool IsTransparent(const ContextRow* context) {
  static const std::set<std::string> kNames{"no_grad",    "enable_grad", "inference_mode",
                                            "checkpoint", "compiled",    "disabled"};
  return context == nullptr || kNames.contains(context->name);
}

Track Followed(const Op& op, const Inference& inference, std::map<std::string, Track>& tracks,
               bool evaluating) {
  Use use{op, {}, {}, inference.values.at(op.name), evaluating};
  bool constant = true, mixed = !IsTransparent(op.context);
  for (const std::string& operand : op.operands) {
    const auto info = inference.values.find(operand);
    use.operands.push_back(info == inference.values.end() ? ValueInfo{Type::kFloat} : info->second);
    use.in.push_back(tracks[operand]);
    constant = constant && use.in.back().flow == Flow::kConstant;
    mixed = mixed || use.in.back().flow == Flow::kMixed;
  }
  if (constant) return {};
  const auto rule = Rules().find(op.row->name);
  return mixed || rule == Rules().end() ? kMixedUp : rule->second(use);
}

}  // namespace

std::map<std::string, Track> FollowRows(const std::vector<Op>& ops, const Inference& inference,
                                        const std::map<std::string, size_t>& sources,
                                        bool evaluating) {
  std::map<std::string, Track> tracks;
  for (const auto& [name, axis] : sources) tracks[name] = {Flow::kRows, axis};
  for (const Op& op : ops) tracks[op.name] = Followed(op, inference, tracks, evaluating);
  return tracks;
}

std::vector<std::string> OperatorsThatKeepRows() {
  std::vector<std::string> names;
  for (const auto& [name, rule] : Rules()) names.push_back(name);
  return names;
}

}  // namespace reprise
