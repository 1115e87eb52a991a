#include "grammar/infer.h"

#include <cstdlib>

#include "grammar/arguments.h"
#include "grammar/scope.h"
#include "grammar/shape_rules.h"

namespace reprise {
namespace {

ValueInfo InfoOf(Type type, const std::string& literal) {
  if (type != Type::kTensor) return {type, Dtype::kF32, {}};
  const TensorLiteral tensor = ParseTensorLiteral(literal);
  return {type, tensor.dtype, tensor.shape};
}

// Does the call pass what the submodule of `op` was built for?
bool MatchesConstruction(const OpRow& row, const ValueInfo& now, const ValueInfo& built) {
  if (now.dtype != built.dtype || now.shape.size() != built.shape.size()) return false;
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

const char* InferOp(const TestCase& test, const Op& op, const Inference* construction,
                    const Inference& so_far, ValueInfo* out) {
  std::vector<ValueInfo> in;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto it = so_far.values.find(op.operands[i]);
    if (it != so_far.values.end()) {
      in.push_back(it->second);
    } else {
      const bool integer = op.operands[i].find_first_of(".e") == std::string::npos;
      in.push_back({integer ? Type::kInt : Type::kFloat, Dtype::kF32, {}});
    }
  }
  const Op& owner = OwnerOf(test, op);
  if ((owner.row->flags & kModuleOp) != 0) {
    const Inference& built = construction != nullptr ? *construction : so_far;
    const auto it = built.values.find(owner.operands[0]);
    if (it == built.values.end() || !MatchesConstruction(*owner.row, in[0], it->second)) {
      return "sizes differ from those that the submodule was built for";
    }
  }
  if (!Attr(op, "on").empty()) {
    if (const char* why = CheckPredicate(Attr(op, "on"), so_far)) return why;
  }
  if (const char* why = owner.row->infer(owner, in, out)) return why;
  return NumElements(out->shape) <= kMaxElements ? nullptr : "more elements than a case may have";
}

}  // namespace

Inference InferCall(const TestCase& test, int step, const Inference* construction) {
  const Step& call = test.steps[RootOfCall(test, step)];
  Inference result;
  for (const Slot& slot : test.slots) result.values[slot.name] = InfoOf(slot.type, slot.value);
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    ValueInfo info{test.inputs[i].type, Dtype::kF32, {}};
    if (info.type == Type::kTensor) {
      const TensorLiteral tensor = EffectiveTensor(test, call, i);
      info = {Type::kTensor, tensor.dtype, tensor.shape};
    }
    if (NumElements(info.shape) > kMaxElements) {
      result.problem = "an argument has more elements than a case may have";
      return result;
    }
    result.values[test.inputs[i].name] = info;
  }
  for (size_t i = 0; i < test.ops.size(); ++i) {
    ValueInfo out;
    const char* problem = InferOp(test, test.ops[i], construction, result, &out);
    if (problem != nullptr) {
      result.problem = problem;
      result.op = static_cast<int>(i);
      return result;
    }
    result.values[test.ops[i].name] = out;
  }
  return result;
}

int FirstCall(const TestCase& test) { return StepOfCall(test, 1); }

}  // namespace reprise
