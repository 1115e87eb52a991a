#include "tests/support/crash_parser.h"

#include <algorithm>
#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace reprise {
namespace {

constexpr size_t kStateLines = 3, kLineLength = 80;

// Frames that say nothing about a bug.
bool IsEverywhere(const std::string& frame) {
  if (frame.size() < 3) return true;
  for (const char* start : {"abort", "exit", "panic", "raise", "gsignal", "main", "malloc", "free",
                            "fuzzer::", "LLVMFuzzerTestOneInput", "__sanitizer", "__interceptor",
                            "std::", "alloc::", "delete", "new "}) {
    if (absl::StartsWith(frame, start)) return true;
  }
  for (const char* part : {"assert", "logger", "/gcc/", "/libc/"}) {
    if (absl::StrContains(frame, part)) return true;
  }
  return false;
}

std::string Normal(const std::string& frame) {
  std::string text = frame.substr(0, frame.find_first_of("([ !"));
  text = std::regex_replace(text, std::regex("0x[0-9a-fA-F]+"), "ADDRESS");
  text = std::regex_replace(text, std::regex("[0-9]{4,}"), "NUMBER");
  return text.substr(0, kLineLength);
}

Crash ParsePython(const std::vector<std::string>& lines) {
  static const std::regex title("\\s*=== Uncaught Python exception: ===");
  static const std::regex frame("\\s*File \"[^\"]+\\.py\", line [0-9]+, in (.+)");
  std::vector<std::string> frames;
  bool inside = false, found = false;
  for (const std::string& line : lines) {
    if (std::regex_match(line, title)) {
      inside = found = true;
      continue;
    }
    if (absl::StartsWith(line, "=========") || absl::StrContains(line, "== ERROR: "))
      inside = false;
    std::smatch match;
    if (inside && std::regex_match(line, match, frame)) frames.push_back(Normal(match[1]));
  }
  if (!found) return {};
  std::reverse(frames.begin(), frames.end());
  frames.resize(std::min(frames.size(), kStateLines));
  return {"Uncaught exception", frames};
}

std::string NativeType(const std::string& line) {
  std::smatch match;
  static const std::regex sanitizer("==[0-9]+==\\s*ERROR: ([A-Za-z]+): ([A-Za-z-]+)(.*)");
  if (!std::regex_search(line, match, sanitizer)) return "";
  const std::string tool = match[1], kind = match[2], rest = match[3];
  if (kind == "SEGV") {
    static const std::regex null("address 0x0{9,}[0-9a-f]{1,3}\\b");
    return std::regex_search(rest, null) ? "Null-dereference" : "UNKNOWN";
  }
  if (tool == "libFuzzer" && kind == "deadly") return "Fatal-signal";
  if (tool == "libFuzzer" && kind == "timeout") return "Timeout";
  if (tool == "libFuzzer" && kind == "out-of-memory") return "Out-of-memory";
  return kind;
}

Crash ParseNative(const std::vector<std::string>& lines) {
  static const std::regex frame("\\s*#[0-9]+ 0x[0-9a-f]+ in (\\S.*)");
  Crash crash;
  for (const std::string& line : lines) {
    const std::string type = NativeType(line);
    if (crash.type.empty()) crash.type = type;
    std::smatch match;
    if (crash.type.empty() || crash.state.size() == kStateLines ||
        !std::regex_match(line, match, frame)) {
      continue;
    }
    const std::string text = Normal(match[1]);
    if (!IsEverywhere(text)) crash.state.push_back(text);
  }
  return crash;
}

}  // namespace

Crash ParseCrash(const std::string& log) {
  const std::vector<std::string> lines = absl::StrSplit(log, '\n');
  return absl::StrContains(log, ".py\", line") ? ParsePython(lines) : ParseNative(lines);
}

bool IsOneBug(const Crash& a, const Crash& b) {
  if (a.type != b.type) return false;
  if (a.state == b.state) return true;
  const auto is_hash = [](const std::string& line) {
    return absl::StrContains(line, "FuzzerHash=");
  };
  if (std::any_of(a.state.begin(), a.state.end(), is_hash)) return false;
  return std::count_if(a.state.begin(), a.state.end(), [&](const std::string& line) {
           return std::find(b.state.begin(), b.state.end(), line) != b.state.end();
         }) >= 2;
}

std::string DedupToken(const std::string& log) {
  const size_t at = log.find("DEDUP_TOKEN: ");
  return at == std::string::npos ? "" : log.substr(at + 13, log.find('\n', at) - at - 13);
}

}  // namespace reprise
