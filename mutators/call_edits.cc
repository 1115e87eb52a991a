#include "mutators/call_edits.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/arguments.h"
#include "mutators/random_parts.h"

namespace reprise {
namespace {

// Gives one symbol another size, wherever the call uses it.
bool Resize(Random& random, const TestCase& test, Step* call) {
  std::vector<std::string> symbols;
  for (const Input& input : test.inputs) {
    for (const std::string& dim : input.dims) {
      if (!dim.empty() && (dim[0] < '0' || dim[0] > '9')) symbols.push_back(dim);
    }
  }
  if (symbols.empty()) return false;
  const std::string symbol = Pick(random, symbols);
  const int64_t size = RandomSize(random);
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    for (size_t d = 0; d < call->arguments[i].shape.size(); ++d) {
      if (test.inputs[i].dims[d] == symbol) call->arguments[i].shape[d] = size;
    }
  }
  return true;
}

// Another pattern of which argument is which object.
bool Realias(Random& random, const TestCase& test, size_t input, Step* call) {
  Argument& a = call->arguments[input];
  const Type type = test.inputs[input].type;
  const bool has_identity =
      type == Type::kTensor || type == Type::kObject || type == Type::kRandom || IsContainer(type);
  if (!has_identity) return false;
  const bool refers =
      a.pattern->pattern == Pattern::kName || a.pattern->pattern == Pattern::kOutput;
  if (refers && Chance(random, 0.5)) {
    a = ParseArgument(test.inputs[input], "");
    a.shape.clear();
    return true;
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < input; ++i) {
    if (test.inputs[i].type == type) names.push_back(test.inputs[i].name);
  }
  for (const Slot& slot : test.slots) {
    if (slot.type == type) names.push_back(slot.name);
  }
  if (!names.empty() && Chance(random, 0.6)) {
    a = ParseArgument(test.inputs[input], absl::StrCat("@", Pick(random, names)));
    return true;
  }
  if (type != Type::kTensor) return false;
  if (Chance(random, 0.3)) {
    a = ParseArgument(test.inputs[input],
                      absl::StrCat("out(", 1 + Below(random, 6), ",", Below(random, 2), ")"));
    return true;
  }
  // Two views of one base, overlapping or not.
  for (Argument& argument : call->arguments) {
    if (argument.pattern->pattern != Pattern::kFresh || !Chance(random, 0.8)) continue;
    argument.pattern = FindPattern(Pattern::kView);
    argument.base = 0;
    argument.offset = static_cast<int64_t>(Below(random, 9));
  }
  return true;
}

bool EditTensor(const Capabilities& can, Random& random, const TestCase& test, size_t input,
                Argument* a) {
  if (a->pattern->pattern == Pattern::kView) {
    a->offset = static_cast<int64_t>(Below(random, 17));
    return true;
  }
  if (a->pattern->pattern != Pattern::kFresh) return false;
  switch (Below(random, 6)) {
    case 4:
      a->mark = a->mark == nullptr ? &Pick(random, Marks()) : nullptr;
      a->marked = static_cast<int64_t>(Below(random, 2));
      return true;
    case 5:
      a->tag = a->tag == 0 ? 2 + static_cast<int64_t>(Below(random, 2)) : 0;
      return true;
    case 0:
      a->dtype = a->dtype == test.inputs[input].dtype ? Pick(random, can.dtypes)
                                                      : test.inputs[input].dtype;
      return true;
    case 1:
      a->layout = &Pick(random, Layouts());
      return true;
    case 2:
      a->grad = !a->grad;
      return true;
    default:
      a->scale = a->scale == 1 ? (Chance(random, 0.5) ? 1000 : 0.01) : 1;
      return true;
  }
}

// More or fewer items, other keys, or one item changed.
bool EditItems(const Capabilities& can, Random& random, const TestCase& test, size_t input,
               Argument* a) {
  if (a->pattern->pattern != Pattern::kItems) return false;
  if (a->items.empty()) {
    *a = ParseArgument(test.inputs[input], "");
    return true;
  }
  const size_t which = Below(random, a->items.size());
  switch (Below(random, 4)) {
    case 0:
      a->items.push_back(a->items[which]);
      a->keys.push_back(std::string(1, static_cast<char>('a' + Below(random, 4))));
      return true;
    case 1:
      a->items.pop_back();
      if (!a->keys.empty()) a->keys.pop_back();
      return true;
    case 2:
      if (a->keys.empty()) return false;
      std::reverse(a->keys.begin(), a->keys.end());
      std::reverse(a->items.begin(), a->items.end());
      return true;
    default:
      return EditTensor(can, random, test, input, &a->items[which]);
  }
}

}  // namespace

bool EditCall(const Capabilities& can, Random& random, size_t index, TestCase* test) {
  Step& call = test->steps[index];
  const size_t input = Below(random, test->inputs.size());
  Argument& a = call.arguments[input];
  switch (Below(random, 10)) {
    case 0:
      call.attrs[0] = IntText(1 + static_cast<int64_t>(Below(random, 9)));
      return true;
    case 1:
      call.attrs[1] = call.attrs[1].empty() ? RandomAttribute(random, call.row->attrs[1]) : "";
      return true;
    case 2:
    case 3:
      return Realias(random, *test, input, &call);
    case 4:
    case 5:
    case 6:
      return Resize(random, *test, &call);
    default:
      if (test->inputs[input].type == Type::kTensor)
        return EditTensor(can, random, *test, input, &a);
      if (IsContainer(test->inputs[input].type) && Chance(random, 0.7))
        return EditItems(can, random, *test, input, &a);
      if (test->inputs[input].type == Type::kOptional) {
        const bool none = a.pattern->pattern == Pattern::kValue;
        a = ParseArgument(test->inputs[input], none ? "[2]" : "none");
        return true;
      }
      if (a.pattern->pattern != Pattern::kValue) return Realias(random, *test, input, &call);
      if (a.pattern->pattern == Pattern::kValue && Chance(random, 0.7)) {
        a.value = RandomLiteral(random, test->inputs[input].type);
        return true;
      }
      return Realias(random, *test, input, &call);
  }
}

bool EditSomeCall(const Capabilities& can, Random& random, TestCase* test) {
  const std::vector<size_t> calls = CallStatements(*test);
  return EditCall(can, random, Pick(random, calls), test);
}

}  // namespace reprise
