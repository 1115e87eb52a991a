#include "grammar/parser.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "grammar/arguments.h"
#include "grammar/resolve.h"

namespace reprise {
namespace {

constexpr size_t kMaxLine = 1024;
constexpr size_t kMaxTokens = 32;

using Tokens = std::vector<std::string>;

// Splits at blanks. A '#' that begins a token followed by a blank or nothing starts a comment
// ("#1" is an object).
Tokens Tokenise(absl::string_view line) {
  Tokens tokens;
  for (absl::string_view part :
       absl::StrSplit(line.substr(0, kMaxLine), absl::ByAnyChar(" \t\r"), absl::SkipEmpty())) {
    if (part == "#" || tokens.size() == kMaxTokens) break;
    tokens.emplace_back(part);
  }
  return tokens;
}

// Statements of one kind, unread, in the order of the file.
struct RawCase {
  std::vector<Tokens> compile, model, slots, inputs, ops, returns, steps;
};

RawCase Collect(absl::string_view text) {
  RawCase raw;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    Tokens tokens = Tokenise(line);
    if (tokens.empty()) continue;
    const std::string& word = tokens[0];
    std::vector<Tokens>* list = nullptr;
    size_t limit = 1;
    if (word == "compile") list = &raw.compile;
    if (word == "model") list = &raw.model;
    if (word == "slot") list = &raw.slots, limit = kMaxSlots;
    if (word == "input") list = &raw.inputs, limit = kMaxInputs;
    if (word == "op") list = &raw.ops, limit = kMaxOps;
    if (word == "return") list = &raw.returns;
    if (FindStep(word) != nullptr) list = &raw.steps, limit = kMaxSteps;
    if (list != nullptr && list->size() < limit) list->push_back(std::move(tokens));
  }
  return raw;
}

const std::string& At(const Tokens& tokens, size_t i) {
  static const auto* none = new std::string;
  return i < tokens.size() ? tokens[i] : *none;
}

// "key=value" taken apart; empty key for anything else.
std::pair<std::string, std::string> KeyValue(const std::string& token) {
  const size_t equals = token.find('=');
  if (equals == std::string::npos || equals == 0) return {"", token};
  return {token.substr(0, equals), token.substr(equals + 1)};
}

// Fills attributes from tokens[first...]; positional tokens fill positional attributes in order.
// Other words are returned.
Tokens ReadAttributes(const std::vector<AttrSpec>& specs, const Tokens& tokens, size_t first,
                      std::vector<std::string>* attrs) {
  attrs->assign(specs.size(), "");
  Tokens rest;
  size_t next_positional = 0;
  for (size_t t = first; t < tokens.size(); ++t) {
    const auto [key, value] = KeyValue(tokens[t]);
    bool used = false;
    for (size_t i = 0; i < specs.size() && !used; ++i) {
      if (!key.empty() && !specs[i].positional && key == specs[i].name) {
        (*attrs)[i] = value;
        used = true;
      }
    }
    while (!used && key.empty() && next_positional < specs.size()) {
      if (specs[next_positional].positional) {
        (*attrs)[next_positional] = value;
        used = true;
      }
      ++next_positional;
    }
    if (!used) rest.push_back(tokens[t]);
  }
  return rest;
}

void ReadSlot(const Tokens& tokens, TestCase* test) {
  Slot slot;
  slot.name = At(tokens, 1);
  slot.home = FindHome(At(tokens, 2));
  if (slot.home == nullptr) return;
  slot.type = ParseType(At(tokens, 3)).value_or(slot.home->types[0]);
  slot.value = At(tokens, 4);
  for (size_t i = 5; i < tokens.size(); ++i) {
    const auto [key, value] = KeyValue(tokens[i]);
    if (key == "below") slot.below = value;
  }
  test->slots.push_back(std::move(slot));
}

void ReadInput(const Tokens& tokens, TestCase* test) {
  Input input;
  input.name = At(tokens, 1);
  const auto type = ParseType(At(tokens, 2));
  // "bool" is both an element type and a type of value; with sizes it is a tensor.
  const bool tensor = !type || (tokens.size() > 3 && !HasShape(*type)) || *type == Type::kTensor;
  input.type = tensor ? Type::kTensor : *type;
  const size_t dtype_at = tensor && type != Type::kTensor ? 2 : 3;
  input.dtype = ParseDtype(At(tokens, dtype_at)).value_or(Dtype::kF32);
  if (HasShape(input.type)) {
    std::string dims = At(tokens, dtype_at + 1);
    if (!dims.empty() && dims.front() == '[') dims.erase(0, 1);
    if (!dims.empty() && dims.back() == ']') dims.pop_back();
    if (!dims.empty()) input.dims = absl::StrSplit(dims, ',');
  }
  test->inputs.push_back(std::move(input));
}

void ReadOp(const Tokens& tokens, TestCase* test) {
  Op op;
  op.name = At(tokens, 1);
  op.row = FindOperator(At(tokens, 2));
  if (op.row == nullptr) return;
  for (const std::string& word : ReadAttributes(op.row->attrs, tokens, 3, &op.attrs)) {
    const auto [key, value] = KeyValue(word);
    if (key.empty()) op.operands.push_back(word);
    if (key == "in") op.context = FindContext(value);
  }
  test->ops.push_back(std::move(op));
}

void ReadStep(const Tokens& tokens, TestCase* test) {
  Step step;
  step.row = FindStep(tokens[0]);
  const Tokens rest = ReadAttributes(step.row->attrs, tokens, 1, &step.attrs);
  if (tokens[0] == "call") {
    for (const Input& input : test->inputs) {
      std::string text;
      for (const std::string& token : rest) {
        const auto [key, value] = KeyValue(token);
        if (key == input.name) text = value;
      }
      step.arguments.push_back(ParseArgument(input, text));
    }
  }
  test->steps.push_back(std::move(step));
}

}  // namespace

TestCase Parse(const std::string& text) {
  const RawCase raw = Collect(absl::string_view(text).substr(0, kMaxFileBytes));
  TestCase test;
  if (!raw.compile.empty()) ReadAttributes(CompileSpecs(), raw.compile[0], 1, &test.compile);
  test.function = !raw.model.empty() && At(raw.model[0], 1) == "function";
  for (const Tokens& tokens : raw.slots) ReadSlot(tokens, &test);
  for (const Tokens& tokens : raw.inputs) ReadInput(tokens, &test);
  for (const Tokens& tokens : raw.ops) ReadOp(tokens, &test);
  if (!raw.returns.empty()) test.returns.assign(raw.returns[0].begin() + 1, raw.returns[0].end());
  for (const Tokens& tokens : raw.steps) ReadStep(tokens, &test);
  Resolve(&test);
  return test;
}

TestCase Parse(const uint8_t* data, size_t size) {
  return Parse(std::string(reinterpret_cast<const char*>(data), std::min(size, kMaxFileBytes)));
}

}  // namespace reprise
