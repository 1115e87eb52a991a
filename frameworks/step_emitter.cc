#include "frameworks/step_emitter.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "grammar/arguments.h"
#include "grammar/printer.h"

namespace reprise {
namespace {

// Seeds of the tensors of one call lie apart from those of any other call and of the slots.
int64_t ArgumentSeed(int64_t call_seed, size_t input) {
  return 1000 + call_seed * 10 + static_cast<int64_t>(input);
}

class StepEmitter {
 public:
  StepEmitter(const TestCase& test, const Dialect& dialect, const SlotForms& slots,
              const Inference& construction)
      : test_(test), dialect_(dialect), slots_(slots), construction_(construction) {
    random_ = std::any_of(test.ops.begin(), test.ops.end(),
                          [](const Op& op) { return (op.row->flags & kRandom) != 0; });
  }

  std::vector<ProgramStep> Emit() {
    std::vector<ProgramStep> steps;
    for (size_t i = 0; i < test_.steps.size(); ++i) steps.push_back(EmitStep(i));
    return steps;
  }

 private:
  ProgramStep EmitStep(size_t index) {
    const Step& step = test_.steps[index];
    ProgramStep out;
    out.comment = PrintStep(test_, step);
    out.judged = IsJudged(step);
    if (IsCall(step)) {
      out.call = static_cast<int>(index);
      EmitCall(index, &out);
    } else if (step.row == FindStep("backward")) {
      EmitBackward(step, &out);
    } else if (step.row->fits != nullptr) {
      out.source = SlotStep(step);
    } else {
      out.source = ModelStep(step);
    }
    return out;
  }

  // Name of the variable that holds something of the `ordinal`-th call.
  std::string Variable(const std::string& stem, size_t ordinal) const {
    std::string name = absl::StrCat(stem, ordinal);
    const bool taken = FindSlot(test_, name) != nullptr || FindInput(test_, name) != nullptr;
    return taken || std::isdigit(stem.back()) ? absl::StrCat(stem, "_", ordinal) : name;
  }

  void EmitCall(size_t index, ProgramStep* out) {
    const Step& call = test_.steps[static_cast<size_t>(RootOfCall(test_, static_cast<int>(index)))];
    const int64_t seed = ParseInt(Attr(call, "seed"), 0);
    const size_t ordinal = ++calls_;
    std::map<std::tuple<int64_t, Dtype, double>, std::string> bases;
    std::vector<std::string> passed(test_.inputs.size());
    EmitBases(call, seed, ordinal, &bases, out);
    for (size_t i = 0; i < test_.inputs.size(); ++i) {
      const Argument& a = call.arguments[i];
      const Input& input = test_.inputs[i];
      switch (a.pattern->pattern) {
        case Pattern::kValue:
          passed[i] = slots_.Literal(input.type, a.value);
          continue;
        case Pattern::kName: {
          const Slot* slot = FindSlot(test_, a.value);
          passed[i] =
              slot != nullptr
                  ? slots_.Outside(*slot)
                  : passed[static_cast<size_t>(FindInput(test_, a.value) - test_.inputs.data())];
          continue;
        }
        case Pattern::kFresh:
          passed[i] = Variable(input.name, ordinal);
          absl::StrAppend(&out->source, passed[i], " = ", Fresh(a, ArgumentSeed(seed, i)), "\n");
          break;
        case Pattern::kView: {
          passed[i] = Variable(input.name, ordinal);
          const std::string& base = bases.at({a.base, a.dtype, a.scale});
          absl::StrAppend(&out->source, passed[i], " = ", base, "[", a.offset, ":",
                          a.offset + NumElements(a.shape), "]");
          if (a.shape.size() != 1) {
            absl::StrAppend(&out->source, ".reshape(",
                            a.shape.empty() ? "()" : absl::StrJoin(a.shape, ", "), ")");
          }
          out->source += "\n";
          break;
        }
      }
      out->arguments.push_back({input.name, passed[i]});
      if (a.grad) arguments_with_grad_[ordinal].push_back({input.name, passed[i]});
    }
    for (const auto& [key, base] : bases) out->arguments.push_back({base, base});
    if (random_)
      out->source += Fill(dialect_.seed_generator, {{"seed", absl::StrCat(seed)}}) + "\n";
    const std::string result = absl::StrCat("out", ordinal);
    const std::string invoke =
        absl::StrCat(result, " = compiled(", absl::StrJoin(passed, ", "), ")\n");
    const std::string& under = Attr(call, "under");
    if (under.empty()) {
      out->source += invoke;
    } else {
      absl::StrAppend(&out->source, "with ", dialect_.under.at(under), ":\n    ", invoke);
    }
    out->results.push_back({"result", result});
  }

  // One tensor per base that views of this call share, long enough for all of them.
  void EmitBases(const Step& call, int64_t seed, size_t ordinal,
                 std::map<std::tuple<int64_t, Dtype, double>, std::string>* bases,
                 ProgramStep* out) {
    std::map<std::tuple<int64_t, Dtype, double>, int64_t> lengths;
    for (const Argument& a : call.arguments) {
      if (a.pattern->pattern != Pattern::kView) continue;
      int64_t& length = lengths[{a.base, a.dtype, a.scale}];
      length = std::max(length, a.offset + NumElements(a.shape));
    }
    size_t number = 0;
    for (const auto& [key, length] : lengths) {
      const auto& [base, dtype, scale] = key;
      std::string name = Variable("base", ordinal);
      if (number > 0) name += static_cast<char>('a' + number);
      const TensorLiteral tensor{{length}, dtype, ArgumentSeed(seed, kMaxInputs + number)};
      absl::StrAppend(&out->source, name, " = ", slots_.Rand(tensor, scale), "\n");
      (*bases)[key] = name;
      ++number;
    }
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
    return a.grad ? Fill(dialect_.ask_gradient, {{"0", text}}) : text;
  }

  void EmitBackward(const Step& step, ProgramStep* out) {
    const int64_t call = ParseInt(step.attrs[0], 1);
    const int index = StepOfCall(test_, call);
    out->call = index;
    const Inference inference =
        InferCall(test_, index, index == FirstCall(test_) ? nullptr : &construction_);
    const std::string result = absl::StrCat("out", call);
    std::vector<std::string> terms;
    for (size_t i = 0; i < test_.returns.size(); ++i) {
      const ValueInfo& info = inference.values.at(test_.returns[i]);
      if (info.type != Type::kTensor || !IsFloat(info.dtype)) continue;
      const std::string value =
          test_.returns.size() == 1 ? result : absl::StrCat(result, "[", i, "]");
      terms.push_back(Fill(dialect_.square_sum, {{"0", value}}));
    }
    const std::string loss = absl::StrJoin(terms, " + ");
    out->source =
        Fill(dialect_.backward, {{"0", terms.size() == 1 ? loss : "(" + loss + ")"}}) + "\n";
    for (const Watch& argument : arguments_with_grad_[static_cast<size_t>(call)]) {
      out->gradients.push_back({argument.label, argument.expression + ".grad"});
    }
  }

  std::string SlotStep(const Step& step) const {
    const std::string verb = step.row->name;
    const Slot& slot = *FindSlot(test_, step.attrs[0]);
    const std::string now = slots_.Outside(slot);
    if (verb == "set") {
      const std::string value = slots_.Literal(slot.type, step.attrs[1]);
      if (step.attrs[2] == "dict")
        return absl::StrCat("model.__dict__[\"", slot.name, "\"] = ", value, "\n");
      return slots_.Assign(slot, value);
    }
    if (verb == "delete") return slots_.Delete(slot);
    if (verb == "update") {
      const std::string write = absl::StrCat(now, ".", step.attrs[1], "_(", step.attrs[2], ")\n");
      if (slot.home != FindHome("param") || dialect_.no_grad.empty()) return write;
      return absl::StrCat("with ", dialect_.no_grad, ":\n    ", write);
    }
    if (verb == "copy") {
      const std::string twin = slot.type == Type::kTensor ? Fill(dialect_.clone, {{"0", now}})
                                                          : absl::StrCat("copy.copy(", now, ")");
      return slots_.Assign(slot, slots_.Held(slot, twin));
    }
    if (verb == "rebind") {
      const int64_t to = ParseInt(step.attrs[1], 1);
      std::string literal = absl::StrCat("#", (to - 1) % 4 + 1);
      if (slot.type == Type::kTensor) {
        TensorLiteral tensor = ParseTensorLiteral(slot.value);
        tensor.seed = to;
        literal = TensorLiteralText(tensor);
      }
      return slots_.Assign(slot, slots_.Held(slot, slots_.Literal(slot.type, literal)));
    }
    const Slot& other = *FindSlot(test_, step.attrs[1]);  // swap
    const std::string then = slots_.Outside(other);
    if (slot.home != FindHome("closure"))
      return absl::StrCat(now, ", ", then, " = ", then, ", ", now, "\n");
    return absl::StrCat("swapped = ", then, ", ", now, "\n", slots_.Assign(slot, "swapped[0]"),
                        slots_.Assign(other, "swapped[1]"));
  }

  std::string ModelStep(const Step& step) {
    const std::string word = step.row->name;
    const std::string target = step.attrs.empty() || Attr(step, "module").empty()
                                   ? "model"
                                   : "model." + Attr(step, "module");
    if (word == "train" || word == "eval") return absl::StrCat(target, ".", word, "()\n");
    if (word == "zero_grad") return "model.zero_grad()\n";
    if (word == "grad") {
      return Fill(dialect_.set_grad, {{"mode", step.attrs[0] == "on" ? "True" : "False"}}) + "\n";
    }
    if (word == "unhook") {
      const std::string handle = absl::StrCat("handle", hooks_.back());
      hooks_.pop_back();
      return handle + ".remove()\n";
    }
    const size_t number = ++hooks_made_;
    hooks_.push_back(number);
    const bool whole = target == "model";
    const bool pre = Attr(step, "kind") == "pre";
    const std::string& unary = dialect_.unaries.at(Attr(step, "fn")).expression;
    // A hook of the whole model meets all its arguments, or all its results.
    std::string changed = Fill(unary, {{"0", pre ? "args[0]" : "output"}});
    if (pre)
      changed =
          whole ? absl::StrCat("(", changed, ",) + args[1:]") : absl::StrCat("(", changed, ",)");
    if (!pre && whole && test_.returns.size() > 1) {
      changed = absl::StrCat("(", Fill(unary, {{"0", "output[0]"}}), ",) + output[1:]");
    }
    return Fill(pre ? dialect_.hook_pre : dialect_.hook_forward,
                {{"handle", absl::StrCat("handle", number)}, {"module", target}, {"fn", changed}}) +
           "\n";
  }

  const TestCase& test_;
  const Dialect& dialect_;
  const SlotForms& slots_;
  const Inference& construction_;
  bool random_ = false;
  size_t calls_ = 0;
  size_t hooks_made_ = 0;
  std::vector<size_t> hooks_;                                 // hooks in place, oldest first
  std::map<size_t, std::vector<Watch>> arguments_with_grad_;  // by ordinal of the call
};

}  // namespace

std::vector<ProgramStep> EmitSteps(const TestCase& test, const Dialect& dialect,
                                   const SlotForms& slots, const Inference& construction) {
  return StepEmitter(test, dialect, slots, construction).Emit();
}

}  // namespace reprise
