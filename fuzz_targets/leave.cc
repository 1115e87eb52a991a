#include "fuzz_targets/leave.h"

#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"

namespace reprise {
namespace {

// Resident memory of this process in MiB.
int64_t ResidentMb() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE) >> 20;
}

}  // namespace

bool HandBackInput(const std::string& control_file) {
  std::ifstream file(control_file, std::ios::binary);
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  if (text.empty() || text.back() != '\n') return false;
  const size_t before = text.rfind('\n', text.size() - 2);
  const size_t start = before == std::string::npos ? 0 : before + 1;
  if (!absl::StartsWith(text.substr(start), "STARTED ")) return false;
  return truncate(control_file.c_str(), static_cast<off_t>(start)) == 0;
}

void LeaveIfLarge(const TargetOptions& options) {
  static bool leaving = false;
  const bool may_leave = !options.recycle.empty() || options.forked;
  if (options.merging || leaving || !may_leave || ResidentMb() < options.recycle_mb) return;
  leaving = true;
  // The parent of -fork starts the next process itself; the file is for whoever started a process
  // that does not.
  if (!options.forked) std::ofstream(options.recycle) << ResidentMb() << " MiB\n";
  raise(SIGUSR1);
}

void LeaveMergeIfLarge(const TargetOptions& options) {
  static bool ran = false;
  if (!ran || ResidentMb() < options.recycle_mb || !HandBackInput(options.control_file)) {
    ran = true;
    return;
  }
  std::fflush(nullptr);
  _exit(kExitHandedBack);
}

}  // namespace reprise
