// Slot homes, argument patterns, layouts, steps and compile options. A slot is a point of
// home x type, and steps act on it; LANGUAGE.md lists the words that are still to come.
#include <algorithm>

#include "grammar/tables.h"
#include "grammar/test_case.h"

namespace reprise {
namespace {

bool IsPlain(Type type) {
  return type == Type::kInt || type == Type::kFloat || type == Type::kBool || type == Type::kStr;
}
bool IsMutable(const Slot& slot) {
  return slot.type == Type::kTensor || slot.type == Type::kObject;
}
bool IsTensor(const Slot& slot) { return slot.type == Type::kTensor; }
bool CanSet(const Slot& slot) { return !IsMutable(slot); }
bool CanDelete(const Slot& slot) { return !slot.below.empty() && IsPlain(slot.type); }
bool Any(const Slot&) { return true; }

}  // namespace

const std::vector<HomeRow>& Homes() {
  using T = Type;
  static const auto* rows = new std::vector<HomeRow>{
      {"attr",
       {T::kInt, T::kFloat, T::kBool, T::kStr, T::kTensor, T::kCallable, T::kModule, T::kObject},
       true,
       true,
       "attribute of the model"},
      {"class",
       {T::kInt, T::kFloat, T::kBool, T::kStr, T::kObject},
       true,
       false,
       "attribute of the model's class"},
      {"global",
       {T::kInt, T::kFloat, T::kBool, T::kStr, T::kTensor, T::kCallable, T::kModule, T::kObject},
       false,
       false,
       "global variable"},
      {"closure",
       {T::kInt, T::kFloat, T::kBool, T::kStr, T::kTensor, T::kCallable, T::kObject},
       false,
       false,
       "variable of the function that makes the model"},
      {"dict",
       {T::kInt, T::kFloat, T::kBool, T::kStr, T::kTensor, T::kCallable, T::kObject},
       false,
       true,
       "entry of a dictionary that the model reads"},
      {"buffer", {T::kTensor}, true, false, "buffer of the model"},
      {"param", {T::kTensor}, true, false, "trainable parameter of the model"},
  };
  return *rows;
}

bool Holds(const HomeRow& home, Type type) {
  return std::find(home.types.begin(), home.types.end(), type) != home.types.end();
}

const std::vector<PatternRow>& Patterns() {
  static const auto* rows = new std::vector<PatternRow>{
      {Pattern::kFresh, "fresh", "a tensor of its own"},
      {Pattern::kView, "view", "a view of a base of this call, at an offset"},
      {Pattern::kName, "name", "the object of another input, or of a slot"},
      {Pattern::kValue, "value", "a literal"},
  };
  return *rows;
}

const PatternRow* FindPattern(Pattern pattern) { return &Patterns()[static_cast<size_t>(pattern)]; }

const std::vector<LayoutRow>& Layouts() {
  static const auto* rows = new std::vector<LayoutRow>{
      {"contiguous", 0, false, "row by row"},
      {"transposed", 2, false, "last two dimensions stored in the other order"},
      {"strided", 1, false, "every second element of a wider tensor"},
      {"offset", 1, false, "starts inside its storage"},
      {"channels_last", 4, false, "channels innermost"},
      {"expanded", 1, true, "first dimension repeats one row"},
  };
  return *rows;
}

const std::vector<StepRow>& Steps() {
  using K = AttrKind;
  const AttrSpec slot{"slot", K::kSlot, "", 0, 0, "", true};
  const AttrSpec module{"module", K::kModule, "", 0, 0, "", true};
  static const auto* rows = new std::vector<StepRow>{
      {"call",
       {{"seed", K::kInt, "1", 0, 99'999},
        {"under", K::kChoice, "", 0, 0, "|no_grad|inference_mode"}},
       nullptr,
       false,
       "invoke the model"},
      {"again",
       {{"call", K::kCall, "", 0, 0, "", true}},
       nullptr,
       false,
       "Return: repeat an earlier call exactly"},
      {"backward",
       {{"call", K::kCall, "", 0, 0, "", true}},
       nullptr,
       false,
       "gradients of an earlier call"},
      {"zero_grad", {}, nullptr, true, "forget the parameters' gradients"},
      {"set",
       {slot, {"value", K::kLiteral, "", 0, 0, "", true}, {"via", K::kChoice, "", 0, 0, "|dict"}},
       CanSet,
       false,
       "give a slot another value"},
      {"delete", {slot}, CanDelete, false, "delete a slot, so that what lies below is read"},
      {"update",
       {slot, {"op", K::kChoice, "mul", 0, 0, "mul|add"}, {"by", K::kFloat, "2.0", -100, 100}},
       IsTensor,
       false,
       "write a tensor slot in place"},
      {"copy", {slot}, IsMutable, false, "replace a slot's object by an equal copy"},
      {"rebind",
       {slot, {"to", K::kInt, "2", 1, 99'999, "", true}},
       IsMutable,
       false,
       "point a slot to another object of its type"},
      {"swap",
       {slot, {"other", K::kSlot, "", 0, 0, "", true}},
       Any,
       false,
       "exchange what two slots of one home and type hold"},
      {"train", {module}, nullptr, true, "training mode, of the model or one submodule"},
      {"eval", {module}, nullptr, true, "evaluation mode, of the model or one submodule"},
      {"grad",
       {{"mode", K::kChoice, "off", 0, 0, "on|off", true}},
       nullptr,
       false,
       "record gradients in this process, or do not"},
      {"hook",
       {module, {"kind", K::kChoice, "forward", 0, 0, "forward|pre"}, {"fn", K::kUnary, "twice"}},
       nullptr,
       true,
       "add a hook to the model or one submodule"},
      {"unhook", {}, nullptr, true, "remove the hook that was added last"},
  };
  return *rows;
}

const std::vector<AttrSpec>& CompileSpecs() {
  static const auto* specs = new std::vector<AttrSpec>{
      {"backend", AttrKind::kName, "default"},
      {"dynamic", AttrKind::kChoice, "auto", 0, 0, "auto|on|off"},
      {"fullgraph", AttrKind::kChoice, "no", 0, 0, "no|yes"},
  };
  return *specs;
}

}  // namespace reprise
