#include "feedback/keys.h"

#include <algorithm>

#include "feedback/families.h"

namespace reprise {
namespace {

// The families, with what finds a step's cells. A family's number is its row.
struct Row {
  const Family& (*family)();
  void (*add)(const SeenStep& seen, Cells* cells);
};
constexpr Row kRows[] = {{InputFamily, AddInputCells},
                         {PathFamily, AddPathCells},
                         {GuardFamily, AddGuardCells},
                         {HistoryFamily, AddHistoryCells},
                         {WordFamily, AddWordCells}};

std::vector<Key> KeysOfStep(const SeenStep& seen) {
  std::vector<Key> keys;
  Cells cells;
  for (size_t family = 0; family < std::size(kRows); ++family) {
    cells.clear();
    kRows[family].add(seen, &cells);
    for (const size_t cell : cells) keys.push_back({family, cell});
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

std::vector<const Step*> SeenStep::Between() const {
  std::vector<const Step*> steps;
  for (size_t i = last + 1; i < index; ++i) steps.push_back(&test.steps[i]);
  return steps;
}

Axis AxisOf(const std::string& name, const std::vector<SignalWord>& table) {
  Axis axis{name, {}};
  for (const SignalWord& row : table) axis.values.push_back(row.word);
  return axis;
}

Axis EventAxis() { return AxisOf("event", CompilerEvents()); }

const std::vector<const Family*>& Families() {
  static const auto* families = [] {
    auto* made = new std::vector<const Family*>;
    for (const Row& row : kRows) made->push_back(&row.family());
    return made;
  }();
  return *families;
}

std::string NameOf(const Key& key) { return Families()[key.family]->NameOf(key.cell); }

std::vector<std::vector<Key>> KeysByStep(const TestCase& test,
                                         const std::vector<CallSignals>& signals) {
  std::vector<std::vector<Key>> keys(test.steps.size());
  size_t last = SIZE_MAX;  // so that what stands before the first call counts as well
  for (size_t i = 0; i < test.steps.size() && i < signals.size(); ++i) {
    const int event = FindWord(CompilerEvents(), signals[i].event);
    // Nothing compiled runs while a result is written.
    if (event >= 0 && test.steps[i].row != FindStep("write"))
      keys[i] = KeysOfStep({test, i, signals[i], static_cast<size_t>(event), last});
    if (IsCall(test.steps[i])) last = i;
  }
  return keys;
}

std::vector<Key> KeysOf(const TestCase& test, const std::vector<CallSignals>& signals) {
  std::vector<Key> all;
  for (const auto& keys : KeysByStep(test, signals))
    all.insert(all.end(), keys.begin(), keys.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void EmitBehaviour(const TestCase& test, const std::vector<CallSignals>& signals) {
  EmitFeature(Domain::kAlive, 0);
  for (const Key& key : KeysOf(test, signals))
    EmitFeature(Families()[key.family]->domain, key.cell);
}

}  // namespace reprise
