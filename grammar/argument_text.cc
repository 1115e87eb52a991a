// The text of arguments. Reading is total: what does not fit the input is mended by
// ResolveArguments.
#include <cctype>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "grammar/arguments.h"

namespace reprise {
namespace {

constexpr size_t kMaxItems = 4;

bool EndsInDigit(const std::string& word) { return !word.empty() && std::isdigit(word.back()); }

void ReadModifier(const std::string& word, Argument* argument) {
  double scale;
  if (const auto dtype = ParseDtype(word)) {
    argument->dtype = *dtype;
  } else if (const LayoutRow* layout = FindLayout(word)) {
    argument->layout = layout;
  } else if (word == "grad") {
    argument->grad = true;
  } else if (word == "derived") {
    argument->grad = argument->derived = true;
  } else if (word[0] == 'x' && absl::SimpleAtod(word.substr(1), &scale)) {
    argument->scale = scale;
  } else if (absl::StartsWith(word, "tag")) {
    argument->tag = ParseInt(word.substr(3), 0);
  } else if (EndsInDigit(word)) {
    const MarkRow* mark = FindMark(word.substr(0, word.size() - 1));
    if (mark == nullptr) return;
    argument->mark = mark;
    argument->marked = word.back() - '0';
  }
}

void ReadModifiers(absl::string_view text, Argument* argument) {
  for (absl::string_view part : absl::StrSplit(text, ':', absl::SkipEmpty())) {
    ReadModifier(std::string(part), argument);
  }
}

std::string Modifiers(const Input& input, const Argument& argument) {
  std::string text;
  if (argument.dtype != input.dtype) absl::StrAppend(&text, ":", Name(argument.dtype));
  if (argument.layout != &Layouts()[0]) absl::StrAppend(&text, ":", argument.layout->name);
  if (argument.grad) text += argument.derived ? ":derived" : ":grad";
  if (argument.scale != 1) absl::StrAppend(&text, ":x", FloatText(argument.scale));
  if (argument.mark != nullptr) absl::StrAppend(&text, ":", argument.mark->name, argument.marked);
  if (argument.tag != 0) absl::StrAppend(&text, ":tag", argument.tag);
  return text;
}

void ReadItems(const Input& input, const std::string& text, Argument* argument) {
  argument->pattern = FindPattern(Pattern::kItems);
  const bool keyed = input.type == Type::kDict || input.type == Type::kData;
  for (const std::string& part : ParseCallText(text).arguments) {
    if (argument->items.size() == kMaxItems) break;
    const size_t colon = part.find(':');
    const bool has_key = keyed && colon != std::string::npos && std::isalpha(part[0]);
    if (keyed) argument->keys.push_back(has_key ? part.substr(0, colon) : "");
    argument->items.push_back(
        ParseArgument(ItemOf(input), has_key ? part.substr(colon + 1) : part));
  }
}

}  // namespace

Input ItemOf(const Input& input) { return {input.name, Type::kTensor, input.dtype, input.dims}; }

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
  if (IsContainer(input.type)) {
    if (!text.empty()) ReadItems(input, text, &a);
    return a;
  }
  const bool none = input.type == Type::kOptional && text.find('[') == std::string::npos;
  if (!HasShape(input.type) || none) {
    a.pattern = FindPattern(Pattern::kValue);
    a.value = none ? "none" : text;
    return a;
  }
  if (absl::StartsWith(text, "out(")) {
    a.pattern = FindPattern(Pattern::kOutput);
    const CallText out = ParseCallText(text);
    if (!out.arguments.empty()) a.call = ParseInt(out.arguments[0], 1);
    if (out.arguments.size() > 1) a.result = ParseInt(out.arguments[1], 0);
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
    case Pattern::kOutput:
      return a.result == 0 ? absl::StrCat("out(", a.call, ")")
                           : absl::StrCat("out(", a.call, ",", a.result, ")");
    case Pattern::kItems: {
      std::vector<std::string> parts;
      for (size_t i = 0; i < a.items.size(); ++i) {
        const std::string item = ArgumentText(ItemOf(input), a.items[i]);
        parts.push_back(i < a.keys.size() ? absl::StrCat(a.keys[i], ":", item) : item);
      }
      return absl::StrCat("(", absl::StrJoin(parts, ","), ")");
    }
  }
  return "";
}

}  // namespace reprise
