#include "frameworks/forward_emitter.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "grammar/scope.h"

namespace reprise {

std::string ForwardEmitter::Body() const {
  std::string body;
  for (const Op& op : test_.ops) body += Statement(op);
  std::vector<std::string> results;
  for (const std::string& name : test_.returns) results.push_back(Read(name));
  return absl::StrCat(body, "return ", absl::StrJoin(results, ", "), "\n");
}

std::map<std::string, std::string> ForwardEmitter::Values(const Op& op) const {
  std::map<std::string, std::string> values{{"name", op.name}};
  for (size_t i = 0; i < op.operands.size(); ++i) {
    values[absl::StrCat(i)] = Read(op.operands[i]);
  }
  const auto built = construction_.values.find(op.operands[0]);
  if (built != construction_.values.end()) {
    const auto rank = static_cast<int64_t>(built->second.shape.size());
    values["0.spatial"] = absl::StrCat(std::max<int64_t>(rank - 2, 1));
    for (int64_t d = 0; d < rank; ++d) {
      values[absl::StrCat("0.", d)] = absl::StrCat(built->second.shape[d]);
      values[absl::StrCat("0.", d - rank)] = absl::StrCat(built->second.shape[d]);
    }
  }
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    const AttrSpec& spec = op.row->attrs[i];
    std::string value = op.attrs[i];
    if (spec.kind == AttrKind::kFunction) value = Read(value);
    if (spec.kind == AttrKind::kChoice && value == "yes") value = "True";
    if (spec.kind == AttrKind::kChoice && value == "no") value = "False";
    if (spec.kind == AttrKind::kInts) {
      const std::vector<int64_t> numbers = ParseInts(value);
      value = absl::StrJoin(numbers, ", ");
      values[absl::StrCat(spec.name, ":tuple")] =
          numbers.size() == 1 ? value : absl::StrCat("(", value, ")");
    }
    values[spec.name] = value;
  }
  return values;
}

// A name as the forward function reads it.
std::string ForwardEmitter::Read(const std::string& name) const {
  const Slot* slot = FindSlot(test_, name);
  return slot == nullptr ? name : slots_.InsideModel(*slot);
}

std::string ForwardEmitter::Predicate(const std::string& text) const {
  const ParsedPredicate predicate = ParsePredicate(text);
  std::map<std::string, std::string> values;
  const Slot* slot = nullptr;
  const Input* input = nullptr;
  for (size_t i = 0; i < predicate.args.size(); ++i) {
    std::string arg = predicate.args[i];
    switch (predicate.row->args[i]) {
      case PredicateArg::kDtype:
        arg = dialect_.dtypes.at(*ParseDtype(arg));
        break;
      case PredicateArg::kLiteral:
        arg = slots_.Literal(slot != nullptr ? slot->type : input->type, arg);
        break;
      case PredicateArg::kDim:
      case PredicateArg::kInt:
        break;
      default:
        slot = FindSlot(test_, arg);
        input = FindInput(test_, arg);
        arg = Read(arg);
    }
    values[absl::StrCat(i)] = arg;
  }
  return Fill(dialect_.predicates.at(predicate.row->name), values);
}

std::string ForwardEmitter::Unary(const std::string& name, const std::string& operand) const {
  return Fill(dialect_.unaries.at(name).expression, {{"0", operand}});
}

std::string ForwardEmitter::Statement(const Op& op) const {
  if (op.row == FindOperator("branch")) {
    const std::string x = Read(op.operands[0]);
    return absl::StrCat("if ", Predicate(op.attrs[0]), ":\n    ", op.name, " = ",
                        Unary(op.attrs[1], x), "\nelse:\n    ", op.name, " = ",
                        Unary(op.attrs[2], x), "\n");
  }
  if (op.row == FindOperator("graph_break")) {
    return absl::StrCat(dialect_.graph_break, "\n", op.name, " = ", Read(op.operands[0]), "\n");
  }
  std::string key = op.row->name;
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    if (op.row->attrs[i].kind == AttrKind::kInts && op.attrs[i] == "[]") key += "[]";
  }
  return absl::StrCat(op.name, " = ", Fill(dialect_.ops.at(key).expression, Values(op)), "\n");
}

}  // namespace reprise
