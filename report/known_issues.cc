#include "report/known_issues.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "report/signature.h"

namespace reprise {
namespace {

bool IsSignature(const std::string& word) {
  return word.size() == kHashLetters && std::all_of(word.begin(), word.end(), absl::ascii_islower);
}

}  // namespace

absl::StatusOr<std::set<std::string>> ReadKnownIssues(const std::string& path) {
  std::error_code error;
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read the known issues in ", path, ": ",
                     in ? "it is a directory" : std::strerror(errno)));
  }
  std::set<std::string> signatures;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string word(absl::StripAsciiWhitespace(line.substr(0, line.find('#'))));
    if (word.empty()) continue;
    if (!IsSignature(word)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ", line ", number, ": not a signature of ", kHashLetters,
                       " lower-case letters: ", absl::CHexEscape(word.substr(0, 40))));
    }
    signatures.insert(word);
  }
  return signatures;
}

std::string KnownIssueName(const std::string& hash) { return "known-" + hash; }

}  // namespace reprise
