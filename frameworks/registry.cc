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

bool Framework::HasFloat64Reference(const TestCase& test) const {
  for (const Op& op : test.ops) {
    const std::string& on = Attr(op, "on");
    if (!on.empty() && ParsePredicate(on).row->name == std::string("dtype")) return false;
  }
  return true;
}

}  // namespace reprise
