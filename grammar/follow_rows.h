// Which rows of a model's results depend on which rows of its inputs.
//
// Follows one dimension of some inputs, the *rows*, through the operators of a model. What is said
// is said by table (follow_rows.cc): an operator that is not in it, or a use of it that is not,
// mixes the rows. Continuous operators alone are in it, for rounding must not become a difference.
#ifndef REPRISE_GRAMMAR_FOLLOW_ROWS_H_
#define REPRISE_GRAMMAR_FOLLOW_ROWS_H_

#include <map>
#include <string>
#include <vector>

#include "grammar/infer.h"
#include "grammar/test_case.h"

namespace reprise {

enum class Flow {
  kConstant,  // does not depend on the rows at all
  kRows,      // row k depends on the rows k of the inputs
  kPrefix,    // row k depends on the rows 0 to k
  kMixed,     // anything else
};

struct Track {
  Flow flow = Flow::kConstant;
  size_t axis = 0;  // kRows, kPrefix: the dimension that the rows lie along
  bool operator==(const Track&) const = default;
};

// `sources`: inputs that are followed, with the dimension that is. `ops` is the program in force,
// `inference` the call's. `evaluating`: the model is in evaluation mode.
std::map<std::string, Track> FollowRows(const std::vector<Op>& ops, const Inference& inference,
                                        const std::map<std::string, size_t>& sources,
                                        bool evaluating);

// Operators that keep rows apart where their attributes let them, for tests.
std::vector<std::string> OperatorsThatKeepRows();

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_FOLLOW_ROWS_H_
