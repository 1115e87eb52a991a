#include "frameworks/known_differences.h"

namespace reprise {

const KnownDifference* KnownDifferences::Find(const Leaf& expected, const Leaf& actual) const {
  for (const KnownDifference& row : values) {
    if (row.covers(expected, actual)) return &row;
  }
  return nullptr;
}

const KnownException* KnownDifferences::Find(const Outcome& outcome, const TestCase& test) const {
  if (!outcome.raised) return nullptr;
  for (const KnownException& row : exceptions) {
    if (row.covers(*outcome.raised, test)) return &row;
  }
  return nullptr;
}

bool IsDeclared(const Raised& raised) {
  return raised.root == "ValueError" || raised.root == "IndexError";
}

}  // namespace reprise
