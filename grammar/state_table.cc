// Slot homes, steps and compile options. A slot is a point of home x type, and steps act on it.
#include <algorithm>

#include "absl/strings/match.h"
#include "grammar/tables.h"
#include "grammar/test_case.h"

namespace reprise {
namespace {

bool IsTensor(const Slot& slot) { return slot.type == Type::kTensor; }
// Has an identity of its own, and copies that are equal.
bool IsMutable(const Slot& slot) {
  return IsTensor(slot) || slot.type == Type::kObject || slot.type == Type::kRandom;
}
// Properties, defaults and methods are given other values; they have no object to exchange.
bool IsPlace(const Slot& slot) {
  const std::string home = slot.home->name;
  return home != "default" && home != "property" && home != "method" && home != "special" &&
         home != "metaclass";
}
bool CanSet(const Slot& slot) { return !IsMutable(slot) && slot.type != Type::kGenerator; }
bool CanDelete(const Slot& slot) { return !slot.below.empty() && IsPlain(slot.type); }
bool CanCopy(const Slot& slot) { return IsMutable(slot) && IsPlace(slot); }
bool CanTie(const Slot& slot) { return IsPlace(slot) && slot.home != FindHome("class"); }
// Holds one row, so that it can hold a row of another tensor.
bool IsRow(const Slot& slot) {
  return IsTensor(slot) && IsPlace(slot) && slot.home != FindHome("param") &&
         absl::StartsWith(slot.value, "[1,");
}
bool HasCode(const Slot& slot) {
  const std::string home = slot.home->name;
  return slot.type == Type::kCallable &&
         (home == "method" || home == "global" || home == "special");
}

}  // namespace

const std::vector<HomeRow>& Homes() {
  using T = Type;
  static const auto* values =
      new std::vector<Type>{T::kInt, T::kFloat, T::kBool, T::kStr, T::kAny, T::kDtype, T::kScalar};
  const auto with = [](std::initializer_list<Type> more) {
    std::vector<Type> types = *values;
    types.insert(types.end(), more);
    return types;
  };
  const std::vector<Type> anything =
      with({T::kTensor, T::kOptional, T::kCallable, T::kObject, T::kRandom});
  const std::vector<Type> any_module =
      with({T::kTensor, T::kOptional, T::kCallable, T::kModule, T::kObject, T::kRandom});
  const std::vector<Type> global = with(
      {T::kTensor, T::kOptional, T::kCallable, T::kModule, T::kObject, T::kRandom, T::kGenerator});
  static const auto* rows = new std::vector<HomeRow>{
      {"attr", any_module, true, true, "attribute of the model"},
      {"submodule", any_module, true, false, "attribute of a submodule"},
      {"class", with({T::kObject, T::kTensor}), true, false, "attribute of the model's class"},
      {"global", global, false, false, "global variable"},
      {"closure", anything, false, false, "variable of the function that makes the model"},
      {"default", *values, false, false, "default of a parameter of the model"},
      {"dict", anything, false, true, "entry of a dictionary that the model reads"},
      {"list", anything, false, false, "element of a list that the model reads"},
      {"object", anything, false, true, "attribute of a plain object that the model reads"},
      {"field", anything, false, false, "field of a dataclass object that the model reads"},
      // No NumPy scalar: one that is made inside the model is an array there, by documentation.
      {"property",
       {T::kInt, T::kFloat, T::kBool, T::kStr, T::kAny, T::kDtype},
       true,
       false,
       "value of a property of the model's class"},
      {"method", {T::kCallable}, true, false, "method of the model's class"},
      {"special", {T::kCallable}, false, false, "__call__ of the class of an object"},
      {"metaclass", {T::kCallable}, false, false, "__call__ of the metaclass of a class"},
      {"buffer", {T::kTensor, T::kOptional}, true, false, "buffer of the model"},
      {"param", {T::kTensor}, true, false, "trainable parameter of the model"},
  };
  return *rows;
}

bool Holds(const HomeRow& home, Type type) {
  return std::find(home.types.begin(), home.types.end(), type) != home.types.end();
}

const std::vector<StepRow>& Steps() {
  using K = AttrKind;
  const AttrSpec slot{"slot", K::kSlot, "", 0, 0, "", true};
  const AttrSpec other{"other", K::kSlot, "", 0, 0, "", true};
  const AttrSpec module{"module", K::kModule, "", 0, 0, "", true};
  const AttrSpec call{"call", K::kCall, "", 0, 0, "", true};
  const AttrSpec on_off{"mode", K::kChoice, "off", 0, 0, "on|off", true};
  static const auto* rows = new std::vector<StepRow>{
      // Calls and gradients.
      {"call",
       {{"seed", K::kInt, "1", 0, 99'999}, {"under", K::kContext, ""}},
       nullptr,
       false,
       "invoke the model"},
      {"again", {call}, nullptr, false, "Return: repeat an earlier call exactly"},
      {"backward",
       {call, {"of", K::kInt, "0", 0, 4}, {"retain", K::kChoice, "no", 0, 0, "no|yes"}},
       nullptr,
       false,
       "gradients of an earlier call, or of its result number `of`"},
      {"write",
       {call, {"of", K::kInt, "1", 1, 4}},
       nullptr,
       false,
       "add one in place to a result of an earlier call"},
      {"drop", {call}, nullptr, false, "forget the results of an earlier call"},
      {"zero_grad", {}, nullptr, true, "forget the parameters' gradients"},
      // Slots.
      {"set",
       {slot,
        {"value", K::kLiteral, "", 0, 0, "", true},
        {"via", K::kChoice, "", 0, 0, "|dict|factory"}},
       CanSet,
       false,
       "give a slot another value, also straight into __dict__ or by making the model anew"},
      {"delete", {slot}, CanDelete, false, "delete a slot, so that what lies below is read"},
      {"update",
       {slot, {"op", K::kChoice, "mul", 0, 0, "mul|add"}, {"by", K::kFloat, "2.0", -100, 100}},
       IsTensor,
       false,
       "write a tensor slot in place"},
      {"copy", {slot}, CanCopy, false, "replace a slot's object by an equal copy"},
      {"rebind",
       {slot, {"to", K::kInt, "2", 1, 99'999, "", true}},
       IsMutable,
       false,
       "point a slot to another object of its type"},
      {"swap", {slot, other}, IsPlace, false, "exchange what two slots of one home and type hold"},
      {"tie", {slot, other}, CanTie, false, "let a slot hold the very object that another holds"},
      {"row",
       {slot, other, {"index", K::kInt, "0", 0, 7, "", true}},
       IsRow,
       false,
       "let a slot hold a row of another tensor, as a view"},
      {"recode",
       {slot, {"fn", K::kUnary, "neg", 0, 0, "", true}},
       HasCode,
       false,
       "replace the code of a function"},
      // The model.
      {"train", {module}, nullptr, true, "training mode, of the model or one submodule"},
      {"eval", {module}, nullptr, true, "evaluation mode, of the model or one submodule"},
      {"requires_grad", {on_off, module}, nullptr, true, "train parameters, or freeze them"},
      {"load",
       {{"by", K::kFloat, "2.0", 0.25, 4}, {"assign", K::kChoice, "no", 0, 0, "no|yes"}},
       nullptr,
       true,
       "load a state dictionary whose values are multiples of the present ones"},
      {"cast", {{"dtype", K::kDtype, "f64", 0, 0, "", true}}, nullptr, true, "another float type"},
      {"hook",
       {module,
        {"kind", K::kChoice, "forward", 0, 0, "forward|pre|backward|backward_pre"},
        {"fn", K::kUnary, "twice"}},
       nullptr,
       true,
       "add a hook to the model or one submodule"},
      {"unhook", {}, nullptr, true, "remove the hook that was added last"},
      {"optimizer",
       {{"kind", K::kChoice, "sgd", 0, 0, "sgd|momentum|adam|adamw", true},
        {"schedule", K::kChoice, "no", 0, 0, "no|yes"},
        {"compiled", K::kChoice, "no", 0, 0, "no|yes"}},
       nullptr,
       true,
       "make an optimizer of the model's parameters, with a schedule of its learning rate"},
      {"optimize", {}, nullptr, true, "a step of the optimizer, and of its schedule"},
      // Which program, which wrapper, which instance.
      {"wrap",
       {{"dynamic", K::kChoice, "auto", 0, 0, "auto|on|off"}},
       nullptr,
       false,
       "wrap the model once more, and call it through the new wrapper",
       true},
      {"instance",
       {{"number", K::kInt, "2", 1, 3, "", true}},
       nullptr,
       true,
       "go on with another instance of the model's class",
       true},
      {"deepcopy", {}, nullptr, true, "go on with a deep copy of the model", true},
      {"pickle", {}, nullptr, true, "go on with the model after a pickling round trip", true},
      {"variant",
       {{"op", K::kOp, "", 0, 0, "", true},
        {"attr", K::kOpAttr, "", 0, 0, "", true},
        {"value", K::kOpValue, "", 0, 0, "", true}},
       nullptr,
       false,
       "go on with a second program that differs in one attribute of an operator",
       true},
      {"retune",
       {{"op", K::kOp, "", 0, 0, "custom", true}, {"grad", K::kFloat, "3.0", -64, 64, "", true}},
       nullptr,
       false,
       "register another gradient for a custom operator"},
      // The process and the compiler.
      {"flag",
       {{"name", K::kFlag, "grad", 0, 0, "", true}, {"value", K::kFlagValue, "", 0, 0, "", true}},
       nullptr,
       false,
       "change a flag of the process"},
      {"forget", {}, nullptr, false, "clear the compiler's memory, but not its caches on disk"},
  };
  return *rows;
}

const std::vector<AttrSpec>& CompileSpecs() {
  static const auto* specs = new std::vector<AttrSpec>{
      {"backend", AttrKind::kName, "default"},
      {"dynamic", AttrKind::kChoice, "auto", 0, 0, "auto|on|off"},
      {"fullgraph", AttrKind::kChoice, "no", 0, 0, "no|yes"},
      {"limit", AttrKind::kInt, "0", 0, 64},  // of recompiles; 0: as shipped
      {"freezing", AttrKind::kChoice, "no", 0, 0, "no|yes"},
  };
  return *specs;
}

}  // namespace reprise
