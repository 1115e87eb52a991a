#include "feedback/features.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "absl/strings/str_cat.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): libFuzzer's own name
extern "C" __attribute__((weak)) void __sanitizer_cov_8bit_counters_init(uint8_t* start,
                                                                         uint8_t* stop);

namespace reprise {
namespace {

alignas(64) uint8_t counters[kCounters];

struct Range {
  size_t base, size;
};

// Fixed for ever: a corpus keeps its meaning when a domain is added.
constexpr Range Between(size_t begin, size_t end) { return {begin, end - begin}; }
constexpr Range kRanges[] = {
    Between(0, 1),         Between(64, 1024),       Between(1024, 6144),       Between(6144, 9216),
    Between(9216, 15'360), Between(15'360, 20'480), Between(20'480, kCounters)};

}  // namespace

size_t DomainSize(Domain domain) { return kRanges[static_cast<size_t>(domain)].size; }

size_t DomainBase(Domain domain) { return kRanges[static_cast<size_t>(domain)].base; }

void RegisterFeatures() {
  if (__sanitizer_cov_8bit_counters_init != nullptr) {
    __sanitizer_cov_8bit_counters_init(counters, counters + kCounters);
  }
}

void EmitFeature(Domain domain, size_t id) {
  const Range range = kRanges[static_cast<size_t>(domain)];
  if (id < range.size) counters[range.base + id] = 1;
}

void AppendFeatures(const std::string& file) {
  std::string line;
  for (size_t i = 0; i < kCounters; ++i) {
    if (counters[i] != 0) absl::StrAppend(&line, line.empty() ? "" : " ", i);
  }
  line += '\n';
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  // One write, because another process may append to the same file.
  [[maybe_unused]] const ssize_t written = write(fd, line.data(), line.size());
  close(fd);
}

bool HasFeature(Domain domain, size_t id) {
  const Range range = kRanges[static_cast<size_t>(domain)];
  return id < range.size && counters[range.base + id] != 0;
}

void ClearFeatures() { std::memset(counters, 0, sizeof counters); }

}  // namespace reprise
