#include "oracle/invariants.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "oracle/invariant_rows.h"

namespace reprise {
namespace {

std::string AttributeOf(const InvariantRow& row) { return absl::StrCat("invariant ", row.name); }

}  // namespace

bool WasDone(const TestCase& test, int step, std::initializer_list<const char*> words) {
  for (int i = 0; i < step; ++i) {
    const std::string word = test.steps[static_cast<size_t>(i)].row->name;
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  }
  return false;
}

bool HasFlag(const TestCase& test, unsigned flags) {
  return std::any_of(test.ops.begin(), test.ops.end(),
                     [flags](const Op& op) { return (op.row->flags & flags) != 0; });
}

bool Writes(const TestCase& test) {
  if (HasFlag(test, kInPlace | kAppends)) return true;
  const auto writes = [](const Op& op) {
    // Generators are slots and inputs with a state of their own.
    return std::strchr(op.row->operands, 'r') != nullptr ||
           std::any_of(op.row->attrs.begin(), op.row->attrs.end(),
                       [](const AttrSpec& a) { return a.kind == AttrKind::kWritten; });
  };
  return std::any_of(test.ops.begin(), test.ops.end(), writes);
}

std::string ResultPath(const TestCase& test, size_t number) {
  return test.returns.size() == 1 ? "result" : absl::StrCat("result[", number, "]");
}

bool IsEvaluating(const TestCase& test, int step) {
  bool evaluating = false;
  for (int i = 0; i < step; ++i) {
    const Step& s = test.steps[static_cast<size_t>(i)];
    const std::string word = s.row->name;
    const bool another = word == "instance" || word == "variant" || Attr(s, "via") == "factory";
    if (another || word == "train") evaluating = false;  // a new model is in training mode
    if (word == "eval" && s.attrs[0].empty()) evaluating = true;
  }
  return evaluating;
}

const std::vector<InvariantRow>& Invariants() {
  static const auto* rows = [] {
    auto* all = new std::vector<InvariantRow>;
    for (const auto& part : {ValueInvariants(), SequenceInvariants(), StateInvariants()})
      all->insert(all->end(), part.begin(), part.end());
    return all;
  }();
  return *rows;
}

std::optional<Difference> FindBrokenInvariant(const Trajectory& trajectory, int step) {
  const auto i = static_cast<size_t>(step);
  if (i >= trajectory.steps.size() || trajectory.steps[i] == nullptr || trajectory.steps[i]->raised)
    return std::nullopt;
  for (const InvariantRow& row : Invariants()) {
    if (auto broken = row.check(trajectory, step)) {
      broken->attribute = AttributeOf(row);
      return broken;
    }
  }
  return std::nullopt;
}

bool IsBroken(const std::string& attribute, const Trajectory& trajectory, int step) {
  for (const InvariantRow& row : Invariants()) {
    if (AttributeOf(row) == attribute) return row.check(trajectory, step).has_value();
  }
  return false;
}

}  // namespace reprise
