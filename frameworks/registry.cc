#include <algorithm>
#include <utility>

#include "frameworks/framework.h"
#include "frameworks/mock/mock.h"
#include "frameworks/pytorch/pytorch.h"
#include "grammar/scope.h"

namespace reprise {
namespace {

const std::vector<std::pair<std::string, const Framework* (*)()>>& Registered() {
  static const auto* list = new std::vector<std::pair<std::string, const Framework* (*)()>>{
      {"pytorch", PyTorch}, {"mock", Mock}};
  return *list;
}

}  // namespace

const Framework* FindFramework(const std::string& name) {
  for (const auto& [registered, make] : Registered()) {
    if (registered == name) return make();
  }
  return nullptr;
}

std::vector<std::string> FrameworkNames() {
  std::vector<std::string> names;
  for (const auto& [name, make] : Registered()) names.push_back(name);
  return names;
}

namespace {

// Would widening the floats change what the operator does?
bool DependsOnDtype(const TestCase& test, const Op& op) {
  const std::string& on = Attr(op, "on");
  if (!on.empty() && ParsePredicate(on).row->name == std::string("dtype")) return true;
  // Random numbers of another type are other numbers; a dropout draws which ones it drops.
  if ((op.row->flags & kRandom) != 0 && (op.row->flags & kModuleOp) == 0) return true;
  // Two runs of a program that registers an operator cannot be taken in turns.
  if ((op.row->flags & kRegistered) != 0) return true;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (op.row->operands[i] != 'd') continue;
    const auto dtype = ParseDtype(op.operands[i]);
    if (!dtype || FindSlot(test, op.operands[i]) != nullptr) return true;
    if (IsFloat(*dtype) && *dtype != Dtype::kF64) return true;
  }
  return false;
}

}  // namespace

const KnownDifferences& Framework::known_differences() const {
  static const auto* none = new KnownDifferences;
  return *none;
}

bool Framework::HasFloat64Reference(const TestCase& test) const {
  for (const Op& op : test.ops) {
    if (DependsOnDtype(test, op)) return false;
  }
  return std::none_of(test.steps.begin(), test.steps.end(), [](const Step& step) {
    return step.row == FindStep("cast") ||
           (step.row == FindStep("flag") && step.attrs[0] == "default_dtype");
  });
}

}  // namespace reprise
