// Differences between modes that a framework allows, each a general rule with its reason. An alarm
// that turns out legal becomes a row of its framework (known_differences()); no case is ever muted.
#ifndef REPRISE_FRAMEWORKS_KNOWN_DIFFERENCES_H_
#define REPRISE_FRAMEWORKS_KNOWN_DIFFERENCES_H_

#include <vector>

#include "frameworks/observation.h"
#include "grammar/test_case.h"

namespace reprise {

// Of two leaves of one path.
struct KnownDifference {
  const char* name;
  const char* condition;  // when the rule applies
  const char* reason;     // and who says so
  // Asked only where they differ.
  bool (*covers)(const Leaf& expected, const Leaf& actual);
};

// An exception that compiled code may raise where the uncompiled call does not. The case ends
// there, as it does where the uncompiled call raises.
struct KnownException {
  const char* name;
  const char* condition;
  const char* reason;
  bool (*covers)(const Raised& raised, const TestCase& test);
};

struct KnownDifferences {
  std::vector<KnownDifference> values;
  std::vector<KnownException> exceptions;

  // The row that covers it, or nullptr.
  const KnownDifference* Find(const Leaf& expected, const Leaf& actual) const;
  const KnownException* Find(const Outcome& outcome, const TestCase& test) const;
};

// Is it what an operator raises that declares to raise (kRaises)? Its row in the frameworks' tables
// raises one of these, whatever a compiler wraps it in.
bool IsDeclared(const Raised& raised);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_KNOWN_DIFFERENCES_H_
