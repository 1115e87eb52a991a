#include "grammar/infer.h"

#include <cstdlib>

#include "grammar/arguments.h"
#include "grammar/history.h"
#include "grammar/scope.h"
#include "grammar/shape_rules.h"

namespace reprise {
namespace {

// What a literal of a type is; an empty literal is unknown.
ValueInfo InfoOf(Type type, const std::string& literal) {
  ValueInfo info;
  info.type = type;
  if (literal.empty()) return info;
  if (type == Type::kInt) info.number = ParseInt(literal, 0);
  if (type == Type::kDtype) info.dtype = *ParseDtype(literal);
  info.none = type == Type::kOptional && literal == "none";
  if ((type == Type::kTensor || type == Type::kOptional) && !info.none) {
    const TensorLiteral tensor = ParseTensorLiteral(literal);
    info.dtype = tensor.dtype;
    info.shape = tensor.shape;
  }
  return info;
}

ValueInfo TensorInfo(const TensorLiteral& tensor) {
  return {Type::kTensor, tensor.dtype, tensor.shape};
}

// Does the call pass what the submodule of `op` was built for?
bool MatchesConstruction(const OpRow& row, const ValueInfo& now, const ValueInfo& built) {
  if (now.shape.size() != built.shape.size()) return false;
  for (int dim : row.frozen) {
    const auto d = ResolveDim(dim, now.shape.size());
    if (!d || now.shape[*d] != built.shape[*d]) return false;
  }
  return true;
}

const char* CheckPredicate(const std::string& text, const Inference& inference) {
  const ParsedPredicate predicate = ParsePredicate(text);
  if (predicate.args.empty()) return nullptr;
  const auto it = inference.values.find(predicate.args[0]);
  for (size_t i = 0; i < predicate.args.size(); ++i) {
    if (predicate.row->args[i] != PredicateArg::kDim) continue;
    if (ParseInt(predicate.args[i], 0) >= static_cast<int64_t>(it->second.shape.size())) {
      return "the predicate asks for a dimension that is not there";
    }
  }
  if (predicate.row->name != std::string("longer")) return nullptr;
  const auto other = inference.values.find(predicate.args[1]);
  const bool sized = !it->second.shape.empty() && !other->second.shape.empty();
  return sized ? nullptr : "the predicate compares sizes of a scalar";
}

// The submodule's operator whose rule holds for `op`: `reuse` calls another operator's.
const Op& OwnerOf(const TestCase& test, const Op& op) {
  const std::string& owner = Attr(op, "of");
  return owner.empty() ? op : *FindOp(test, owner);
}

ValueInfo OperandInfo(const std::string& operand, const Inference& so_far) {
  const auto it = so_far.values.find(operand);
  if (it != so_far.values.end()) return it->second;
  if (const auto dtype = ParseDtype(operand)) return {Type::kDtype, *dtype, {}};
  const bool integer = operand.find_first_of(".e") == std::string::npos;
  return InfoOf(integer ? Type::kInt : Type::kFloat, operand);
}

const char* InferOp(const TestCase& test, const Op& op, const History& history,
                    const Inference* construction, const Inference& so_far, ValueInfo* out) {
  std::vector<ValueInfo> in;
  for (const std::string& operand : op.operands) in.push_back(OperandInfo(operand, so_far));
  // What a model writes follows what it reads.
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    if (op.row->attrs[i].kind == AttrKind::kWritten) in.push_back(OperandInfo(op.attrs[i], so_far));
  }
  const Op& owner = OwnerOf(test, op);
  const bool parameters = (owner.row->flags & kParameters) != 0;
  if ((owner.row->flags & kModuleOp) != 0) {
    const Inference& built = construction != nullptr ? *construction : so_far;
    const auto it = built.values.find(owner.operands[0]);
    if (it == built.values.end() || !MatchesConstruction(*owner.row, in[0], it->second)) {
      return "sizes differ from those that the submodule was built for";
    }
    // Rules are written for parameters of f32.
    if (parameters && IsFloat(in[0].dtype)) {
      if (in[0].dtype != history.parameters) return "parameters have another element type";
      in[0].dtype = Dtype::kF32;
    }
  }
  if (!Attr(op, "on").empty()) {
    if (const char* why = CheckPredicate(Attr(op, "on"), so_far)) return why;
  }
  out->dtype = history.factories;
  if (const char* why = owner.row->infer(owner, in, out)) return why;
  if (parameters && out->dtype == Dtype::kF32) out->dtype = history.parameters;
  out->type = op.row->result;
  return NumElements(out->shape) <= kMaxElements ? nullptr : "more elements than a case may have";
}

bool IsTransform(const ContextRow* context) {
  return context != nullptr && (context->flags & kTransform) != 0;
}

// Operators in order, function transforms applied.
class ModelInference {
 public:
  ModelInference(const TestCase& test, const History& history, const Inference* construction,
                 Inference* result)
      : test_(test), history_(history), construction_(construction), result_(*result) {}

  void Run() {
    const std::vector<Op>& ops = history_.ops();
    for (size_t i = 0; i < ops.size(); ++i) {
      const Op& op = ops[i];
      const bool first = i == 0 || ops[i - 1].context != op.context;
      if (first && IsTransform(op.context) && !Enter(op)) return Fail("nothing to map over", i);
      ValueInfo out;
      const char* problem = InferOp(test_, op, history_, construction_, result_, &out);
      if (problem != nullptr) return Fail(problem, i);
      const bool last = i + 1 == ops.size() || ops[i + 1].context != op.context;
      if (last && IsTransform(op.context)) problem = Leave(op, &out);
      if (problem != nullptr) return Fail(problem, i);
      result_.values[op.name] = out;
    }
  }

 private:
  void Fail(const char* problem, size_t op) {
    result_.problem = problem;
    result_.op = static_cast<int>(op);
  }

  bool Enter(const Op& op) {
    operand_ = op.operands[0];
    const auto it = result_.values.find(operand_);
    if (it == result_.values.end() || it->second.type != Type::kTensor) return false;
    outer_ = it->second;
    if ((op.context->flags & kBatched) == 0) return true;
    if (outer_.shape.empty() || outer_.shape[0] == 0) return false;
    it->second.shape.erase(it->second.shape.begin());
    return true;
  }

  const char* Leave(const Op& op, ValueInfo* out) {
    result_.values[operand_] = outer_;
    if (out->type != Type::kTensor) return "the function's result is no tensor";
    if ((op.context->flags & kBatched) != 0) out->shape.insert(out->shape.begin(), outer_.shape[0]);
    if ((op.context->flags & kOwnGrad) != 0) {
      if (!IsFloat(out->dtype) || !IsFloat(outer_.dtype)) return "no gradient of integers";
      *out = outer_;
    }
    return nullptr;
  }

  const TestCase& test_;
  const History& history_;
  const Inference* construction_;
  Inference& result_;
  std::string operand_;
  ValueInfo outer_;
};

class CallInference {
 public:
  CallInference(const TestCase& test, int step, const Inference* construction)
      : test_(test), construction_(construction), history_(HistoryBefore(test, Index(step))) {
    root_ = RootOfCall(test, step);
  }

  Inference Run() {
    result_.values.reserve(test_.slots.size() + test_.inputs.size() + test_.ops.size());
    for (const Slot& slot : test_.slots) result_.values[slot.name] = SlotInfo(slot);
    const Step& call = test_.steps[Index(root_)];
    for (size_t i = 0; i < test_.inputs.size(); ++i) {
      const Input& input = test_.inputs[i];
      const Argument& a = call.arguments[i];
      const ValueInfo info = ArgumentInfo(input, a);
      if (result_.problem != nullptr) return std::move(result_);
      int64_t elements = NumElements(info.shape);
      for (const ValueInfo& item : info.items) elements += NumElements(item.shape);
      if (elements > kMaxElements) {
        result_.problem = "an argument has more elements than a case may have";
        return std::move(result_);
      }
      result_.values[input.name] = info;
    }
    ModelInference(test_, history_, construction_, &result_).Run();
    return std::move(result_);
  }

 private:
  static size_t Index(int step) { return static_cast<size_t>(step); }

  ValueInfo SlotInfo(const Slot& slot) const {
    ValueInfo info = InfoOf(slot.type, history_.literals.at(slot.name));
    const bool cast = slot.home == FindHome("buffer") || slot.home == FindHome("param");
    if (cast && IsFloat(info.dtype) && history_.parameters != Dtype::kF32)
      info.dtype = history_.parameters;
    // A tensor that the model writes keeps its shape.
    if (slot.type == Type::kTensor && history_.literals.at(slot.name).empty())
      info = InfoOf(slot.type, slot.value);
    return info;
  }

  // Sets a problem where an earlier output does not fit the input.
  ValueInfo ArgumentInfo(const Input& as, const Argument& a) {
    switch (a.pattern->pattern) {
      case Pattern::kFresh:
      case Pattern::kView:
        return TensorInfo({a.shape, a.dtype, 0});
      case Pattern::kName:
        return result_.values.at(a.value);
      case Pattern::kValue:
        return InfoOf(as.type, a.value);
      case Pattern::kOutput:
        return OutputInfo(as, a);
      case Pattern::kItems: {
        ValueInfo info;
        info.type = as.type;
        for (const Argument& item : a.items) info.items.push_back(ArgumentInfo(ItemOf(as), item));
        info.keys = a.keys;
        return info;
      }
    }
    return {};
  }

  ValueInfo OutputInfo(const Input& as, const Argument& a) {
    const int earlier = StepOfCall(test_, a.call);
    if (earlier < 0 || earlier >= root_) {
      result_.problem = "no such earlier call";
      return {};
    }
    const Inference other = InferCall(test_, earlier, construction_);
    const auto it = other.values.find(test_.returns[Index(static_cast<int>(a.result))]);
    const bool fits = other.ok() && it != other.values.end() && it->second.type == Type::kTensor &&
                      it->second.dtype == as.dtype && it->second.shape.size() == as.dims.size();
    if (fits) return it->second;
    result_.problem = "what the earlier call returned does not fit";
    return {};
  }

  const TestCase& test_;
  const Inference* construction_;
  const History history_;
  int root_ = 0;
  Inference result_;
};

}  // namespace

Inference InferCall(const TestCase& test, int step, const Inference* construction) {
  return CallInference(test, step, construction).Run();
}

int FirstCall(const TestCase& test) { return StepOfCall(test, 1); }

}  // namespace reprise
