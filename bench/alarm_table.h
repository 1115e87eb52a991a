// Alarms of a soak, sorted by signature, each with what a person found out about it, and counted by
// level of the oracle as in Table 6 of the paper.
//
// A triage file has a line for each signature that was looked at: the signature, `bug` or `wrong`,
// and what it is.
//
//   xmlpptfi bug pytorch/pytorch 197859: a submodule set through __dict__
#ifndef REPRISE_BENCH_ALARM_TABLE_H_
#define REPRISE_BENCH_ALARM_TABLE_H_

#include <array>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "oracle/level.h"
#include "report/signature.h"

namespace reprise {

struct Triaged {
  bool bug = false;
  std::string what;
};
// By signature. Error: kInvalidArgument, with the line that is none.
absl::StatusOr<std::map<std::string, Triaged>> ReadTriage(const std::string& path);

inline constexpr int kLevels = static_cast<int>(Level::kFull) + 1;

class AlarmTable {
 public:
  explicit AlarmTable(std::map<std::string, Triaged> triage) : triage_(std::move(triage)) {}

  // `at_level`: does the case alarm at that level? `example` names the case.
  void Add(const Signature& signature, const std::array<bool, kLevels>& at_level,
           const std::string& example);

  // Signatures with how often each was met, then alarms, wrong ones and precision by level.
  std::string Text() const;

  // How many alarms are wrong, or have a signature that nobody has looked at.
  int Unexplained() const;

 private:
  struct Group {
    Signature signature;
    std::array<int, kLevels> at_level{};
    std::string example;
  };
  const Triaged* Find(const std::string& hash) const;

  const std::map<std::string, Triaged> triage_;
  std::map<std::string, Group> groups_;  // by signature
};

}  // namespace reprise

#endif  // REPRISE_BENCH_ALARM_TABLE_H_
