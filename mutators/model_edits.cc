#include "mutators/model_edits.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "grammar/edit.h"
#include "mutators/random_parts.h"

namespace reprise {
namespace {

// Puts an operator before position `index`, and lets later readers of its first operand read it.
void Splice(size_t index, Op op, TestCase* test) {
  const std::string operand = op.operands[0];
  op.name = absl::StrCat("v", index, "_", test->ops.size());
  std::vector<Op> later(test->ops.begin() + static_cast<std::ptrdiff_t>(index), test->ops.end());
  test->ops.resize(index);
  const std::string name = op.name;
  const bool number = op.row->result != Type::kTensor;
  for (Op& reader : later) {
    if (!number) std::replace(reader.operands.begin(), reader.operands.end(), operand, name);
  }
  if (!number) std::replace(test->returns.begin(), test->returns.end(), operand, name);
  test->ops.push_back(std::move(op));
  test->ops.insert(test->ops.end(), later.begin(), later.end());
}

// The operand letter (OpRow) that takes nothing but values of the type; 0 if there is none.
char LetterOf(Type type) {
  if (type == Type::kOptional) return 'o';
  if (type == Type::kDtype) return 'd';
  if (type == Type::kRandom || type == Type::kGenerator) return 'r';
  return IsContainer(type) ? 'c' : 0;
}

// A random operator with an operand of its own for values of the type, `name` in its place.
Op ReaderByLetter(const Capabilities& can, Random& random, char letter, const std::string& name,
                  const std::string& operand) {
  std::vector<const OpRow*> rows;
  for (const OpRow& row : Operators()) {
    const bool reads = std::string(row.operands).find(letter) != std::string::npos;
    if (reads && can.WhyNot("op", row.name) == nullptr) rows.push_back(&row);
  }
  Op op;
  op.row = rows.empty() ? FindOperator("neg") : Pick(random, rows);
  for (const char* at = op.row->operands; *at != 0; ++at) {
    op.operands.push_back(*at == letter ? name : operand);
  }
  for (const AttrSpec& spec : op.row->attrs) op.attrs.push_back(RandomAttribute(random, spec));
  return op;
}

// A branch on a value of the type.
Op BranchOn(Random& random, Type type, const std::string& name, const std::string& operand) {
  Op op;
  op.row = FindOperator("branch");
  op.operands = {operand};
  op.attrs = {name, Pick(random, Unaries()).name, Pick(random, Unaries()).name};
  std::string& on = op.attrs[0];
  if (type == Type::kObject || type == Type::kTensor) on = absl::StrCat("same(", name, ",r)");
  if (IsNumber(type) && Chance(random, 0.7)) on = absl::StrCat("less(", name, ",2)");
  if (type == Type::kStr) on = absl::StrCat("equals(", name, ",\"a\")");
  if (type == Type::kAny)
    on = absl::StrCat("equals(", name, ",", RandomLiteral(random, Type::kAny), ")");
  if (type == Type::kOptional) on = absl::StrCat("none(", name, ")");
  if (type == Type::kDict) on = absl::StrCat("contains(", name, ",a)");
  if (type == Type::kList || type == Type::kTuple) on = absl::StrCat("count(", name, ",1)");
  return op;
}

// An operator that reads a slot or input of the type from the tensor `operand`.
Op Reader(const Capabilities& can, Random& random, Type type, const std::string& name,
          const std::string& operand) {
  const char letter = LetterOf(type);
  if (letter != 0 && Chance(random, 0.7)) return ReaderByLetter(can, random, letter, name, operand);
  Op op;
  op.operands = {operand};
  if (type == Type::kCallable || type == Type::kModule) {
    op.row = FindOperator("apply");
    op.attrs = {name};
  } else if ((type == Type::kTensor || IsNumber(type)) && Chance(random, 0.6)) {
    op.row = FindOperator(Chance(random, 0.5) ? "mul" : "add");
    op.operands.push_back(name);
  } else {
    return BranchOn(random, type, name, operand);
  }
  return op;
}

std::string SomeTensor(Random& random, const TestCase& test, size_t index) {
  std::vector<std::string> names;
  for (const Input& input : test.inputs) {
    if (input.type == Type::kTensor) names.push_back(input.name);
  }
  for (size_t i = 0; i < index; ++i) names.push_back(test.ops[i].name);
  return Pick(random, names);
}

}  // namespace

bool InsertOp(const Capabilities& can, Random& random, TestCase* test) {
  if (test->ops.size() >= kMaxOps) return false;
  const size_t index = Below(random, test->ops.size() + 1);
  Splice(index, RandomOp(can, random, *test, index), test);
  return true;
}

bool DeleteOp(const Capabilities&, Random& random, TestCase* test) {
  if (test->ops.size() < 2) return false;
  BypassOp(Below(random, test->ops.size()), test);
  return true;
}

bool ReplaceOp(const Capabilities& can, Random& random, TestCase* test) {
  if (test->ops.empty()) return false;
  const size_t index = Below(random, test->ops.size());
  Op other = RandomOp(can, random, *test, index);
  other.name = test->ops[index].name;
  other.operands[0] = test->ops[index].operands[0];
  test->ops[index] = std::move(other);
  return true;
}

bool EditOp(const Capabilities&, Random& random, TestCase* test) {
  if (test->ops.empty()) return false;
  Op& op = Pick(random, test->ops);
  if (op.attrs.empty()) return false;
  const size_t attr = Below(random, op.attrs.size());
  const AttrSpec& spec = op.row->attrs[attr];
  op.attrs[attr] = spec.kind == AttrKind::kPredicate ? RandomPredicate(random, *test)
                                                     : RandomAttribute(random, spec);
  return true;
}

bool AddSlot(const Capabilities& can, Random& random, TestCase* test) {
  if (test->slots.size() >= kMaxSlots || test->ops.size() >= kMaxOps) return false;
  // Uniform over the points of home x type, not over homes.
  std::vector<std::pair<const HomeRow*, Type>> points;
  for (const HomeRow& home : Homes()) {
    if (can.WhyNot("home", home.name) != nullptr) continue;
    for (Type type : home.types) {
      if (can.WhyNot("type", Name(type)) == nullptr) points.push_back({&home, type});
    }
  }
  Slot slot;
  std::tie(slot.home, slot.type) = Pick(random, points);
  slot.name = absl::StrCat("s", test->slots.size(), "_", slot.home->name);
  slot.value = RandomLiteral(random, slot.type);
  if (Chance(random, 0.3)) slot.below = RandomLiteral(random, slot.type);
  const size_t index = Below(random, test->ops.size() + 1);
  const std::string operand = SomeTensor(random, *test, index);
  if (slot.type == Type::kTensor) {
    static const auto* shapes = new std::vector<std::string>{"[1]", "[1]", "[1,4]", "[3,4]"};
    slot.value = absl::StrCat(Pick(random, *shapes), ":s", Below(random, 1000));
    // Of the same shape as an input whose sizes are fixed, a slot can also be passed for it.
    for (const Input& input : test->inputs) {
      const bool fixed =
          input.type == Type::kTensor && !input.dims.empty() &&
          std::all_of(input.dims.begin(), input.dims.end(),
                      [](const std::string& d) { return d[0] >= '0' && d[0] <= '9'; });
      if (!fixed) continue;
      Shape shape;
      for (const std::string& dim : input.dims) shape.push_back(ParseInt(dim, 1));
      slot.value =
          TensorLiteralText({shape, input.dtype, static_cast<int64_t>(Below(random, 1000))});
    }
  }
  const std::string name = slot.name;
  const Type type = slot.type;
  test->slots.push_back(std::move(slot));
  Splice(index, Reader(can, random, type, name, operand), test);
  return true;
}

bool AddSlotAndStep(const Capabilities& can, Random& random, TestCase* test) {
  if (test->steps.size() + 2 > kGrownSteps || !AddSlot(can, random, test)) return false;
  const auto step = RandomSlotStep(can, random, test->slots.back());
  if (!step) return false;
  test->steps.push_back(*step);
  test->steps.push_back({FindStep("again"), {"1"}, {}});
  return true;
}

bool AddInput(const Capabilities& can, Random& random, TestCase* test) {
  if (test->inputs.size() >= kMaxInputs || test->ops.size() >= kMaxOps) return false;
  Input input;
  input.type = Chance(random, 0.3) ? Type::kTensor : static_cast<Type>(Below(random, kTypeCount));
  if (input.type == Type::kModule || can.WhyNot("type", Name(input.type)) != nullptr) return false;
  input.name = absl::StrCat("a", test->inputs.size());
  if (HasShape(input.type)) {
    for (const Input& like : test->inputs) {
      if (like.type == Type::kTensor) input.dims = like.dims, input.dtype = like.dtype;
    }
  }
  const std::string name = input.name;
  const Type type = input.type;
  const size_t index = Below(random, test->ops.size() + 1);
  const std::string operand = SomeTensor(random, *test, index);
  InsertInput(test->inputs.size(), std::move(input), test);
  Splice(index, Reader(can, random, type, name, operand), test);
  return true;
}

bool AddIdentityTest(const Capabilities&, Random& random, TestCase* test) {
  if (test->inputs.size() >= kMaxInputs || test->ops.size() >= kMaxOps) return false;
  static const auto* types = new std::vector<Type>{Type::kObject, Type::kObject, Type::kTensor,
                                                   Type::kTensor, Type::kList,   Type::kDict};
  const Type type = Pick(random, *types);
  std::vector<std::string> names;
  Input like;
  for (const Input& input : test->inputs) {
    if (input.type != type) continue;
    names.push_back(input.name);
    like = input;
  }
  while (names.size() < 2) {
    if (test->inputs.size() >= kMaxInputs) return false;
    like.type = type;
    like.name = absl::StrCat("a", test->inputs.size());
    if (HasShape(type) && like.dims.empty()) like.dims = {"2"};
    names.push_back(like.name);
    InsertInput(test->inputs.size(), like, test);
  }
  const size_t index = Below(random, test->ops.size() + 1);
  Op op;
  op.row = FindOperator("branch");
  op.operands = {SomeTensor(random, *test, index)};
  op.attrs = {absl::StrCat("same(", names[0], ",", names[1], ")"), Pick(random, Unaries()).name,
              Pick(random, Unaries()).name};
  Splice(index, std::move(op), test);
  return true;
}

bool DropSlotOrInput(const Capabilities&, Random& random, TestCase* test) {
  const size_t count = test->slots.size() + test->inputs.size();
  const size_t which = Below(random, count);
  if (which < test->slots.size()) {
    test->slots.erase(test->slots.begin() + static_cast<std::ptrdiff_t>(which));
    return true;
  }
  if (test->inputs.size() < 2) return false;
  EraseInput(which - test->slots.size(), test);
  return true;
}

bool EditCompile(const Capabilities& can, Random& random, TestCase* test) {
  const size_t option = Below(random, test->compile.size());
  test->compile[option] =
      option == 0 ? Pick(random, can.backends) : RandomAttribute(random, CompileSpecs()[option]);
  return true;
}

}  // namespace reprise
