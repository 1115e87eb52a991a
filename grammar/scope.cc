#include "grammar/scope.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

bool IsTruth(const Scope::Entry& e) {
  return !e.operator_result && IsPlain(e.type) && e.type != Type::kDtype;
}

bool HasIdentity(Type type) {
  return type == Type::kObject || type == Type::kTensor || type == Type::kRandom ||
         type == Type::kModule || IsContainer(type);
}

// A number as it is written, clamped; empty if the text is none.
std::string LiteralNumber(const std::string& text, double limit) {
  int64_t integer;
  const auto whole = static_cast<int64_t>(limit);
  if (absl::SimpleAtoi(text, &integer)) return IntText(std::clamp(integer, -whole, whole));
  double number;
  const bool digits =
      !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string::npos;
  if (digits && absl::SimpleAtod(text, &number))
    return FloatText(std::clamp(number, -limit, limit));
  return "";
}

constexpr double kMaxNumber = 1e6;
constexpr double kMaxInteger = 64;

}  // namespace

std::string Scope::Declare(const std::string& wanted, const std::string& fallback, Type type,
                           bool operator_result, bool can_lack) {
  std::string stem = SanitiseName(wanted);
  if (stem.empty()) stem = fallback;
  std::string name = stem;
  // The longest name with a number behind it must still be a name.
  for (int i = 2; index_.contains(name); ++i) {
    name = absl::StrCat(stem.substr(0, kMaxNameLength - 3), i);
  }
  index_.emplace(name, entries_.size());
  entries_.push_back({name, type, operator_result, can_lack});
  return name;
}

const Scope::Entry* Scope::Find(const std::string& name) const {
  const auto it = index_.find(name);
  return it == index_.end() || entries_[it->second].hidden ? nullptr : &entries_[it->second];
}

std::string Scope::Refer(const std::string& text,
                         const std::function<bool(const Entry&)>& accept) const {
  const Entry* entry = Find(text);
  if (entry == nullptr) entry = Find(SanitiseName(text));
  if (entry != nullptr && accept(*entry)) return entry->name;
  std::vector<const Entry*> candidates;
  for (const Entry& e : entries_) {
    if (!e.hidden && accept(e)) candidates.push_back(&e);
  }
  if (candidates.empty()) return "";
  if (text.empty()) return candidates.back()->name;
  return candidates[StableHash(text) % candidates.size()]->name;
}

std::string Scope::Tensor(const std::string& text) const {
  return Refer(text, [](const Entry& e) { return e.type == Type::kTensor; });
}

std::string Scope::Function(const std::string& text) const {
  return Refer(text,
               [](const Entry& e) { return e.type == Type::kCallable || e.type == Type::kModule; });
}

std::string Scope::Operand(char letter, const std::string& text) const {
  const auto of_type = [&](const auto& accept) {
    return Refer(text, [&](const Entry& e) { return accept(e.type); });
  };
  switch (letter) {
    case 't':
      return Tensor(text);
    case 'n': {
      const std::string number = LiteralNumber(text, kMaxNumber);
      if (!number.empty()) return number;
      return of_type([](Type t) { return t == Type::kTensor || IsNumber(t); });
    }
    case 'f': {
      if (text.empty()) return "0.5";
      const std::string number = LiteralNumber(text, kMaxNumber);
      if (!number.empty()) return number;
      const std::string name = of_type(IsNumber);
      return name.empty() ? "0.5" : name;
    }
    case 'i': {
      if (text.empty()) return "1";
      if (!LiteralNumber(text, kMaxInteger).empty())
        return CanonicalLiteral(Type::kInt, LiteralNumber(text, kMaxInteger), 1);
      const std::string name = of_type([](Type t) { return t == Type::kInt; });
      return name.empty() ? "1" : name;
    }
    case 'd': {
      if (ParseDtype(text)) return text;
      const std::string name = of_type([](Type t) { return t == Type::kDtype; });
      return name.empty() ? Name(Dtype::kF64) : name;
    }
    case 'o':
      return of_type([](Type t) { return t == Type::kOptional; });
    case 'c':
      return of_type(IsContainer);
    default:
      return of_type([](Type t) { return t == Type::kRandom || t == Type::kGenerator; });
  }
}

void Scope::HideAllButLast(size_t count) {
  for (size_t i = count; i + 1 < entries_.size(); ++i) entries_[i].hidden = true;
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
        arg = Refer(arg, [](const Entry& e) { return !e.operator_result && HasIdentity(e.type); });
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
      case PredicateArg::kOptional:
        arg = Operand('o', arg);
        break;
      case PredicateArg::kContainer:
        arg =
            Refer(arg, [](const Entry& e) { return IsContainer(e.type) && e.type != Type::kData; });
        break;
      case PredicateArg::kDictionary:
        arg = Refer(arg, [](const Entry& e) { return e.type == Type::kDict; });
        break;
      case PredicateArg::kKey:
        arg = SanitiseName(arg);
        if (arg.empty()) arg = "a";
        break;
      case PredicateArg::kEntry:
        arg = Refer(arg, [](const Entry& e) { return e.can_lack; });
        break;
    }
    if (arg.empty()) return fallback;
  }
  if (predicate.row->name == std::string("truth")) return predicate.args[0];
  return CallTextOf(predicate.row->name, predicate.args);
}

}  // namespace reprise
