// The families of behaviour keys, one file each: what its cells are, and which of them a step hits.
// keys.h is what the rest of Reprise uses.
#ifndef REPRISE_FEEDBACK_FAMILIES_H_
#define REPRISE_FEEDBACK_FAMILIES_H_

#include <vector>

#include "feedback/lattice.h"
#include "frameworks/signals.h"
#include "grammar/test_case.h"

namespace reprise {

// A judged step on which the compiler was observed.
struct SeenStep {
  const TestCase& test;
  size_t index;
  const CallSignals& signals;
  size_t event;  // position of signals.event
  size_t last;   // index of the call before it; SIZE_MAX for the first call

  const Step& step() const { return test.steps[index]; }
  // The steps since the call before.
  std::vector<const Step*> Between() const;
};

using Cells = std::vector<size_t>;

const Family& InputFamily();
const Family& PathFamily();
const Family& GuardFamily();
const Family& HistoryFamily();
const Family& WordFamily();

void AddInputCells(const SeenStep& seen, Cells* cells);
void AddPathCells(const SeenStep& seen, Cells* cells);
void AddGuardCells(const SeenStep& seen, Cells* cells);
void AddHistoryCells(const SeenStep& seen, Cells* cells);
void AddWordCells(const SeenStep& seen, Cells* cells);

// The words of a table, as an axis.
Axis AxisOf(const std::string& name, const std::vector<SignalWord>& table);
Axis EventAxis();

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_FAMILIES_H_
