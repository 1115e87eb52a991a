// The case that a campaign's process is judging, in a small file: when the process dies, whatever
// the way, the next one is told which case it was.
//
// Written before each case with one system call. Its first line has the size and a hash of what
// follows, so that a torn write is seen. What is noted stays noted until the next case: libFuzzer
// writes its corpus after a case, and a process may die then, too.
#ifndef REPRISE_FUZZ_TARGETS_IN_FLIGHT_H_
#define REPRISE_FUZZ_TARGETS_IN_FLIGHT_H_

#include <cstdint>
#include <optional>
#include <string>

namespace reprise {

class InFlight {
 public:
  InFlight() = default;  // notes nothing
  explicit InFlight(const std::string& path);
  ~InFlight();
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  // False if the file could not be opened.
  bool ok() const { return fd_ >= 0; }
  void Note(const void* data, size_t size) const;
  void Note(const std::string& text) const { Note(text.data(), text.size()); }
  // Nothing is in flight: the process ends by itself.
  void Clear() const;

 private:
  int fd_ = -1;
};

// What was in flight; nullopt if nothing was, or if the process died while it noted a case.
std::optional<std::string> ReadInFlight(const std::string& path);

}  // namespace reprise

#endif  // REPRISE_FUZZ_TARGETS_IN_FLIGHT_H_
