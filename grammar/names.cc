// Which identifiers a case may use: whatever is legal in an emitted program without hiding a word
// that the program itself needs.
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "grammar/attributes.h"
#include "grammar/functions.h"

namespace reprise {
namespace {

// Python's keywords and built-ins, names that emitted programs define or import, and attributes
// that modules of the frameworks already have.
constexpr const char* kReserved[] = {
    "and",          "as",           "assert",     "async",
    "await",        "break",        "buffers",    "build",
    "call",         "cell",         "children",   "class",
    "compile",      "compiled",     "continue",   "copy",
    "cpu",          "cuda",         "def",        "del",
    "dict",         "double",       "elif",       "else",
    "eval",         "except",       "extra_repr", "false",
    "finally",      "float",        "for",        "forward",
    "from",         "global",       "half",       "if",
    "import",       "in",           "int",        "is",
    "jax",          "jnp",          "keras",      "lambda",
    "len",          "list",         "mk",         "model",
    "modules",      "name",         "nn",         "none",
    "nonlocal",     "not",          "np",         "object",
    "or",           "parameters",   "pass",       "raise",
    "rand",         "return",       "self",       "state_dict",
    "str",          "super",        "table",      "tf",
    "thing",        "to",           "torch",      "train",
    "training",     "true",         "try",        "tuple",
    "type",         "value",        "while",      "with",
    "yield",        "zero_grad",    "apply",      "grad",
    "bool",         "add_module",   "bfloat16",   "requires_grad_",
    "share_memory", "values",       "seed",       "under",
    "base",         "handle",       "swapped",    "fill",
    "ipu",          "xpu",          "mtia",       "load_state_dict",
    "to_empty",     "dump_patches", "vmap",
};
constexpr const char* kReservedPrefixes[] = {"named_", "register_", "get_", "set_", "make_", "out"};

bool IsReserved(const std::string& name) {
  for (const char* prefix : kReservedPrefixes) {
    if (absl::StartsWith(name, prefix)) return true;
  }
  static const auto* reserved =
      new absl::flat_hash_set<absl::string_view>(std::begin(kReserved), std::end(kReserved));
  return reserved->contains(name) || FindUnary(name) != nullptr || FindPredicate(name) != nullptr;
}

}  // namespace

std::string SanitiseName(const std::string& text) {
  std::string name;
  for (char c : text) {
    if (name.size() == kMaxNameLength) break;
    c = absl::ascii_tolower(c);
    if (absl::ascii_isalpha(c) || (!name.empty() && (absl::ascii_isdigit(c) || c == '_')))
      name += c;
  }
  if (!IsReserved(name)) return name;
  if (name.size() > kMaxNameLength - 2) name.resize(kMaxNameLength - 2);
  return "v_" + name;
}

}  // namespace reprise
