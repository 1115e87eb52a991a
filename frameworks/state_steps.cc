#include "frameworks/state_steps.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace reprise {
namespace {

std::string TargetOf(const Step& step) {
  const std::string& module = Attr(step, "module");
  return module.empty() ? "model" : "model." + module;
}

std::string PythonWord(const std::string& choice) {
  if (choice == "yes" || choice == "on") return "True";
  if (choice == "no" || choice == "off") return "False";
  return choice;
}

}  // namespace

std::string StateSteps::Emit(const Step& step) {
  const std::string word = step.row->name;
  if (step.row->fits != nullptr) return OnSlot(step);
  if (word == "hook") return Hook(step);
  if (word == "instance") return Instance(step);
  if (word == "wrap") return "";
  if (word == "flag") return dialect_.flags.at(step.attrs[0] + "=" + step.attrs[1]) + "\n";
  if (word == "drop") return absl::StrCat("del out", step.attrs[0], "\n");
  if (word == "unhook") {
    const std::string handle = absl::StrCat("handle", hooks_.back());
    hooks_.pop_back();
    return handle + ".remove()\n";
  }
  if (word == "variant") {
    const std::string name = VariantName(test_, ++variants_);
    return absl::StrCat("model = ", name, test_.function ? "\n" : "()\n");
  }
  return Template(step) + "\n";
}

std::string StateSteps::Template(const Step& step) const {
  std::string key = step.row->name;
  std::map<std::string, std::string> values{{"module", TargetOf(step)}};
  for (size_t i = 0; i < step.attrs.size(); ++i) {
    const AttrSpec& spec = step.row->attrs[i];
    const std::string choice = absl::StrCat(step.row->name, "=", step.attrs[i]);
    if (spec.kind == AttrKind::kModule) continue;
    if (spec.kind == AttrKind::kChoice && dialect_.steps.contains(choice)) key = choice;
    values[spec.name] = spec.kind == AttrKind::kDtype
                            ? dialect_.dtypes.at(*ParseDtype(step.attrs[i]))
                            : PythonWord(step.attrs[i]);
  }
  return Fill(dialect_.steps.at(key), values);
}

std::string StateSteps::OnSlot(const Step& step) const {
  const std::string verb = step.row->name;
  const Slot& slot = *FindSlot(test_, step.attrs[0]);
  const std::string now = slots_.Outside(slot);
  if (verb == "set") {
    if (step.attrs[2] == "factory") return Factory(slot, step.attrs[1]);
    if (step.attrs[2] == "dict") {
      return absl::StrCat("model.__dict__[\"", slot.name,
                          "\"] = ", slots_.Literal(slot.type, step.attrs[1]), "\n");
    }
    return slots_.Set(slot, step.attrs[1]);
  }
  if (verb == "delete") return slots_.Delete(slot);
  if (verb == "recode") return slots_.Recode(slot, step.attrs[1]);
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
  if (verb == "rebind") return Rebind(slot, step);
  const Slot& other = *FindSlot(test_, step.attrs[1]);
  if (verb == "tie") return slots_.Assign(slot, slots_.Outside(other));
  if (verb == "row") {
    const int64_t rows = ParseTensorLiteral(other.value).shape[0];
    const int64_t index = ParseInt(step.attrs[2], 0) % rows;
    return slots_.Assign(slot,
                         absl::StrCat(slots_.Outside(other), "[", index, ":", index + 1, "]"));
  }
  return Exchange(slot, other);
}

std::string StateSteps::Rebind(const Slot& slot, const Step& step) const {
  const int64_t to = ParseInt(step.attrs[1], 1);
  std::string literal = absl::StrCat(to);
  if (slot.type == Type::kObject) literal = absl::StrCat("#", (to - 1) % 4 + 1);
  if (slot.type == Type::kTensor) {
    TensorLiteral tensor = ParseTensorLiteral(slot.value);
    tensor.seed = to;
    literal = TensorLiteralText(tensor);
  }
  return slots_.Set(slot, literal);
}

std::string StateSteps::Exchange(const Slot& slot, const Slot& other) const {
  const std::string now = slots_.Outside(slot), then = slots_.Outside(other);
  if (slot.home != FindHome("closure"))
    return absl::StrCat(now, ", ", then, " = ", then, ", ", now, "\n");
  return absl::StrCat("swapped = ", then, ", ", now, "\n", slots_.Assign(slot, "swapped[0]"),
                      slots_.Assign(other, "swapped[1]"));
}

// The model made anew by its factory, one variable of which has another value.
std::string StateSteps::Factory(const Slot& changed, const std::string& literal) const {
  std::vector<std::string> values;
  for (const Slot& slot : test_.slots) {
    if (slot.home != FindHome("closure")) continue;
    values.push_back(slots_.Literal(slot.type, slot.name == changed.name ? literal : slot.value));
  }
  return absl::StrCat(absl::StrJoin(slots_.FactoryNames(), ", "), " = build(",
                      absl::StrJoin(values, ", "), ")\n");
}

std::string StateSteps::Hook(const Step& step) {
  const size_t number = ++hooks_made_;
  hooks_.push_back(number);
  const std::string target = TargetOf(step), kind = Attr(step, "kind"), fn = Attr(step, "fn");
  const bool whole = target == "model";
  // A hook of the whole model meets all its arguments, or all its results.
  std::string changed;
  if (kind == "pre") {
    changed = slots_.Unary(fn, "args[0]");
    changed =
        whole ? absl::StrCat("(", changed, ",) + args[1:]") : absl::StrCat("(", changed, ",)");
  } else if (kind == "forward") {
    changed = whole && test_.returns.size() > 1
                  ? absl::StrCat("(", slots_.Unary(fn, "output[0]"), ",) + output[1:]")
                  : slots_.Unary(fn, "output");
  } else {
    changed = absl::StrCat("tuple(None if g is None else ", slots_.Unary(fn, "g"),
                           kind == "backward" ? " for g in grad_input)" : " for g in grad_output)");
  }
  return Fill(dialect_.steps.at("hook=" + kind),
              {{"handle", absl::StrCat("handle", number)}, {"module", target}, {"fn", changed}}) +
         "\n";
}

std::string StateSteps::Instance(const Step& step) {
  const int64_t to = ParseInt(step.attrs[0], 1);
  if (to == current_) return "";
  std::string text = absl::StrCat("model", current_, " = model\n");
  const bool made =
      to == 1 || std::find(instances_.begin(), instances_.end(), to) != instances_.end();
  if (made) {
    absl::StrAppend(&text, "model = model", to, "\n");
  } else {
    instances_.push_back(to);
    // Parameters of another seed, where the class draws any.
    const bool seeded = std::any_of(test_.ops.begin(), test_.ops.end(), [](const Op& op) {
      return (op.row->flags & kParameters) != 0;
    });
    const std::string seed = seeded ? absl::StrCat(100 * (to - 1)) : "";
    absl::StrAppend(&text, "model = ", slots_.Model(), "(", seed, ")\n");
  }
  current_ = to;
  return text;
}

}  // namespace reprise
