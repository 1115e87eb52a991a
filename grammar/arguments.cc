#include "grammar/arguments.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace reprise {
namespace {

constexpr int64_t kMaxSize = 64;
constexpr int64_t kDefaultSize = 2;
constexpr int64_t kMaxBases = 3;

using Bindings = std::map<std::string, int64_t>;  // symbol -> size in this call

bool IsNumberText(const std::string& dim) { return !dim.empty() && std::isdigit(dim[0]); }

void ReadModifiers(absl::string_view text, Argument* argument) {
  for (absl::string_view part : absl::StrSplit(text, ':', absl::SkipEmpty())) {
    const std::string word(part);
    double scale;
    if (const auto dtype = ParseDtype(word)) {
      argument->dtype = *dtype;
    } else if (const LayoutRow* layout = FindLayout(word)) {
      argument->layout = layout;
    } else if (word == "grad") {
      argument->grad = true;
    } else if (word[0] == 'x' && absl::SimpleAtod(word.substr(1), &scale)) {
      argument->scale = scale;
    }
  }
}

std::string Modifiers(const Input& input, const Argument& argument) {
  std::string text;
  if (argument.dtype != input.dtype) absl::StrAppend(&text, ":", Name(argument.dtype));
  if (argument.layout != &Layouts()[0]) absl::StrAppend(&text, ":", argument.layout->name);
  if (argument.grad) text += ":grad";
  if (argument.scale != 1) absl::StrAppend(&text, ":x", FloatText(argument.scale));
  return text;
}

// Gives the shape the declared rank and sizes, and binds the symbols that were free.
void FitShape(const Input& input, Bindings* bindings, Shape* shape) {
  shape->resize(input.dims.size(), -1);
  for (size_t i = 0; i < input.dims.size(); ++i) {
    int64_t& size = (*shape)[i];
    if (IsNumberText(input.dims[i])) {
      size = ParseInt(input.dims[i], 1);
      continue;
    }
    if (size < 0) size = kDefaultSize;
    size = std::min(size, kMaxSize);
    size = bindings->emplace(input.dims[i], size).first->second;
  }
}

// Could a tensor of this shape and dtype be passed for the input?
bool Accepts(const Input& input, const TensorLiteral& tensor, Bindings* bindings) {
  if (tensor.dtype != input.dtype || tensor.shape.size() != input.dims.size()) return false;
  Bindings trial = *bindings;
  Shape shape = tensor.shape;
  FitShape(input, &trial, &shape);
  if (shape != tensor.shape) return false;
  *bindings = trial;
  return true;
}

void FitTensor(const Input& input, Bindings* bindings, Argument* a) {
  FitShape(input, bindings, &a->shape);
  if (a->layout == nullptr || a->shape.size() < a->layout->min_rank ||
      a->pattern->pattern == Pattern::kView) {
    a->layout = &Layouts()[0];
  }
  if (a->layout->overlapping && a->shape[0] < 1) a->layout = &Layouts()[0];
  if (!IsFloat(a->dtype)) {
    a->grad = false;
    a->scale = 1;
  }
  a->scale = std::isfinite(a->scale) ? std::clamp(a->scale, 1e-3, 1e4) : 1;
  a->value.clear();
  if (a->pattern->pattern == Pattern::kView) {
    a->grad = false;
    a->base = std::clamp<int64_t>(a->base, 0, kMaxBases - 1);
    a->offset = std::clamp<int64_t>(a->offset, 0, kMaxSize);
  } else {
    a->base = a->offset = 0;
  }
}

// Resolves "@name" for input `index`; false if nothing fits.
bool FitName(const TestCase& test, size_t index, const std::vector<Argument>& earlier,
             Bindings* bindings, Argument* a) {
  const Input& input = test.inputs[index];
  Step so_far;
  so_far.arguments = earlier;
  const auto fits = [&](const std::string& name) {
    if (const Slot* slot = FindSlot(test, name)) {
      if (slot->type != input.type) return false;
      return input.type != Type::kTensor ||
             Accepts(input, ParseTensorLiteral(slot->value), bindings);
    }
    for (size_t i = 0; i < index; ++i) {
      if (test.inputs[i].name != name || test.inputs[i].type != input.type) continue;
      return input.type != Type::kTensor ||
             Accepts(input, EffectiveTensor(test, so_far, i), bindings);
    }
    return false;
  };
  if (input.type != Type::kTensor && input.type != Type::kObject) return false;
  if (!fits(a->value)) return false;
  Argument named;
  named.pattern = FindPattern(Pattern::kName);
  named.value = a->value;
  named.dtype = input.dtype;
  named.layout = &Layouts()[0];
  *a = named;
  return true;
}

}  // namespace

Argument ParseArgument(const Input& input, const std::string& text) {
  Argument a;
  a.pattern = FindPattern(Pattern::kFresh);
  a.dtype = input.dtype;
  a.layout = &Layouts()[0];
  if (absl::StartsWith(text, "@")) {
    a.pattern = FindPattern(Pattern::kName);
    a.value = text.substr(1);
    return a;
  }
  if (input.type != Type::kTensor) {
    a.pattern = FindPattern(Pattern::kValue);
    a.value = text;
    return a;
  }
  size_t end = text.find(']');
  a.shape = ParseInts(text);
  if (absl::StartsWith(text, "view(")) {
    a.pattern = FindPattern(Pattern::kView);
    const CallText view = ParseCallText(text.substr(0, text.find(')')));
    if (!view.arguments.empty()) a.base = ParseInt(view.arguments[0], 0);
    if (view.arguments.size() > 1) a.offset = ParseInt(view.arguments[1], 0);
    end = text.find(')');
  }
  if (end != std::string::npos) ReadModifiers(absl::string_view(text).substr(end + 1), &a);
  return a;
}

std::string ArgumentText(const Input& input, const Argument& a) {
  switch (a.pattern->pattern) {
    case Pattern::kFresh:
      return ShapeText(a.shape) + Modifiers(input, a);
    case Pattern::kView:
      return absl::StrCat("view(", a.base, ",", a.offset, ",", ShapeText(a.shape), ")",
                          Modifiers(input, a));
    case Pattern::kName:
      return "@" + a.value;
    case Pattern::kValue:
      return a.value;
  }
  return "";
}

void ResolveArguments(const TestCase& test, Step* call) {
  std::vector<Argument> given = std::move(call->arguments);
  call->arguments.clear();
  Bindings bindings;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    const Input& input = test.inputs[i];
    Argument a =
        i < given.size() && given[i].pattern != nullptr ? given[i] : ParseArgument(input, "");
    const bool tensor = input.type == Type::kTensor;
    if (a.pattern->pattern == Pattern::kName && !FitName(test, i, call->arguments, &bindings, &a)) {
      a = ParseArgument(input, "");
    }
    if (tensor && a.pattern->pattern == Pattern::kValue) a = ParseArgument(input, "");
    if (!tensor && a.pattern->pattern != Pattern::kName) {
      const std::string value = a.value;
      a = ParseArgument(input, "");
      a.value = CanonicalLiteral(input.type, value, static_cast<int64_t>(i) + 1);
    }
    if (tensor && a.pattern->pattern != Pattern::kName) FitTensor(input, &bindings, &a);
    call->arguments.push_back(std::move(a));
  }
}

int OriginOfArgument(const TestCase& test, const Step& call, size_t index) {
  while (call.arguments[index].pattern->pattern == Pattern::kName) {
    const std::string& name = call.arguments[index].value;
    size_t earlier = 0;
    while (earlier < index && test.inputs[earlier].name != name) ++earlier;
    if (earlier == index) return -1;
    index = earlier;
  }
  return static_cast<int>(index);
}

TensorLiteral EffectiveTensor(const TestCase& test, const Step& call, size_t index) {
  const int origin = OriginOfArgument(test, call, index);
  if (origin >= 0) return {call.arguments[origin].shape, call.arguments[origin].dtype, 0};
  const Slot* slot = nullptr;  // the name at the end of the chain is a slot's
  size_t i = index;
  while (slot == nullptr) {
    slot = FindSlot(test, call.arguments[i].value);
    if (slot != nullptr) break;
    i = static_cast<size_t>(FindInput(test, call.arguments[i].value) - test.inputs.data());
  }
  return ParseTensorLiteral(slot->value);
}

}  // namespace reprise
