#include "fuzz_targets/in_flight.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "grammar/types.h"

namespace reprise {

InFlight::InFlight(const std::string& path)
    : fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}

InFlight::~InFlight() {
  if (fd_ >= 0) close(fd_);
}

void InFlight::Note(const void* data, size_t size) const {
  if (fd_ < 0) return;
  const std::string text(static_cast<const char*>(data), size);
  const std::string note = absl::StrCat(size, " ", StableHash(text), "\n", text);
  [[maybe_unused]] const ssize_t written = pwrite(fd_, note.data(), note.size(), 0);
}

void InFlight::Clear() const {
  if (fd_ < 0) return;
  [[maybe_unused]] const int failed = ftruncate(fd_, 0);
}

std::optional<std::string> ReadInFlight(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  size_t size = 0;
  uint64_t hash = 0;
  if (!(in >> size >> hash) || in.get() != '\n') return std::nullopt;
  std::stringstream rest;
  rest << in.rdbuf();
  const std::string text = rest.str().substr(0, size);
  if (text.size() != size || StableHash(text) != hash) return std::nullopt;
  return text;
}

}  // namespace reprise
