#include "frameworks/slot_forms.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

bool At(const Slot& slot, const char* home) { return slot.home == FindHome(home); }

bool TakesFunction(const Slot& slot) {
  return At(slot, "method") || At(slot, "special") || At(slot, "metaclass");
}

}  // namespace

SlotForms::SlotForms(const TestCase& test, const Dialect& dialect)
    : test_(test), dialect_(dialect) {
  has_closure_ = std::any_of(test.slots.begin(), test.slots.end(),
                             [](const Slot& s) { return At(s, "closure"); });
}

bool SlotForms::NeedsGetter(const Slot& slot) const {
  for (const Step& step : test_.steps) {
    const bool reads = step.row == FindStep("copy") || step.row == FindStep("update") ||
                       step.row == FindStep("swap") || step.row == FindStep("tie") ||
                       step.row == FindStep("row");
    if (reads && std::find(step.attrs.begin(), step.attrs.end(), slot.name) != step.attrs.end()) {
      return true;
    }
    for (const Argument& a : step.arguments) {
      if (a.pattern->pattern == Pattern::kName && a.value == slot.name) return true;
      for (const Argument& item : a.items) {
        if (item.pattern->pattern == Pattern::kName && item.value == slot.name) return true;
      }
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

std::string SlotForms::Unary(const std::string& name, const std::string& operand) const {
  return Fill(dialect_.unaries.at(name).expression, {{"0", operand}});
}

std::string SlotForms::Literal(Type type, const std::string& literal) const {
  switch (type) {
    case Type::kBool:
      return literal == "true" ? "True" : "False";
    case Type::kAny:
      if (literal == "none") return "None";
      return literal == "true" || literal == "false" ? Literal(Type::kBool, literal) : literal;
    case Type::kScalar:
      return absl::StrCat("np.float64(", literal, ")");
    case Type::kDtype:
      return dialect_.dtypes.at(*ParseDtype(literal));
    case Type::kTensor:
      return Rand(ParseTensorLiteral(literal));
    case Type::kOptional:
      return literal == "none" ? "None" : Rand(ParseTensorLiteral(literal));
    case Type::kRandom:
      return absl::StrCat("random.Random(", literal, ")");
    case Type::kGenerator:
      return Fill(dialect_.generator, {{"seed", literal}});
    case Type::kCallable: {
      const CallableLiteral callable = ParseCallable(literal);
      const UnaryTemplate& unary = dialect_.unaries.at(callable.function);
      const std::string function = unary.function.empty() ? callable.function : unary.function;
      const std::string form = callable.form->name;
      if (form == "lambda") return "lambda x: " + Unary(callable.function, "x");
      if (form == "closure") return absl::StrCat("wrapping(", function, ")");
      if (form == "method") return absl::StrCat("functions.", callable.function);
      if (form == "descriptor" && !unary.descriptor.empty()) return unary.descriptor;
      if (form == "partial") return absl::StrCat("functools.partial(applied, ", function, ")");
      if (form == "instance") return absl::StrCat("Applying(", function, ")");
      return function;
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

std::string SlotForms::Model() const { return has_closure_ ? "type(model)" : "Model"; }

std::vector<std::string> SlotForms::FactoryNames() const {
  std::vector<std::string> names{"model"};
  for (const Slot& slot : test_.slots) {
    if (!At(slot, "closure")) continue;
    names.push_back("set_" + slot.name);
    if (NeedsGetter(slot)) names.push_back("get_" + slot.name);
  }
  size_t variants = 0;
  for (const Step& step : test_.steps) {
    if (step.row == FindStep("variant")) names.push_back(VariantName(test_, ++variants));
  }
  return names;
}

std::map<std::string, std::string> SlotForms::Names(const Slot& slot) const {
  int index = 0;
  for (const Slot& other : test_.slots) {
    if (&other == &slot || other.name == slot.name) break;
    index += other.home == slot.home ? 1 : 0;
  }
  return {{"name", slot.name},
          {"Name", ClassName(slot.name)},
          {"index", absl::StrCat(index)},
          {"self", test_.function ? "" : "self."},
          {"model", test_.function ? "" : "model."},
          {"Model", Model()},
          {"forward", test_.function ? "model" : Model() + ".forward"}};
}

std::string SlotForms::Define(const Slot& slot, const std::string& literal) const {
  auto names = Names(slot);
  const std::string value = Held(slot, Literal(slot.type, literal));
  if (At(slot, "buffer"))
    return Fill(dialect_.register_buffer, {{"name", slot.name}, {"0", value}});
  names["value"] = value;
  if (TakesFunction(slot)) names["fn"] = Unary(ParseCallable(literal).function, "x");
  return Fill(FormOf(slot.home->name).define, names);
}

std::string SlotForms::InsideModel(const Slot& slot) const {
  auto names = Names(slot);
  if (!At(slot, "dict") || slot.below.empty()) return Fill(FormOf(slot.home->name).inside, names);
  names["value"] = Literal(slot.type, slot.below);
  return Fill("{self}table.get(\"{name}\", {value})", names);
}

std::string SlotForms::Call(const Slot& slot, const std::string& operand) const {
  const std::string form = FormOf(slot.home->name).call;
  if (form.empty()) return absl::StrCat(InsideModel(slot), "(", operand, ")");
  auto names = Names(slot);
  names["0"] = operand;
  return Fill(form, names);
}

std::string SlotForms::Exists(const Slot& slot) const {
  return Fill(FormOf(slot.home->name).exists, Names(slot));
}

std::string SlotForms::Outside(const Slot& slot) const {
  return Fill(FormOf(slot.home->name).outside, Names(slot));
}

std::string SlotForms::ForReport(const Slot& slot) const {
  const std::string form = FormOf(slot.home->name).report;
  return form.empty() ? Outside(slot) : Fill(form, Names(slot));
}

std::string SlotForms::Assign(const Slot& slot, const std::string& value) const {
  const std::string form = FormOf(slot.home->name).assign;
  if (form.empty()) return absl::StrCat(Outside(slot), " = ", value, "\n");
  auto names = Names(slot);
  const auto defaults = std::count_if(test_.slots.begin(), test_.slots.end(),
                                      [](const Slot& s) { return At(s, "default"); });
  names["value"] = value;
  if (At(slot, "default") && defaults == 1)
    return Fill("{forward}.__defaults__ = ({value},)\n", names);
  return Fill(form, names) + "\n";
}

std::string SlotForms::Set(const Slot& slot, const std::string& literal) const {
  if (!TakesFunction(slot)) return Assign(slot, Held(slot, Literal(slot.type, literal)));
  auto names = Names(slot);
  names["fn"] = Unary(ParseCallable(literal).function, "x");
  return Fill(FormOf(slot.home->name).assign, names) + "\n";
}

std::string SlotForms::Delete(const Slot& slot) const {
  return absl::StrCat("del ", Outside(slot), "\n");
}

std::string SlotForms::Recode(const Slot& slot, const std::string& unary) const {
  const char* parameters = At(slot, "global") ? "x" : "self, x";
  return absl::StrCat(Fill(FormOf(slot.home->name).code, Names(slot)), " = (lambda ", parameters,
                      ": ", Unary(unary, "x"), ").__code__\n");
}

std::string VariantName(const TestCase& test, size_t number) {
  return absl::StrCat(test.function ? "variant" : "Variant", number);
}

}  // namespace reprise
