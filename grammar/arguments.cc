#include "grammar/arguments.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace reprise {
namespace {

constexpr int64_t kMaxSize = 64;
constexpr int64_t kDefaultSize = 2;
constexpr int64_t kMaxBases = 3;

using Bindings = std::map<std::string, int64_t>;  // symbol -> size in this call

bool IsNumberText(const std::string& dim) { return !dim.empty() && std::isdigit(dim[0]); }

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
  if (!a->grad) a->derived = false;
  a->scale = std::isfinite(a->scale) ? std::clamp(a->scale, 1e-3, 1e4) : 1;
  a->value.clear();
  if (a->marked < 0 || a->marked >= static_cast<int64_t>(a->shape.size())) a->mark = nullptr;
  if (a->mark == nullptr) a->marked = 0;
  a->tag = std::clamp<int64_t>(a->tag, 0, 9);
  if (a->pattern->pattern == Pattern::kView) {
    a->grad = a->derived = false;
    a->mark = nullptr;
    a->marked = a->tag = 0;
    a->base = std::clamp<int64_t>(a->base, 0, kMaxBases - 1);
    a->offset = std::clamp<int64_t>(a->offset, 0, kMaxSize);
  } else {
    a->base = a->offset = 0;
  }
}

// Resolves "@name" for input `index`, declared as `as`; false if nothing fits.
bool FitName(const TestCase& test, size_t index, const Input& as,
             const std::vector<Argument>& earlier, Bindings* bindings, Argument* a) {
  Step so_far;
  so_far.arguments = earlier;
  const auto fits = [&](const std::string& name) {
    if (const Slot* slot = FindSlot(test, name)) {
      if (slot->type != as.type) return false;
      return as.type != Type::kTensor || Accepts(as, ParseTensorLiteral(slot->value), bindings);
    }
    for (size_t i = 0; i < index; ++i) {
      if (test.inputs[i].name != name || test.inputs[i].type != as.type) continue;
      if (as.type != Type::kTensor) return true;
      const auto tensor = EffectiveTensor(test, so_far, i);
      return tensor && Accepts(as, *tensor, bindings);
    }
    return false;
  };
  const bool has_identity = as.type == Type::kTensor || as.type == Type::kObject ||
                            as.type == Type::kRandom || as.type == Type::kGenerator ||
                            IsContainer(as.type);
  if (!has_identity || !fits(a->value)) return false;
  Argument named;
  named.pattern = FindPattern(Pattern::kName);
  named.value = a->value;
  named.dtype = as.dtype;
  named.layout = &Layouts()[0];
  *a = named;
  return true;
}

// What an earlier call returned: there must be such a call, and a tensor among its results.
bool FitOutput(const TestCase& test, const Input& as, int64_t calls, Argument* a) {
  if (as.type != Type::kTensor || calls == 0) return false;
  Argument output;
  output.pattern = FindPattern(Pattern::kOutput);
  output.call = ((a->call - 1) % calls + calls) % calls + 1;
  const auto results = static_cast<int64_t>(test.returns.size());
  output.result = ((a->result % results) + results) % results;
  output.dtype = as.dtype;
  output.layout = &Layouts()[0];
  const std::string& name = test.returns[static_cast<size_t>(output.result)];
  const Op* op = FindOp(test, name);
  if (op != nullptr && op->row->result != Type::kTensor) return false;
  if (op == nullptr && FindInput(test, name) == nullptr) return false;
  *a = output;
  return true;
}

void FitKeys(const Input& input, Argument* a) {
  const bool keyed = input.type == Type::kDict || input.type == Type::kData;
  a->keys.resize(keyed ? a->items.size() : 0);
  for (size_t i = 0; i < a->keys.size(); ++i) {
    std::string key = SanitiseName(a->keys[i]);
    const auto earlier = a->keys.begin() + static_cast<std::ptrdiff_t>(i);
    for (char letter = 'a'; key.empty() || std::find(a->keys.begin(), earlier, key) != earlier;
         ++letter) {
      key = std::string(1, letter);
    }
    a->keys[i] = key;
  }
}

void Fit(const TestCase& test, size_t index, const Input& as, const std::vector<Argument>& earlier,
         int64_t calls, Bindings* bindings, Argument* a) {
  if (a->pattern == nullptr) *a = ParseArgument(as, "");
  const Pattern pattern = a->pattern->pattern;
  if (pattern == Pattern::kName && FitName(test, index, as, earlier, bindings, a)) return;
  if (pattern == Pattern::kOutput && FitOutput(test, as, calls, a)) return;
  if (IsContainer(as.type)) {
    Argument items = ParseArgument(as, "()");
    if (pattern == Pattern::kItems) items.items = a->items, items.keys = a->keys;
    for (Argument& item : items.items) {
      Fit(test, index, ItemOf(as), earlier, calls, bindings, &item);
    }
    if (pattern != Pattern::kItems) {
      items.items.push_back(ParseArgument(ItemOf(as), ""));
      FitTensor(as, bindings, &items.items[0]);
    }
    FitKeys(as, &items);
    *a = std::move(items);
    return;
  }
  const bool none = as.type == Type::kOptional && pattern != Pattern::kFresh;
  if (HasShape(as.type) && !none) {
    const bool tensor = pattern == Pattern::kFresh || pattern == Pattern::kView;
    if (!tensor) *a = ParseArgument(as, "");
    a->items.clear();
    FitTensor(as, bindings, a);
    return;
  }
  const std::string value = pattern == Pattern::kValue ? a->value : "";
  *a = ParseArgument(as, "");
  a->value = none ? "none" : CanonicalLiteral(as.type, value, static_cast<int64_t>(index) + 1);
}

}  // namespace

void ResolveArguments(const TestCase& test, int64_t calls, Step* call) {
  std::vector<Argument> given = std::move(call->arguments);
  call->arguments.clear();
  Bindings bindings;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    const Input& input = test.inputs[i];
    Argument a = i < given.size() ? given[i] : Argument();
    Fit(test, i, input, call->arguments, calls, &bindings, &a);
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

std::optional<TensorLiteral> EffectiveTensor(const TestCase& test, const Step& call, size_t index) {
  const int origin = OriginOfArgument(test, call, index);
  if (origin >= 0) {
    const Argument& a = call.arguments[static_cast<size_t>(origin)];
    if (a.pattern->pattern == Pattern::kOutput) return std::nullopt;
    return TensorLiteral{a.shape, a.dtype, 0};
  }
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
