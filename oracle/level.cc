#include "oracle/level.h"

#include "absl/strings/str_join.h"

namespace reprise {
namespace {
constexpr const char* kNames[] = {"crash", "two-mode", "three-mode", "structured", "full"};
}  // namespace

const char* Name(Level level) { return kNames[static_cast<int>(level)]; }

std::optional<Level> ParseLevel(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Level::kFull); ++i) {
    if (name == kNames[i]) return static_cast<Level>(i);
  }
  return std::nullopt;
}

std::string LevelNames() { return absl::StrJoin(kNames, ", "); }

}  // namespace reprise
