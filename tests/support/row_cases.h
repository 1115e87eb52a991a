// Models of which it is known what becomes of the rows of their input x, as two calls that share
// some of them.
#ifndef REPRISE_TESTS_SUPPORT_ROW_CASES_H_
#define REPRISE_TESTS_SUPPORT_ROW_CASES_H_

#include <string>
#include <vector>

#include "grammar/follow_rows.h"

namespace reprise {

struct RowCase {
  std::string text;
  size_t source;   // dimension of x that the two calls share rows along
  Track expected;  // of the first value that is returned
};

const std::vector<RowCase>& RowCases();

}  // namespace reprise

#endif  // REPRISE_TESTS_SUPPORT_ROW_CASES_H_
