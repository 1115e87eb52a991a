// Guard keys: what a guard compares x where the value comes from x whether it held.
#include <algorithm>

#include "absl/strings/match.h"
#include "feedback/families.h"

namespace reprise {
namespace {

bool IsOneOf(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsOfProcess(const std::string& kind) {
  return IsOneOf(kind, {"grad_mode", "autocast", "default_dtype", "default_device", "deterministic",
                        "threads", "precision", "function_modes", "saved_tensors", "transforms",
                        "forward_ad", "global_state"});
}

// Looks at one attribute of a tensor.
bool IsOfTensor(const std::string& kind) { return absl::StartsWith(kind, "tensor_"); }

}  // namespace

const Family& GuardFamily() {
  static const auto* family = new Family{
      "guard",
      Domain::kGuard,
      {Lattice({AxisOf("kind", GuardKinds()), AxisOf("source", GuardSources()),
                AxisOf("outcome", GuardOutcomes())})},
      {{"guards on the process look at nothing else, and nothing else looks at it",
        [](const Point& p) { return IsOfProcess(p.On("kind")) != p.Is("source", "process"); }},
       {"guards on the process and on libraries are in every entry: that they held says nothing",
        [](const Point& p) {
          return p.Is("outcome", "held") &&
                 (p.Is("source", "process") || p.Is("source", "library"));
        }},
       {"an expression of sizes has no other source, and nothing else is one",
        [](const Point& p) { return p.Is("kind", "shape") != p.Is("source", "shape"); }},
       {"it is known only after it has failed",
        [](const Point& p) {
          return p.Is("outcome", "held") &&
                 IsOneOf(p.On("kind"), {"missing", "backend", "unexpected", "global_state"});
        }},
       {"it is about the entry, not about a value",
        [](const Point& p) {
          return IsOneOf(p.On("kind"), {"backend", "unexpected"}) && !p.Is("source", "other");
        }},
       {"the model is an object: it is no tensor, number, string, container or nothing",
        [](const Point& p) {
          const std::string kind = p.On("kind");
          return p.Is("source", "model") &&
                 (IsOfTensor(kind) ||
                  IsOneOf(kind, {"tensor", "metadata", "mark", "overlap", "no_alias", "equals",
                                 "length", "iterator", "version", "none"}));
        }},
       {"parameters and buffers are tensors or nothing", [](const Point& p) {
          return (p.Is("source", "parameter") || p.Is("source", "buffer")) &&
                 IsOneOf(p.On("kind"), {"equals", "length", "keys", "iterator", "code", "version"});
        }}}};
  return *family;
}

void AddGuardCells(const SeenStep& seen, Cells* cells) {
  for (const GuardFact& fact : seen.signals.guards) {
    cells->push_back(
        GuardFamily().Cell(0, {static_cast<size_t>(fact.kind), static_cast<size_t>(fact.source),
                               static_cast<size_t>(fact.outcome)}));
  }
}

}  // namespace reprise
