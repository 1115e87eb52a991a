#include "grammar/printer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "grammar/arguments.h"

namespace reprise {
namespace {

// An attribute that needs no knowledge of the case is left out where it has its fallback.
bool IsImplied(const AttrSpec& spec, const std::string& value) {
  switch (spec.kind) {
    case AttrKind::kPredicate:
    case AttrKind::kFunction:
    case AttrKind::kSlot:
    case AttrKind::kCall:
    case AttrKind::kLiteral:
    case AttrKind::kWritten:
      return false;
    case AttrKind::kModule:
      return value.empty();
    default:
      return !spec.positional && value == spec.fallback;
  }
}

std::string Attributes(const std::vector<AttrSpec>& specs, const std::vector<std::string>& values) {
  std::string positional, named;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (IsImplied(specs[i], values[i])) continue;
    if (specs[i].positional) {
      absl::StrAppend(&positional, " ", values[i]);
    } else {
      absl::StrAppend(&named, " ", specs[i].name, "=", values[i]);
    }
  }
  return positional + named;
}

}  // namespace

std::string PrintStep(const TestCase& test, const Step& step) {
  std::string text = step.row->name;
  for (size_t i = 0; i < step.arguments.size(); ++i) {
    absl::StrAppend(&text, " ", test.inputs[i].name, "=",
                    ArgumentText(test.inputs[i], step.arguments[i]));
  }
  return text + Attributes(step.row->attrs, step.attrs);
}

std::string Print(const TestCase& test) {
  std::string text = "reprise 1\n";
  absl::StrAppend(&text, "compile", Attributes(CompileSpecs(), test.compile), "\n");
  if (test.function) text += "model function\n";
  for (const Slot& slot : test.slots) {
    absl::StrAppend(&text, "slot ", slot.name, " ", slot.home->name, " ", Name(slot.type), " ",
                    slot.value);
    if (!slot.below.empty()) absl::StrAppend(&text, " below=", slot.below);
    text += "\n";
  }
  for (const Input& input : test.inputs) {
    absl::StrAppend(&text, "input ", input.name);
    if (input.type != Type::kTensor) absl::StrAppend(&text, " ", Name(input.type));
    if (HasShape(input.type)) {
      absl::StrAppend(&text, " ", Name(input.dtype), " [", absl::StrJoin(input.dims, ","), "]");
    }
    text += "\n";
  }
  for (const Op& op : test.ops) {
    absl::StrAppend(&text, "op ", op.name, " ", op.row->name, " ", absl::StrJoin(op.operands, " "),
                    Attributes(op.row->attrs, op.attrs));
    if (op.context != nullptr) absl::StrAppend(&text, " in=", op.context->name);
    text += "\n";
  }
  absl::StrAppend(&text, "return ", absl::StrJoin(test.returns, " "), "\n");
  for (const Step& step : test.steps) absl::StrAppend(&text, PrintStep(test, step), "\n");
  return text;
}

}  // namespace reprise
