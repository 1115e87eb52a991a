#include "frameworks/forward_emitter.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "grammar/scope.h"

namespace reprise {

std::string Indent(const std::string& text, int levels) {
  std::string result;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!line.empty()) absl::StrAppend(&result, std::string(4 * levels, ' '), line);
    result += "\n";
  }
  if (!text.empty() && text.back() == '\n') result.pop_back();
  return result;
}

std::string ForwardEmitter::Body() const {
  std::string body = Declarations();
  for (size_t i = 0; i < ops_.size();) {
    size_t last = i;
    while (last + 1 < ops_.size() && ops_[last + 1].context == ops_[i].context) ++last;
    body += Group(i, last);
    i = last + 1;
  }
  std::vector<std::string> results;
  for (const std::string& name : test_.returns) results.push_back(Read(name));
  return absl::StrCat(body, "return ", absl::StrJoin(results, ", "), "\n");
}

// Variables of an outer scope that the model writes.
std::string ForwardEmitter::Declarations() const {
  std::string text;
  std::vector<std::string> declared;
  for (const Op& op : ops_) {
    for (size_t i = 0; i < op.attrs.size(); ++i) {
      if (op.row->attrs[i].kind != AttrKind::kWritten) continue;
      const std::string home = FindSlot(test_, op.attrs[i])->home->name;
      if (std::find(declared.begin(), declared.end(), op.attrs[i]) != declared.end()) continue;
      declared.push_back(op.attrs[i]);
      if (home == "global") absl::StrAppend(&text, "global ", op.attrs[i], "\n");
      if (home == "closure") absl::StrAppend(&text, "nonlocal ", op.attrs[i], "\n");
    }
  }
  return text;
}

std::string ForwardEmitter::Group(size_t first, size_t last) const {
  const ContextRow* context = ops_[first].context;
  const bool transform = context != nullptr && (context->flags & kTransform) != 0;
  const std::string operand = Read(ops_[first].operands[0]);
  if (transform) bound_ = ops_[first].operands[0];
  std::string body;
  for (size_t i = first; i <= last; ++i) body += Statements(ops_[i]);
  bound_.clear();
  if (context == nullptr) return body;
  const ContextTemplate& form = dialect_.contexts.at(context->name);
  if (!transform) return absl::StrCat("with ", form.with, ":\n", Indent(body, 1));
  const std::string& result = ops_[last].name;
  const std::string function = "block_" + result;
  const std::string value = Fill(form.transform, {{"fn", function}, {"0", operand}});
  return absl::StrCat("\ndef ", function, "(", ops_[first].operands[0], "):\n",
                      Indent(absl::StrCat(body, "return ", result, "\n"), 1), "\n", result, " = ",
                      value, "\n");
}

void ForwardEmitter::AddContainer(const Op& op, std::map<std::string, std::string>* values) const {
  const Input* input = FindInput(test_, op.operands[0]);
  if (input == nullptr || !IsContainer(input->type)) return;
  const bool dictionary = input->type == Type::kDict;
  (*values)["0.values"] = dictionary ? input->name + ".values()" : input->name;
  const std::string& key = Attr(op, "key");
  (*values)["0.item"] = dictionary                   ? absl::StrCat(input->name, "[\"", key, "\"]")
                        : input->type == Type::kData ? absl::StrCat(input->name, ".", key)
                                                     : absl::StrCat(input->name, "[", key, "]");
}

void ForwardEmitter::AddAttribute(const Op& op, size_t index,
                                  std::map<std::string, std::string>* values) const {
  const AttrSpec& spec = op.row->attrs[index];
  const std::string& value = op.attrs[index];
  const std::string name = spec.name;
  const std::string& x = (*values)["0"];
  (*values)[name] = value;
  switch (spec.kind) {
    case AttrKind::kFunction: {
      const Slot* slot = FindSlot(test_, value);
      (*values)[name] = slot == nullptr ? absl::StrCat(value, "(", x, ")") : slots_.Call(*slot, x);
      break;
    }
    case AttrKind::kUnary:
      (*values)[name] = slots_.Unary(value, x);
      (*values)[name + ":x"] = slots_.Unary(value, "x");
      (*values)[name + ":name"] = slots_.Unary(value, op.name);
      (*values)[name + ":leaf"] = slots_.Unary(value, op.name + "_leaf");
      break;
    case AttrKind::kPredicate:
      (*values)[name] = Predicate(value);
      break;
    case AttrKind::kWritten:
      (*values)[name] = Read(value);
      break;
    case AttrKind::kDtype:
      (*values)[name] = dialect_.dtypes.at(*ParseDtype(value));
      break;
    case AttrKind::kChoice:
      if (value == "yes") (*values)[name] = "True";
      if (value == "no") (*values)[name] = "False";
      break;
    case AttrKind::kInts: {
      const std::vector<int64_t> numbers = ParseInts(value);
      const std::string list = absl::StrJoin(numbers, ", ");
      (*values)[name] = list;
      (*values)[name + ":tuple"] = numbers.size() == 1 ? list : absl::StrCat("(", list, ")");
      break;
    }
    default:
      break;
  }
}

std::map<std::string, std::string> ForwardEmitter::Values(const Op& op) const {
  std::map<std::string, std::string> values{{"name", op.name}, {"Name", ClassName(op.name)}};
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
  AddContainer(op, &values);
  for (size_t i = 0; i < op.attrs.size(); ++i) AddAttribute(op, i, &values);
  return values;
}

// A name as the forward function reads it.
std::string ForwardEmitter::Read(const std::string& name) const {
  const Slot* slot = FindSlot(test_, name);
  if (slot != nullptr && name != bound_) return slots_.InsideModel(*slot);
  const auto dtype = ParseDtype(name);
  return dtype && FindInput(test_, name) == nullptr && FindOp(test_, name) == nullptr
             ? dialect_.dtypes.at(*dtype)
             : name;
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
      case PredicateArg::kKey:
        break;
      case PredicateArg::kEntry:
        arg = slots_.Exists(*FindSlot(test_, arg));
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

std::string ForwardEmitter::Statements(const Op& op) const {
  std::string key = op.row->name;
  for (size_t i = 0; i < op.attrs.size(); ++i) {
    if (op.row->attrs[i].kind == AttrKind::kInts && op.attrs[i] == "[]") key += "[]";
    const std::string choice = absl::StrCat(op.row->name, "=", op.attrs[i]);
    if (dialect_.ops.contains(choice)) key = choice;
  }
  const OpTemplate& form = dialect_.ops.at(key);
  const auto values = Values(op);
  if (!form.statements.empty()) return Fill(form.statements, values) + "\n";
  return absl::StrCat(op.name, " = ", Fill(form.expression, values), "\n");
}

}  // namespace reprise
