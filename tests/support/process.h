// Running the project's real binaries from tests.
#ifndef REPRISE_TESTS_SUPPORT_PROCESS_H_
#define REPRISE_TESTS_SUPPORT_PROCESS_H_

#include <string>

namespace reprise {

struct Finished {
  int code;            // exit code; 128 + signal if it died
  std::string output;  // standard output and error together
};

// Runs a shell command in which $BIN is the folder of this test's binary and $SRC the source tree.
Finished Shell(const std::string& command);

// A folder of its own that goes when the value does.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void WriteFile(const std::string& path, const std::string& content);
std::string ReadFile(const std::string& path);

}  // namespace reprise

#endif  // REPRISE_TESTS_SUPPORT_PROCESS_H_
