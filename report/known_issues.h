// A file of issues that are known already: a signature hash on each line, and a comment if one
// wants. Alarms with such a signature are swallowed and counted.
//
//   hdzoahst   # https://... fixed upstream
#ifndef REPRISE_REPORT_KNOWN_ISSUES_H_
#define REPRISE_REPORT_KNOWN_ISSUES_H_

#include <set>
#include <string>

#include "absl/status/statusor.h"

namespace reprise {

// The signatures of a file. Errors, in words for the user: kInvalidArgument with the line that is
// no signature, or because the file cannot be read.
absl::StatusOr<std::set<std::string>> ReadKnownIssues(const std::string& path);

// How findings/seen calls what such a file names.
std::string KnownIssueName(const std::string& hash);

}  // namespace reprise

#endif  // REPRISE_REPORT_KNOWN_ISSUES_H_
