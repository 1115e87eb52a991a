#include "frameworks/argument_emitter.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "grammar/arguments.h"

namespace reprise {
namespace {

// Seeds of the tensors of one call lie apart from those of any other call and of the slots.
int64_t ArgumentSeed(int64_t call_seed, size_t input) {
  return 1000 + call_seed * 10 + static_cast<int64_t>(input);
}

// Items of containers have seeds of their own.
int64_t ItemSeed(int64_t call_seed, size_t input, size_t item) {
  return ArgumentSeed(call_seed, input) + 2'000'000 * static_cast<int64_t>(item + 1);
}

using BaseKey = std::tuple<int64_t, Dtype, double>;

class ArgumentEmitter {
 public:
  ArgumentEmitter(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                  int64_t seed, size_t ordinal)
      : test_(test), dialect_(dialect), slots_(slots), seed_(seed), ordinal_(ordinal) {}

  EmittedArguments Emit(const Step& call) {
    EmitBases(call.arguments);
    for (size_t i = 0; i < test_.inputs.size(); ++i) {
      out_.passed.push_back(Pass(i, call.arguments[i]));
    }
    for (const auto& [key, base] : bases_) out_.watched.push_back({base, base});
    return std::move(out_);
  }

 private:
  // Name of the variable that holds something of this call.
  std::string Variable(const std::string& stem) const {
    std::string name = absl::StrCat(stem, ordinal_);
    const bool taken = FindSlot(test_, name) != nullptr || FindInput(test_, name) != nullptr;
    return taken || std::isdigit(stem.back()) ? absl::StrCat(stem, "_", ordinal_) : name;
  }

  std::string Pass(size_t index, const Argument& a) {
    const Input& input = test_.inputs[index];
    if (a.pattern->pattern == Pattern::kName) {
      const Slot* slot = FindSlot(test_, a.value);
      if (slot == nullptr) return PassedFor(a.value);
      const std::string object = slots_.Outside(*slot);
      out_.watched.push_back({input.name, object});
      return object;
    }
    if (a.pattern->pattern == Pattern::kOutput) {
      const std::string object = ResultText(test_, a.call, a.result);
      out_.watched.push_back({input.name, object});
      return object;
    }
    if (a.pattern->pattern == Pattern::kValue) return Value(input, a);
    const std::string variable = Variable(input.name);
    if (a.pattern->pattern == Pattern::kItems) {
      out_.statements += absl::StrCat(variable, " = ", Items(index, a), "\n");
    } else {
      EmitTensor(variable, a, ArgumentSeed(seed_, index), input.name);
    }
    out_.watched.push_back({input.name, variable});
    return variable;
  }

  // A literal; what has a state or an identity gets a name, so that it can be looked at.
  std::string Value(const Input& input, const Argument& a) {
    const std::string value = slots_.Literal(input.type, a.value);
    if (input.type != Type::kRandom && input.type != Type::kGenerator) return value;
    const std::string variable = Variable(input.name);
    absl::StrAppend(&out_.statements, variable, " = ", value, "\n");
    out_.watched.push_back({input.name, variable});
    return variable;
  }

  std::string PassedFor(const std::string& input) const {
    return out_.passed[static_cast<size_t>(FindInput(test_, input) - test_.inputs.data())];
  }

  std::string Items(size_t index, const Argument& a) {
    const Input& input = test_.inputs[index];
    std::vector<std::string> parts;
    for (size_t k = 0; k < a.items.size(); ++k) {
      const std::string item = Item(index, k, a.items[k]);
      if (input.type == Type::kDict) {
        parts.push_back(absl::StrCat("\"", a.keys[k], "\": ", item));
      } else if (input.type == Type::kData) {
        parts.push_back(absl::StrCat(a.keys[k], "=", item));
      } else {
        parts.push_back(item);
      }
    }
    const std::string list = absl::StrJoin(parts, ", ");
    if (input.type == Type::kList) return absl::StrCat("[", list, "]");
    if (input.type == Type::kTuple) return absl::StrCat("(", list, parts.size() == 1 ? ",)" : ")");
    if (input.type == Type::kDict) return absl::StrCat("{", list, "}");
    return absl::StrCat(ClassName(input.name), "(", list, ")");
  }

  std::string Item(size_t index, size_t number, const Argument& a) {
    switch (a.pattern->pattern) {
      case Pattern::kName: {
        const Slot* slot = FindSlot(test_, a.value);
        return slot == nullptr ? PassedFor(a.value) : slots_.Outside(*slot);
      }
      case Pattern::kOutput:
        return ResultText(test_, a.call, a.result);
      case Pattern::kView:
        return View(a);
      default:
        break;
    }
    const int64_t seed = ItemSeed(seed_, index, number);
    const std::string name = absl::StrCat(test_.inputs[index].name, "_", number);
    if (a.mark == nullptr && !a.grad) return Fresh(a, seed);
    const std::string variable = Variable(name);
    EmitTensor(variable, a, seed, name);
    return variable;
  }

  void EmitTensor(const std::string& variable, const Argument& a, int64_t seed,
                  const std::string& label) {
    const std::string tensor = a.pattern->pattern == Pattern::kView ? View(a) : Fresh(a, seed);
    if (a.derived) {
      const std::string leaf = variable + "_leaf";
      absl::StrAppend(&out_.statements, leaf, " = ", tensor, "\n", variable, " = ",
                      Fill(dialect_.derive, {{"0", leaf}}), "\n");
      out_.leaves.push_back({label, leaf});
    } else {
      absl::StrAppend(&out_.statements, variable, " = ", tensor, "\n");
      if (a.grad) out_.leaves.push_back({label, variable});
    }
    if (a.mark == nullptr) return;
    absl::StrAppend(
        &out_.statements,
        Fill(dialect_.marks.at(a.mark->name), {{"0", variable}, {"dim", absl::StrCat(a.marked)}}),
        "\n");
  }

  std::string View(const Argument& a) const {
    std::string text = absl::StrCat(bases_.at({a.base, a.dtype, a.scale}), "[", a.offset, ":",
                                    a.offset + NumElements(a.shape), "]");
    if (a.shape.size() != 1) {
      absl::StrAppend(&text, ".reshape(", a.shape.empty() ? "()" : absl::StrJoin(a.shape, ", "),
                      ")");
    }
    return text;
  }

  std::string Fresh(const Argument& a, int64_t seed) const {
    std::string text = slots_.Rand({a.shape, a.dtype, seed}, a.scale);
    if (a.layout != &Layouts()[0]) {
      std::map<std::string, std::string> values{
          {"0", a.dtype == Dtype::kBool ? "(" + text + ")" : text}};
      values["shape"] = absl::StrJoin(a.shape, ", ");
      values["0.0"] = absl::StrCat(a.shape[0]);
      text = Fill(dialect_.layouts.at(a.layout->name), values);
    }
    if (a.tag != 0) text = Fill(dialect_.tag, {{"0", text}, {"tag", absl::StrCat(a.tag)}});
    return a.grad ? Fill(dialect_.ask_gradient, {{"0", text}}) : text;
  }

  void Measure(const std::vector<Argument>& arguments, std::map<BaseKey, int64_t>* lengths) const {
    for (const Argument& a : arguments) {
      Measure(a.items, lengths);
      if (a.pattern->pattern != Pattern::kView) continue;
      int64_t& length = (*lengths)[{a.base, a.dtype, a.scale}];
      length = std::max(length, a.offset + NumElements(a.shape));
    }
  }

  // One tensor per base that views of this call share, long enough for all of them.
  void EmitBases(const std::vector<Argument>& arguments) {
    std::map<BaseKey, int64_t> lengths;
    Measure(arguments, &lengths);
    size_t number = 0;
    for (const auto& [key, length] : lengths) {
      const auto& [base, dtype, scale] = key;
      std::string name = Variable("base");
      if (number > 0) name += static_cast<char>('a' + number);
      const TensorLiteral tensor{{length}, dtype, ArgumentSeed(seed_, kMaxInputs + number)};
      absl::StrAppend(&out_.statements, name, " = ", slots_.Rand(tensor, scale), "\n");
      bases_[key] = name;
      ++number;
    }
  }

  const TestCase& test_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  const int64_t seed_;
  const size_t ordinal_;
  std::map<BaseKey, std::string> bases_;
  EmittedArguments out_;
};

}  // namespace

std::string ResultText(const TestCase& test, int64_t call, int64_t result) {
  return test.returns.size() == 1 ? absl::StrCat("out", call)
                                  : absl::StrCat("out", call, "[", result, "]");
}

EmittedArguments EmitArguments(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
                               const Step& call, int64_t seed, size_t ordinal) {
  return ArgumentEmitter(test, dialect, slots, seed, ordinal).Emit(call);
}

}  // namespace reprise
