// Words for what a compiler did on one call, shared by every framework. The Python side of a
// framework (frameworks/<name>/) says them; ids of behaviour keys are positions in these tables, so
// rows are added at the end.
#ifndef REPRISE_FRAMEWORKS_SIGNALS_H_
#define REPRISE_FRAMEWORKS_SIGNALS_H_

#include <string>
#include <vector>

namespace reprise {

struct SignalWord {
  const char* word;
  const char* meaning;
};

// What the compiler did.
const std::vector<SignalWord>& CompilerEvents();
// What a guard compares. The last row stands for all that no other says.
const std::vector<SignalWord>& GuardKinds();
// Where the value comes from that a guard looks at. The last row as above.
const std::vector<SignalWord>& GuardSources();
// Whether a guard let an entry serve.
const std::vector<SignalWord>& GuardOutcomes();

// Position of a word; -1 if the table has none of that name.
int FindWord(const std::vector<SignalWord>& table, const std::string& word);

// One guard of an entry that was looked at, as positions in the tables.
struct GuardFact {
  int kind = 0, source = 0, outcome = 0;
  bool operator==(const GuardFact&) const = default;
};

// What the compiler did on one step.
struct CallSignals {
  std::string event;  // of CompilerEvents(); "" where nothing was observed
  int graph_breaks = 0;
  bool backward = false;  // a backward was compiled
  std::vector<GuardFact> guards;
  int unknown = 0;  // words that no table has; "unreadable" is the host's for signals that raise
};

// A framework's own words; unknown ones become the last row of their table, an unknown event none,
// and are counted in `signals`.
void AddEvent(const std::string& event, CallSignals* signals);
void AddGuard(const std::string& kind, const std::string& source, const std::string& outcome,
              CallSignals* signals);

// Did the step compile something that a later call can reuse?
bool Compiled(const CallSignals& signals);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_SIGNALS_H_
