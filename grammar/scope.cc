#include "grammar/scope.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

bool IsTruth(const Scope::Entry& e) {
  return !e.operator_result && (e.type == Type::kBool || e.type == Type::kInt ||
                                e.type == Type::kFloat || e.type == Type::kStr);
}

}  // namespace

std::string Scope::Declare(const std::string& wanted, const std::string& fallback, Type type,
                           bool operator_result) {
  std::string stem = SanitiseName(wanted);
  if (stem.empty()) stem = fallback;
  std::string name = stem;
  // The longest name with a number behind it must still be a name.
  for (int i = 2; index_.contains(name); ++i) {
    name = absl::StrCat(stem.substr(0, kMaxNameLength - 3), i);
  }
  index_.emplace(name, entries_.size());
  entries_.push_back({name, type, operator_result});
  return name;
}

const Scope::Entry* Scope::Find(const std::string& name) const {
  const auto it = index_.find(name);
  return it == index_.end() ? nullptr : &entries_[it->second];
}

std::string Scope::Refer(const std::string& text,
                         const std::function<bool(const Entry&)>& accept) const {
  const Entry* entry = Find(text);
  if (entry == nullptr) entry = Find(SanitiseName(text));
  if (entry != nullptr && accept(*entry)) return entry->name;
  std::vector<const Entry*> candidates;
  for (const Entry& e : entries_) {
    if (accept(e)) candidates.push_back(&e);
  }
  if (candidates.empty()) return "";
  if (text.empty()) return candidates.back()->name;
  return candidates[StableHash(text) % candidates.size()]->name;
}

std::string Scope::Tensor(const std::string& text) const {
  return Refer(text, [](const Entry& e) { return e.type == Type::kTensor; });
}

std::string Scope::TensorOrNumber(const std::string& text) const {
  int64_t integer;
  if (absl::SimpleAtoi(text, &integer)) {
    return IntText(std::clamp<int64_t>(integer, -1'000'000, 1'000'000));
  }
  double number;
  const bool digits =
      !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string::npos;
  if (digits && absl::SimpleAtod(text, &number)) return FloatText(std::clamp(number, -1e6, 1e6));
  return Refer(text, [](const Entry& e) { return e.type == Type::kTensor || IsNumber(e.type); });
}

std::string Scope::Function(const std::string& text) const {
  return Refer(text,
               [](const Entry& e) { return e.type == Type::kCallable || e.type == Type::kModule; });
}

ParsedPredicate ParsePredicate(const std::string& canonical) {
  const CallText call = ParseCallText(canonical);
  const PredicateRow* row = FindPredicate(call.name);
  if (row != nullptr) return {row, call.arguments};
  return {FindPredicate("truth"), {call.name}};
}

std::string Scope::Predicate(const std::string& text, bool object) const {
  const std::string fallback = object ? "training" : "grad_enabled";
  ParsedPredicate predicate = ParsePredicate(text);
  if (text.empty() || (!object && predicate.row->name == std::string("training"))) return fallback;
  const size_t arity = predicate.row->args.size();
  predicate.args.resize(arity);
  for (size_t i = 0; i < arity; ++i) {
    std::string& arg = predicate.args[i];
    switch (predicate.row->args[i]) {
      case PredicateArg::kTruthSlot:
        arg = Refer(arg, IsTruth);
        break;
      case PredicateArg::kNumberSlot:
        arg = Refer(arg, [](const Entry& e) { return !e.operator_result && IsNumber(e.type); });
        break;
      case PredicateArg::kTensor:
        arg = Tensor(arg);
        break;
      case PredicateArg::kIdentity:
        arg = Refer(arg, [](const Entry& e) {
          return !e.operator_result && (e.type == Type::kObject || e.type == Type::kTensor);
        });
        break;
      case PredicateArg::kIdentityTwin: {
        const std::string& first = predicate.args[0];
        const Entry* twin = Find(first);
        arg = Refer(arg, [&](const Entry& e) {
          return twin != nullptr && !e.operator_result && e.type == twin->type && e.name != first;
        });
        break;
      }
      case PredicateArg::kDim:
        arg = IntText(std::clamp<int64_t>(ParseInt(arg, 0), 0, kMaxRank - 1));
        break;
      case PredicateArg::kInt:
        arg = IntText(std::clamp<int64_t>(ParseInt(arg, 3), 1, 64));
        break;
      case PredicateArg::kLiteral: {
        const Entry* slot = Find(predicate.args[0]);
        arg = CanonicalLiteral(slot == nullptr ? Type::kFloat : slot->type, arg, 1);
        break;
      }
      case PredicateArg::kDtype:
        arg = Name(ParseDtype(arg).value_or(Dtype::kF64));
        break;
    }
    if (arg.empty()) return fallback;
  }
  if (predicate.row->name == std::string("truth")) return predicate.args[0];
  return CallTextOf(predicate.row->name, predicate.args);
}

}  // namespace reprise
