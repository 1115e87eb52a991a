// What the files of operator rows share: makers of attributes, and the parts of the table.
#ifndef REPRISE_GRAMMAR_OP_ROWS_H_
#define REPRISE_GRAMMAR_OP_ROWS_H_

#include <vector>

#include "grammar/tables.h"

namespace reprise {

inline AttrSpec Int(const char* name, const char* fallback, double lo, double hi) {
  return {name, AttrKind::kInt, fallback, lo, hi};
}
inline AttrSpec Float(const char* name, const char* fallback, double lo, double hi) {
  return {name, AttrKind::kFloat, fallback, lo, hi};
}
inline AttrSpec Dim(const char* name, const char* fallback) { return Int(name, fallback, -4, 3); }
inline AttrSpec Unary(const char* name, const char* fallback) {
  return {name, AttrKind::kUnary, fallback};
}
inline AttrSpec Choice(const char* name, const char* choices, const char* fallback) {
  return {name, AttrKind::kChoice, fallback, 0, 0, choices};
}

std::vector<OpRow> ArrayOperators();  // op_table_arrays.cc

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_OP_ROWS_H_
