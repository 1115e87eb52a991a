#include "frameworks/slot_forms.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

bool At(const Slot& slot, const char* home) { return slot.home == FindHome(home); }

std::string Quoted(const std::string& name) { return absl::StrCat("\"", name, "\""); }

}  // namespace

std::string ClassName(const std::string& unary) {
  std::string name = unary;
  name[0] = absl::ascii_toupper(name[0]);
  return name;
}

SlotForms::SlotForms(const TestCase& test, const Dialect& dialect)
    : test_(test), dialect_(dialect) {
  has_closure_ = std::any_of(test.slots.begin(), test.slots.end(),
                             [](const Slot& s) { return At(s, "closure"); });
}

bool SlotForms::NeedsGetter(const Slot& slot) const {
  for (const Step& step : test_.steps) {
    const bool reads = step.row == FindStep("copy") || step.row == FindStep("update") ||
                       step.row == FindStep("swap");
    if (reads && std::find(step.attrs.begin(), step.attrs.end(), slot.name) != step.attrs.end()) {
      return true;
    }
    for (const Argument& a : step.arguments) {
      if (a.pattern->pattern == Pattern::kName && a.value == slot.name) return true;
    }
  }
  return false;
}

std::string SlotForms::Rand(const TensorLiteral& tensor, double scale) const {
  std::string text = absl::StrCat("rand(", tensor.seed);
  for (int64_t size : tensor.shape) absl::StrAppend(&text, ", ", size);
  if (tensor.dtype == Dtype::kBool) return Fill(dialect_.positive, {{"0", text + ")"}});
  if (tensor.dtype != Dtype::kF32)
    absl::StrAppend(&text, ", dtype=", dialect_.dtypes.at(tensor.dtype));
  // Integers are drawn from a range that holds some.
  if (IsInteger(tensor.dtype)) scale = 9;
  if (scale != 1) absl::StrAppend(&text, ", scale=", FloatText(scale));
  return text + ")";
}

std::string SlotForms::Literal(Type type, const std::string& literal) const {
  switch (type) {
    case Type::kBool:
      return literal == "true" ? "True" : "False";
    case Type::kTensor:
      return Rand(ParseTensorLiteral(literal));
    case Type::kCallable: {
      const std::string& existing = dialect_.unaries.at(literal).function;
      return existing.empty() ? literal : existing;
    }
    case Type::kModule: {
      const std::string& existing = dialect_.unaries.at(literal).module;
      return existing.empty() ? absl::StrCat(ClassName(literal), "()") : existing;
    }
    case Type::kObject:
      return absl::StrCat("thing", literal.substr(1));
    default:
      return literal;
  }
}

std::string SlotForms::Held(const Slot& slot, const std::string& value) const {
  return At(slot, "param") ? Fill(dialect_.parameter, {{"0", value}}) : value;
}

std::string SlotForms::InsideModel(const Slot& slot) const {
  if (At(slot, "global") || At(slot, "closure")) return slot.name;
  if (!At(slot, "dict")) return absl::StrCat("self.", slot.name);
  const std::string table = test_.function ? "table" : "self.table";
  if (slot.below.empty()) return absl::StrCat(table, "[", Quoted(slot.name), "]");
  return absl::StrCat(table, ".get(", Quoted(slot.name), ", ", Literal(slot.type, slot.below), ")");
}

std::string SlotForms::Outside(const Slot& slot) const {
  if (At(slot, "global")) return slot.name;
  if (At(slot, "closure")) return absl::StrCat("get_", slot.name, "()");
  if (At(slot, "class")) return absl::StrCat(has_closure_ ? "type(model)." : "Model.", slot.name);
  if (At(slot, "dict"))
    return absl::StrCat(test_.function ? "table[" : "model.table[", Quoted(slot.name), "]");
  return absl::StrCat("model.", slot.name);
}

std::string SlotForms::ForReport(const Slot& slot) const {
  if (At(slot, "closure")) return absl::StrCat("set_", slot.name, ".__closure__[0].cell_contents");
  if (At(slot, "dict")) {
    return absl::StrCat(test_.function ? "table.get(" : "model.table.get(", Quoted(slot.name), ")");
  }
  return Outside(slot);
}

std::string SlotForms::Assign(const Slot& slot, const std::string& value) const {
  if (At(slot, "closure")) return absl::StrCat("set_", slot.name, "(", value, ")\n");
  return absl::StrCat(Outside(slot), " = ", value, "\n");
}

std::string SlotForms::Delete(const Slot& slot) const {
  return absl::StrCat("del ", Outside(slot), "\n");
}

}  // namespace reprise
