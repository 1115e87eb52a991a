// Differences between modes that are legal, each a general rule with its reason. An alarm that
// turns out legal becomes a row here; no case is ever muted.
#ifndef REPRISE_ORACLE_KNOWN_DIFFERENCES_H_
#define REPRISE_ORACLE_KNOWN_DIFFERENCES_H_

#include <string>
#include <vector>

#include "frameworks/observation.h"

namespace reprise {

struct KnownDifference {
  const char* name;
  const char* reason;
  // Does the rule cover these two leaves of one path? Called only where they differ.
  bool (*covers)(const Leaf& expected, const Leaf& actual);
};

const std::vector<KnownDifference>& KnownDifferences();

// An exception that compiled code may raise where the uncompiled call does not. The case ends
// there, as it does where the uncompiled call raises.
struct KnownException {
  const char* name;
  const char* reason;
  bool (*covers)(const Raised& raised);
};

const std::vector<KnownException>& KnownExceptions();

// Is it what an operator raises that declares to raise (kRaises)? Its row in the frameworks' tables
// raises one of these, whatever a compiler wraps it in.
bool IsDeclared(const Raised& raised);

// The row that covers the exception, or nullptr.
const KnownException* FindKnownException(const Outcome& outcome);

// The row that covers the difference, or nullptr.
const KnownDifference* FindKnownDifference(const Leaf& expected, const Leaf& actual);

}  // namespace reprise

#endif  // REPRISE_ORACLE_KNOWN_DIFFERENCES_H_
