#include "bench/alarm_table.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace reprise {

absl::StatusOr<std::map<std::string, Triaged>> ReadTriage(const std::string& path) {
  std::map<std::string, Triaged> triage;
  std::ifstream file(path);
  if (!file) return absl::InvalidArgumentError(absl::StrCat(path, ": cannot be read"));
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    if (parts.size() < 3 || (parts[1] != "bug" && parts[1] != "wrong")) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": a line is a signature, bug or wrong, and what it is: ", line));
    }
    triage[parts[0]] = {parts[1] == "bug", parts[2]};
  }
  return triage;
}

void AlarmTable::Add(const Signature& signature, const std::array<bool, kLevels>& at_level,
                     const std::string& example) {
  Group& group = groups_[signature.hash];
  if (group.example.empty()) group = {signature, {}, example};
  for (size_t level = 0; level < at_level.size(); ++level)
    group.at_level[level] += at_level[level] ? 1 : 0;
}

const Triaged* AlarmTable::Find(const std::string& hash) const {
  const auto it = triage_.find(hash);
  return it == triage_.end() ? nullptr : &it->second;
}

std::string AlarmTable::Text() const {
  std::vector<const Group*> sorted;
  for (const auto& [hash, group] : groups_) sorted.push_back(&group);
  std::sort(sorted.begin(), sorted.end(),
            [](const Group* a, const Group* b) { return a->at_level.back() > b->at_level.back(); });
  std::array<int, kLevels> alarms{}, wrong{}, unknown{};
  std::string text;
  for (const Group* group : sorted) {
    const Triaged* triaged = Find(group->signature.hash);
    for (size_t level = 0; level < alarms.size(); ++level) {
      alarms[level] += group->at_level[level];
      if (triaged == nullptr) {
        unknown[level] += group->at_level[level];
      } else if (!triaged->bug) {
        wrong[level] += group->at_level[level];
      }
    }
    const std::string what = triaged == nullptr ? "NOT LOOKED AT"
                             : triaged->bug     ? triaged->what
                                                : absl::StrCat("WRONG: ", triaged->what);
    absl::StrAppendFormat(&text, "%5d  %s  %s\n         %s\n         first met in %s\n",
                          group->at_level.back(), group->signature.hash, what,
                          group->signature.text, group->example);
  }
  absl::StrAppend(&text, "\nlevel         alarms  wrong  not looked at  precision\n");
  for (size_t level = 0; level < alarms.size(); ++level) {
    const int right = alarms[level] - wrong[level] - unknown[level];
    absl::StrAppendFormat(
        &text, "%-12s  %6d  %5d  %13d  %8.2f%%\n", Name(static_cast<Level>(level)), alarms[level],
        wrong[level], unknown[level], alarms[level] == 0 ? 100.0 : 100.0 * right / alarms[level]);
  }
  return text;
}

int AlarmTable::Unexplained() const {
  int count = 0;
  for (const auto& [hash, group] : groups_) {
    const Triaged* triaged = Find(hash);
    if (triaged == nullptr || !triaged->bug) count += group.at_level.back();
  }
  return count;
}

}  // namespace reprise
