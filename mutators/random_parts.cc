#include "mutators/random_parts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace reprise {

size_t Below(Random& random, size_t n) { return static_cast<size_t>(random() % n); }

bool Chance(Random& random, double probability) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53 < probability;
}

int64_t RandomSize(Random& random) {
  static const auto* sizes =
      new std::vector<int64_t>{0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16, 17};
  return Pick(random, *sizes);
}

std::string RandomLiteral(Random& random, Type type) {
  static const auto* floats =
      new std::vector<double>{1.5, 2.5, -1.0, 0.5, 3.25, 0.0, 1.0, -0.75, 100.0};
  static const auto* words = new std::vector<std::string>{"\"a\"", "\"b\"", "\"mean\"", "\"sum\""};
  // Equal values of other types are what guards by equality mix up.
  static const auto* anything = new std::vector<std::string>{
      "1", "1.0", "true", "0", "0.0", "-0.0", "false", "none", "2", "2.0", "\"a\""};
  switch (type) {
    case Type::kInt:
      return IntText(static_cast<int64_t>(Below(random, 9)) - 1);
    case Type::kFloat:
      return FloatText(Pick(random, *floats));
    case Type::kBool:
      return Chance(random, 0.5) ? "true" : "false";
    case Type::kStr:
      return Pick(random, *words);
    case Type::kTensor:
      return TensorLiteralText({{1 + static_cast<int64_t>(Below(random, 4))},
                                Dtype::kF32,
                                static_cast<int64_t>(Below(random, 1000))});
    case Type::kCallable:
      return absl::StrCat(Pick(random, Unaries()).name, ":", Pick(random, CallableForms()).name);
    case Type::kModule:
      return Pick(random, Unaries()).name;
    case Type::kAny:
      return Pick(random, *anything);
    case Type::kDtype:
      return Name(static_cast<Dtype>(Below(random, kDtypeCount)));
    case Type::kScalar:
      return FloatText(Pick(random, *floats));
    case Type::kOptional:
      return Chance(random, 0.5) ? "none" : RandomLiteral(random, Type::kTensor);
    case Type::kRandom:
    case Type::kGenerator:
      return IntText(1 + static_cast<int64_t>(Below(random, 9)));
    case Type::kObject:
      return absl::StrCat("#", 1 + Below(random, 3));
    default:  // containers have no literals of their own
      break;
  }
  return "";
}

std::string RandomAttribute(Random& random, const AttrSpec& spec) {
  switch (spec.kind) {
    case AttrKind::kInt: {
      // Small numbers first: large ones are seldom legal.
      const auto span = static_cast<size_t>(std::min(spec.hi - spec.lo, 8.0)) + 1;
      return IntText(static_cast<int64_t>(spec.lo) + static_cast<int64_t>(Below(random, span)));
    }
    case AttrKind::kFloat:
      return FloatText(spec.lo +
                       (spec.hi - spec.lo) * static_cast<double>(Below(random, 101)) / 100);
    case AttrKind::kChoice:
      return Pick(random, Choices(spec));
    case AttrKind::kInts: {
      std::vector<int64_t> values(Below(random, 3));
      for (int64_t& value : values) value = static_cast<int64_t>(Below(random, 10)) - 1;
      return ShapeText(values);
    }
    case AttrKind::kUnary:
      return Pick(random, Unaries()).name;
    case AttrKind::kContext:
      return Pick(random, Contexts()).name;
    case AttrKind::kFlag:
      return Pick(random, ProcessFlags()).name;
    case AttrKind::kFlagValue: {
      const std::string values = Pick(random, ProcessFlags()).values;
      const std::vector<std::string> words =
          Choices({"", AttrKind::kChoice, "", 0, 0, values.c_str()});
      return Pick(random, words);
    }
    case AttrKind::kDtype:
      return Name(static_cast<Dtype>(Below(random, 4)));
    case AttrKind::kKey:
      return Chance(random, 0.5) ? IntText(static_cast<int64_t>(Below(random, 3)))
                                 : std::string(1, static_cast<char>('a' + Below(random, 3)));
    case AttrKind::kOpValue:
      return Chance(random, 0.7) ? IntText(static_cast<int64_t>(Below(random, 5)))
                                 : Pick(random, Unaries()).name;
    case AttrKind::kCall:
      return IntText(1 + static_cast<int64_t>(Below(random, 8)));
    default:
      // A reference: any word is taken modulo what exists.
      return absl::StrCat("r", Below(random, 1000));
  }
}

std::string RandomPredicate(Random& random, const TestCase& test) {
  const PredicateRow& row = Pick(random, Predicates());
  std::vector<std::string> args;
  for (PredicateArg arg : row.args) {
    switch (arg) {
      case PredicateArg::kDim:
        args.push_back(IntText(static_cast<int64_t>(Below(random, 3))));
        break;
      case PredicateArg::kInt:
        args.push_back(IntText(2 + static_cast<int64_t>(Below(random, 4))));
        break;
      case PredicateArg::kKey:
        args.push_back(std::string(1, static_cast<char>('a' + Below(random, 3))));
        break;
      case PredicateArg::kLiteral:
        args.push_back(RandomLiteral(random, Type::kInt));
        break;
      case PredicateArg::kDtype:
        args.push_back(Name(static_cast<Dtype>(Below(random, kDtypeCount))));
        break;
      default:
        args.push_back(absl::StrCat("r", Below(random, 1000)));
    }
  }
  if (row.name == std::string("truth") && !test.slots.empty()) return Pick(random, test.slots).name;
  return CallTextOf(row.name, args);
}

Step RandomStateStep(const Capabilities& can, Random& random, const TestCase& test) {
  std::vector<const StepRow*> rows;
  for (const StepRow& row : Steps()) {
    if (row.name == std::string("call") || row.name == std::string("again")) continue;
    if (can.WhyNot("step", row.name) != nullptr || (row.needs_object && test.function)) continue;
    const bool usable =
        row.fits == nullptr || std::any_of(test.slots.begin(), test.slots.end(), row.fits);
    if (usable) rows.push_back(&row);
    // What acts on slots is what histories are made of.
    if (usable && row.fits != nullptr) rows.insert(rows.end(), 2, &row);
  }
  Step step;
  step.row = Pick(random, rows);
  if (step.row->fits != nullptr) {
    std::vector<const Slot*> slots;
    for (const Slot& slot : test.slots) {
      if (step.row->fits(slot)) slots.push_back(&slot);
    }
    return *RandomSlotStep(can, random, *Pick(random, slots));
  }
  for (const AttrSpec& spec : step.row->attrs) step.attrs.push_back(RandomAttribute(random, spec));
  if (!step.attrs.empty() && step.row->attrs[0].kind == AttrKind::kModule && Chance(random, 0.5)) {
    step.attrs[0].clear();  // the whole model
  }
  return step;
}

std::optional<Step> RandomSlotStep(const Capabilities& can, Random& random, const Slot& slot) {
  std::vector<const StepRow*> rows;
  for (const StepRow& row : Steps()) {
    if (row.fits != nullptr && row.fits(slot) && can.WhyNot("step", row.name) == nullptr)
      rows.push_back(&row);
  }
  if (rows.empty()) return std::nullopt;
  Step step;
  step.row = Pick(random, rows);
  for (const AttrSpec& spec : step.row->attrs) {
    step.attrs.push_back(spec.kind == AttrKind::kLiteral ? RandomLiteral(random, slot.type)
                                                         : RandomAttribute(random, spec));
  }
  step.attrs[0] = slot.name;
  return step;
}

namespace {

// An operand that is no tensor; names are left to be resolved from a random word.
std::string RandomOperand(Random& random, char letter) {
  const std::string reference = absl::StrCat("r", Below(random, 1000));
  if (letter == 'd' && Chance(random, 0.7)) return RandomLiteral(random, Type::kDtype);
  if (letter == 'i' && Chance(random, 0.5))
    return IntText(1 + static_cast<int64_t>(Below(random, 4)));
  if (letter == 'f' && Chance(random, 0.5)) return RandomLiteral(random, Type::kFloat);
  return reference;
}

const ContextRow* RandomContext(Random& random) {
  if (!Chance(random, 0.1)) return nullptr;
  return &Pick(random, Contexts());
}

}  // namespace

Op RandomOp(const Capabilities& can, Random& random, const TestCase& test, size_t index) {
  std::vector<const OpRow*> rows;
  for (const OpRow& row : Operators()) {
    if (can.WhyNot("op", row.name) == nullptr) rows.push_back(&row);
    // Tests on state are where guards come from.
    if (row.name == std::string("branch")) rows.insert(rows.end(), 3, &row);
  }
  Op op;
  op.row = Pick(random, rows);
  op.context = RandomContext(random);
  op.name = absl::StrCat("v", index);
  std::vector<std::string> values;
  for (const Input& input : test.inputs) values.push_back(input.name);
  for (size_t i = 0; i < index; ++i) values.push_back(test.ops[i].name);
  for (const Slot& slot : test.slots) values.push_back(slot.name);
  for (size_t i = 0; i < std::string(op.row->operands).size(); ++i) {
    const char letter = op.row->operands[i];
    if (letter != 't' && letter != 'n') {
      op.operands.push_back(RandomOperand(random, letter));
      continue;
    }
    const bool number = letter == 'n' && Chance(random, 0.3);
    const bool latest = i == 0 && index > 0 && Chance(random, 0.6);
    op.operands.push_back(number   ? RandomLiteral(random, Type::kFloat)
                          : latest ? test.ops[index - 1].name
                                   : Pick(random, values));
  }
  for (const AttrSpec& spec : op.row->attrs) {
    op.attrs.push_back(spec.kind == AttrKind::kPredicate ? RandomPredicate(random, test)
                                                         : RandomAttribute(random, spec));
  }
  return op;
}

std::vector<size_t> CallStatements(const TestCase& test) {
  std::vector<size_t> calls;
  for (size_t i = 0; i < test.steps.size(); ++i) {
    if (!test.steps[i].arguments.empty()) calls.push_back(i);
  }
  return calls;
}

}  // namespace reprise
