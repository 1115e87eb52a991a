// Command lines of this project's binaries: words, and flags of the form --name or --name=value.
// An unknown flag is an error that names it, so that a typing mistake never changes what is run.
#ifndef REPRISE_TOOLS_FLAGS_H_
#define REPRISE_TOOLS_FLAGS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise {

struct CommandLine {
  std::vector<std::string> words;
  std::map<std::string, std::string> flags;  // a flag without a value is "yes"

  bool Has(const std::string& flag) const { return flags.contains(flag); }
  std::string Get(const std::string& flag, const std::string& fallback) const;
};

// `known` are the legal flags, without dashes. Error: kInvalidArgument.
absl::StatusOr<CommandLine> ParseCommandLine(const std::vector<std::string>& arguments,
                                             const std::vector<std::string>& known);

// Exit codes, the same for every command; documented in README.md.
enum ExitCode {
  kExitPass = 0,
  kExitAlarm = 1,
  kExitUsage = 2,        // bad flags, or a file that cannot be read
  kExitUnsupported = 3,  // the case wants what this framework or machine lacks
  kExitMissing = 4,      // a dependency is missing
  kExitInternal = 5,
};

// The exit code for an error that has been put into words for the user.
ExitCode CodeOf(const absl::Status& status);

// The file of this program, with which a process starts another one like itself.
std::string SelfPath();

// Reads a case file. Errors: kNotFound, kInvalidArgument (a directory), kPermissionDenied.
absl::StatusOr<std::string> ReadCaseFile(const std::string& path);

}  // namespace reprise

#endif  // REPRISE_TOOLS_FLAGS_H_
