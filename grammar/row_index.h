// Rows of a table by name. Cases refer to rows by pointer; looking one up by name is what parsing,
// resolving and repairing do all the time, so it takes one hash instead of a walk along the table.
#ifndef REPRISE_GRAMMAR_ROW_INDEX_H_
#define REPRISE_GRAMMAR_ROW_INDEX_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace reprise {

// `rows` must outlive the index, and their member `name` must be unique.
template <typename Row>
class RowIndex {
 public:
  explicit RowIndex(const std::vector<Row>& rows) {
    for (const Row& row : rows) rows_.emplace(row.name, &row);
  }
  const Row* Find(absl::string_view name) const {
    const auto it = rows_.find(name);
    return it == rows_.end() ? nullptr : it->second;
  }

 private:
  absl::flat_hash_map<absl::string_view, const Row*> rows_;
};

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_ROW_INDEX_H_
