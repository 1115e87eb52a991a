// History keys (HBC): how a call relates to the calls before it x what was done to the program
// since the last call x what the compiler did.
#include <algorithm>
#include <set>

#include "feedback/families.h"

namespace reprise {
namespace {

enum Relation : size_t {
  kSameAsLast,
  kSameAsEarlier,
  kOtherValues,
  kOtherSize,
  kOtherZeroOne,
  kOtherRank,
  kOtherDtype,
  kOtherLayout,
  kOtherGradient,
  kOtherMark,
  kOtherSubclass,
  kOtherAliases,
  kOtherLiteral,
  kOtherContainer,
  kOtherContext,
  kSeveral,
};

const Axis& Relations() {
  static const auto* axis =
      new Axis{"relation",
               {"same as the last call", "same as an earlier call", "other values", "other size",
                "size to or from 0 or 1", "other rank", "other dtype", "other layout",
                "other gradient", "other mark", "other subclass", "other aliases", "other literal",
                "other container", "other context", "several changes"}};
  return *axis;
}

// Kinds of state operations, and the steps that are of each. The last row is for steps that are of
// none, and the first for no step at all.
struct Kind {
  const char* name;
  std::vector<std::string> steps;
};
const std::vector<Kind>& Kinds() {
  static const auto* kinds = new std::vector<Kind>{
      {"nothing since", {}},
      {"slot set", {"set"}},
      {"slot deleted", {"delete"}},
      {"tensor written", {"update"}},
      {"object exchanged", {"copy", "rebind", "swap", "tie", "row"}},
      {"code replaced", {"recode"}},
      {"mode changed", {"train", "eval", "requires_grad"}},
      {"weights changed", {"load", "cast"}},
      {"hook", {"hook", "unhook"}},
      {"optimizer", {"optimizer", "optimize"}},
      {"another wrapper", {"wrap"}},
      {"another instance", {"instance", "deepcopy", "pickle"}},
      {"another program", {"variant", "retune"}},
      {"process flag", {"flag"}},
      {"compiler memory cleared", {"forget"}},
      {"gradients", {"backward", "zero_grad"}},
      {"results touched", {"write", "drop"}},
      {"other step", {}},
  };
  return *kinds;
}

// Positions of the kinds of steps since the last call, each once.
std::set<size_t> KindsSince(const SeenStep& seen) {
  std::set<size_t> found;
  for (const Step* step : seen.Between()) {
    size_t kind = 1;
    const auto is = [&](const std::string& word) { return word == step->row->name; };
    while (kind + 1 < Kinds().size() &&
           std::none_of(Kinds()[kind].steps.begin(), Kinds()[kind].steps.end(), is)) {
      ++kind;
    }
    found.insert(kind);
  }
  if (found.empty()) found.insert(0);
  return found;
}

void CompareTensors(const Argument& a, const Argument& b, std::set<size_t>* changes) {
  if (a.shape.size() != b.shape.size()) changes->insert(kOtherRank);
  for (size_t i = 0; i < std::min(a.shape.size(), b.shape.size()); ++i) {
    if (a.shape[i] == b.shape[i]) continue;
    changes->insert(std::min(a.shape[i], b.shape[i]) < 2 ? kOtherZeroOne : kOtherSize);
  }
  if (a.dtype != b.dtype) changes->insert(kOtherDtype);
  if (a.layout != b.layout) changes->insert(kOtherLayout);
  if (a.grad != b.grad || a.derived != b.derived) changes->insert(kOtherGradient);
  if (a.mark != b.mark || a.marked != b.marked) changes->insert(kOtherMark);
  if (a.tag != b.tag) changes->insert(kOtherSubclass);
  if (a.scale != b.scale) changes->insert(kOtherValues);
}

void CompareArguments(const Argument& a, const Argument& b, std::set<size_t>* changes) {
  const Pattern pattern = a.pattern->pattern;
  if (pattern != b.pattern->pattern) {
    // Of an optional tensor or a container, only what is there differs.
    const bool literal = pattern == Pattern::kValue || b.pattern->pattern == Pattern::kValue;
    changes->insert(literal ? kOtherLiteral : kOtherAliases);
  } else if (pattern == Pattern::kValue) {
    if (a.value != b.value) changes->insert(kOtherLiteral);
  } else if (pattern == Pattern::kItems) {
    if (a.items.size() != b.items.size() || a.keys != b.keys) {
      changes->insert(kOtherContainer);
      return;
    }
    for (size_t i = 0; i < a.items.size(); ++i) CompareArguments(a.items[i], b.items[i], changes);
  } else {
    if (a.value != b.value || a.base != b.base || a.offset != b.offset || a.call != b.call ||
        a.result != b.result) {
      changes->insert(kOtherAliases);
    }
    CompareTensors(a, b, changes);
  }
}

// Kinds of what differs between two calls.
std::set<size_t> Changes(const Step& a, const Step& b) {
  std::set<size_t> changes;
  for (size_t i = 0; i < std::min(a.arguments.size(), b.arguments.size()); ++i)
    CompareArguments(a.arguments[i], b.arguments[i], &changes);
  if (Attr(a, "under") != Attr(b, "under")) changes.insert(kOtherContext);
  if (Attr(a, "seed") != Attr(b, "seed")) changes.insert(kOtherValues);
  // Other sizes have other values anyway.
  if (changes.count(kOtherZeroOne) > 0) changes.erase(kOtherSize);
  if (changes.size() > 1) changes.erase(kOtherValues);
  return changes;
}

// Relation to the nearest earlier call: the one that differs in fewest ways, the latest of those.
// kSeveral + 1 for a first call.
size_t RelationOf(const SeenStep& seen) {
  const TestCase& test = seen.test;
  const auto root = [&](size_t i) -> const Step& {
    return test.steps[static_cast<size_t>(RootOfCall(test, static_cast<int>(i)))];
  };
  size_t relation = kSeveral + 1, fewest = SIZE_MAX;
  bool last = true;
  for (size_t i = seen.index; i-- > 0;) {
    if (!IsCall(test.steps[i])) continue;
    const std::set<size_t> changes = Changes(root(seen.index), root(i));
    if (changes.size() < fewest) {
      fewest = changes.size();
      relation = fewest > 1    ? kSeveral
                 : fewest == 1 ? *changes.begin()
                 : last        ? kSameAsLast
                               : kSameAsEarlier;
    }
    last = false;
  }
  return relation;
}

}  // namespace

const Family& HistoryFamily() {
  static const auto* family = [] {
    Axis kinds{"since", {}};
    for (const Kind& kind : Kinds()) kinds.values.push_back(kind.name);
    return new Family{
        "history",
        Domain::kHistory,
        {Lattice({Relations(), kinds, EventAxis()})},
        {{"an input declares its number of dimensions: only slots change it",
          [](const Point& p) { return p.Is("relation", "other rank"); }},
         {"every step of the language has a kind",
          [](const Point& p) { return p.Is("since", "other step"); }},
         {"once the compiler's memory is cleared there is nothing to reuse", [](const Point& p) {
            return p.Is("since", "compiler memory cleared") && p.Is("event", "reused");
          }}}};
  }();
  return *family;
}

void AddHistoryCells(const SeenStep& seen, Cells* cells) {
  if (!IsCall(seen.step())) return;
  const size_t relation = RelationOf(seen);
  if (relation > kSeveral) return;  // a first call
  for (const size_t kind : KindsSince(seen))
    cells->push_back(HistoryFamily().Cell(0, {relation, kind, seen.event}));
}

}  // namespace reprise
