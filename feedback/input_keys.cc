// Input keys: what a call passes, pairwise. Of every tensor argument, each pair of rank, sizes,
// element type, layout, device, gradient, values and mark; of every other argument its kind.
#include <algorithm>
#include <cmath>

#include "feedback/families.h"
#include "grammar/arguments.h"

namespace reprise {
namespace {

// Positions on AxesOfTensor(), in its order; -1 where the case does not tell.
using Traits = std::vector<int>;
enum TraitAxis : size_t { kRank, kSizes, kDtype, kLayout, kDevice, kGradient, kValues, kMark };

std::vector<Axis> AxesOfTensor() {
  Axis dtypes{"dtype", {}}, layouts{"layout", {}}, marks{"mark", {"no mark"}};
  for (int i = 0; i < kDtypeCount; ++i) dtypes.values.push_back(Name(static_cast<Dtype>(i)));
  for (const LayoutRow& row : Layouts()) layouts.values.push_back(row.name);
  layouts.values.insert(layouts.values.end(), {"view", "same object", "earlier result"});
  for (const MarkRow& row : Marks()) marks.values.push_back(row.name);
  return {{"rank", {"rank 0", "rank 1", "rank 2", "rank 3", "rank 4 or more"}},
          {"sizes", {"no sizes", "a size 0", "a size 1", "equal sizes", "different sizes"}},
          dtypes,
          layouts,
          {"device", {"cpu", "acc0", "acc1"}},
          {"gradient", {"no gradient", "gradient", "derived"}},
          {"values", {"small values", "unit values", "large values"}},
          marks};
}

const std::vector<std::string>& PlainValues() {
  static const auto* values = new std::vector<std::string>{
      "int 0",        "int 1",          "negative int",   "small int",   "large int",
      "float 0",      "float 1",        "negative float", "small float", "large float",
      "bool false",   "bool true",      "empty str",      "str",         "none",
      "element type", "plain function", "other callable", "object",      "random",
      "generator"};
  return *values;
}

int SizesOf(const Shape& shape) {
  const auto has = [&](int64_t n) {
    return std::find(shape.begin(), shape.end(), n) != shape.end();
  };
  if (shape.empty()) return 0;
  if (has(0)) return 1;
  if (has(1)) return 2;
  const bool equal = std::all_of(shape.begin(), shape.end(), [&](auto n) { return n == shape[0]; });
  return equal && shape.size() > 1 ? 3 : 4;
}

// `other_layout` is an OtherLayout, or 0 for the argument's own.
Traits TraitsOf(const Argument& a, const Shape& shape, Dtype dtype, int other_layout = 0) {
  int layout = a.layout == nullptr ? 0 : static_cast<int>(a.layout - Layouts().data());
  if (other_layout > 0) layout = static_cast<int>(Layouts().size()) - 1 + other_layout;
  const int mark = a.mark == nullptr ? 0 : static_cast<int>(a.mark - Marks().data()) + 1;
  return {std::min(static_cast<int>(shape.size()), 4),
          SizesOf(shape),
          static_cast<int>(dtype),
          layout,
          0,
          a.derived ? 2
          : a.grad  ? 1
                    : 0,
          a.scale < 1   ? 0
          : a.scale > 1 ? 2
                        : 1,
          mark};
}

enum OtherLayout { kViewOfBase = 1, kSameObject, kEarlierResult };

// Of what an earlier call returned only the declaration is known.
Traits TraitsOfResult(const Input& input, OtherLayout layout) {
  Traits traits = TraitsOf({}, Shape(input.dims.size()), input.dtype, layout);
  for (const size_t axis : {kSizes, kGradient, kValues, kMark}) traits[axis] = -1;
  return traits;
}

// The object of another input, or of a slot.
Traits TraitsOfName(const TestCase& test, const Step& call, const Input& input,
                    const std::string& name) {
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    if (test.inputs[i].name != name) continue;
    const auto tensor = EffectiveTensor(test, call, i);
    const int origin = OriginOfArgument(test, call, i);
    if (!tensor) return TraitsOfResult(input, kSameObject);
    return TraitsOf(origin < 0 ? Argument() : call.arguments[static_cast<size_t>(origin)],
                    tensor->shape, tensor->dtype, kSameObject);
  }
  const Slot* slot = FindSlot(test, name);
  if (slot == nullptr) return TraitsOfResult(input, kSameObject);
  const TensorLiteral literal = ParseTensorLiteral(slot->value);
  return TraitsOf({}, literal.shape, literal.dtype, kSameObject);
}

std::string SizeOfNumber(double value) {
  if (value == 0) return " 0";
  if (value == 1) return " 1";
  return std::abs(value) > 16 ? "large " : "small ";
}

std::string KindOfNumber(const std::string& type, double value) {
  if (value < 0) return "negative " + type;
  const std::string size = SizeOfNumber(value);
  return size[0] == ' ' ? type + size : size + type;
}

std::string KindOfValue(Type type, const std::string& text) {
  if (text == "none") return "none";
  if (type == Type::kObject) return "object";
  if (type == Type::kRandom) return "random";
  if (type == Type::kGenerator) return "generator";
  if (type == Type::kDtype) return "element type";
  if (type == Type::kCallable || type == Type::kModule) {
    return ParseCallable(text).form == &CallableForms()[0] ? "plain function" : "other callable";
  }
  if (text == "true" || text == "false") return "bool " + text;
  if (!text.empty() && text[0] == '"') return text == "\"\"" ? "empty str" : "str";
  const bool integer = text.find_first_of(".en") == std::string::npos;
  return KindOfNumber(integer ? "int" : "float", ParseFloat(text, 0));
}

void AddTensor(const Traits& traits, Cells* cells) {
  const Family& family = InputFamily();
  size_t lattice = 0;
  for (size_t i = 0; i < traits.size(); ++i) {
    for (size_t k = i + 1; k < traits.size(); ++k, ++lattice) {
      if (traits[i] < 0 || traits[k] < 0) continue;
      cells->push_back(
          family.Cell(lattice, {static_cast<size_t>(traits[i]), static_cast<size_t>(traits[k])}));
    }
  }
}

void AddValue(const std::string& kind, Cells* cells) {
  const Family& family = InputFamily();
  const size_t lattice = family.lattices.size() - 1;
  const int at = Find(family.lattices[lattice].axes()[0], kind);
  if (at >= 0) cells->push_back(family.Cell(lattice, {static_cast<size_t>(at)}));
}

void AddArgument(const TestCase& test, const Step& call, const Input& input, const Argument& a,
                 Cells* cells) {
  switch (a.pattern->pattern) {
    case Pattern::kFresh:
      return AddTensor(TraitsOf(a, a.shape, a.dtype), cells);
    case Pattern::kView:
      return AddTensor(TraitsOf(a, a.shape, a.dtype, kViewOfBase), cells);
    case Pattern::kOutput:
      return AddTensor(TraitsOfResult(input, kEarlierResult), cells);
    case Pattern::kName:
      if (input.type == Type::kTensor) AddTensor(TraitsOfName(test, call, input, a.value), cells);
      return;
    case Pattern::kValue:
      return AddValue(KindOfValue(input.type, a.value), cells);
    case Pattern::kItems:
      for (const Argument& item : a.items) AddArgument(test, call, ItemOf(input), item, cells);
  }
}

bool IsNotFloat(const Point& p) {
  const auto dtype = ParseDtype(p.On("dtype"));
  return dtype && !IsFloat(*dtype);
}

// Does the layout need more dimensions?
bool TooFew(const Point& p) {
  const LayoutRow* layout = FindLayout(p.On("layout"));
  const std::string rank = p.Is("sizes", "no sizes") ? "rank 0" : p.On("rank");
  return layout != nullptr && !rank.empty() &&
         static_cast<size_t>(rank[rank.find_first_of("01234")] - '0') < layout->min_rank;
}

std::vector<Rule> Rules() {
  return {
      {"a tensor without dimensions has no sizes, and no other has none",
       [](const Point& p) {
         return (p.Is("rank", "rank 0") && p.IsNot("sizes", "no sizes")) ||
                (p.Is("sizes", "no sizes") && p.IsNot("rank", "rank 0"));
       }},
      {"one size is equal to no other",
       [](const Point& p) { return p.Is("rank", "rank 1") && p.Is("sizes", "equal sizes"); }},
      {"the layout needs more dimensions", TooFew},
      {"only floats have gradients and scales",
       [](const Point& p) {
         return IsNotFloat(p) &&
                (p.IsNot("gradient", "no gradient") || p.IsNot("values", "unit values"));
       }},
      {"there is no dimension to mark",
       [](const Point& p) {
         return (p.Is("rank", "rank 0") || p.Is("sizes", "no sizes")) && p.IsNot("mark", "no mark");
       }},
      {"a view of a base asks for nothing of its own",
       [](const Point& p) {
         return p.Is("layout", "view") &&
                (p.IsNot("gradient", "no gradient") || p.IsNot("mark", "no mark"));
       }},
      {"the case does not say what an earlier call returned",
       [](const Point& p) {
         return p.Is("layout", "earlier result") &&
                !(p.On("sizes") + p.On("gradient") + p.On("values") + p.On("mark")).empty();
       }},
      {"the language has no word for another device yet",
       [](const Point& p) { return p.IsNot("device", "cpu"); }},
  };
}

}  // namespace

const Family& InputFamily() {
  static const auto* family = [] {
    auto* made = new Family{"input", Domain::kInput, {}, Rules()};
    const std::vector<Axis> axes = AxesOfTensor();
    for (size_t i = 0; i < axes.size(); ++i) {
      for (size_t k = i + 1; k < axes.size(); ++k)
        made->lattices.push_back(Lattice({axes[i], axes[k]}));
    }
    made->lattices.push_back(Lattice({{"value", PlainValues()}}));
    return made;
  }();
  return *family;
}

void AddInputCells(const SeenStep& seen, Cells* cells) {
  if (!IsCall(seen.step())) return;
  const TestCase& test = seen.test;
  const Step& call =
      test.steps[static_cast<size_t>(RootOfCall(test, static_cast<int>(seen.index)))];
  for (size_t i = 0; i < call.arguments.size() && i < test.inputs.size(); ++i)
    AddArgument(test, call, test.inputs[i], call.arguments[i], cells);
}

}  // namespace reprise
