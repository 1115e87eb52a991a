#include "fuzz_targets/options.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "report/known_issues.h"
#include "tools/flags.h"

namespace reprise {
namespace {

bool IsLibFuzzerFlag(const std::string& argument) {
  return absl::StartsWith(argument, "-") && !absl::StartsWith(argument, "--");
}

// The value of one of libFuzzer's flags; nullopt where it is not given.
std::optional<std::string> FlagValue(const std::vector<std::string>& arguments,
                                     const std::string& flag) {
  const std::string start = absl::StrCat("-", flag, "=");
  for (const std::string& argument : arguments) {
    if (absl::StartsWith(argument, start)) return argument.substr(start.size());
  }
  return std::nullopt;
}

bool HasFlag(const std::vector<std::string>& arguments, const std::string& flag) {
  return FlagValue(arguments, flag).has_value();
}

}  // namespace

absl::StatusOr<TargetOptions> ReadTargetOptions(const std::vector<std::string>& arguments) {
  std::vector<std::string> ours, words;
  for (const std::string& argument : arguments) {
    if (argument == "--" || IsLibFuzzerFlag(argument)) continue;
    (absl::StartsWith(argument, "--") ? ours : words).push_back(argument);
  }
  const auto line =
      ParseCommandLine(ours, {"backend", "plant", "campaign", "judge", "r-policy", "shortcuts",
                              "recycle", "recycle-mb", "lines", "oracle", "features",
                              "known-issues", "in-flight", "bury", "died", "alone"});
  if (!line.ok()) return line.status();
  TargetOptions options;
  options.backend = line->Get("backend", "");
  options.plant = line->Get("plant", "");
  options.campaign = line->Get("campaign", "");
  options.judge = line->Get("judge", "");
  options.recycle = line->Get("recycle", "");
  options.features = line->Get("features", "");
  options.bury = line->Get("bury", "");
  options.alone = static_cast<int>(ParseInt(line->Get("alone", ""), -1));
  options.died = ParseInt(line->Get("died", ""), 0);
  if (line->Has("known-issues")) {
    auto known = ReadKnownIssues(line->Get("known-issues", ""));
    if (!known.ok()) return known.status();
    options.known_issues = *std::move(known);
  }
  options.recycle_mb = ParseInt(line->Get("recycle-mb", "5000"), options.recycle_mb);
  const auto policy = ParseResetPolicy(line->Get("r-policy", "sampled"));
  if (!policy)
    return absl::InvalidArgumentError("--r-policy takes demand, sampled, always or trajectories");
  options.judging.policy = *policy;
  const auto level = ParseLevel(line->Get("oracle", "full"));
  if (!level) return absl::InvalidArgumentError(absl::StrCat("--oracle takes ", LevelNames()));
  options.judging.level = *level;
  std::error_code error;
  if (!options.plant.empty() && !std::filesystem::is_regular_file(options.plant, error)) {
    return absl::InvalidArgumentError(absl::StrCat("--plant=", options.plant, ": no such file"));
  }
  if (!options.bury.empty() && options.campaign.empty())
    return absl::InvalidArgumentError("--bury needs --campaign=DIR");
  const bool files =
      !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::filesystem::is_regular_file(word, error);
      });
  if (files && HasFlag(arguments, "minimize_crash_internal_step")) options.minimising = words[0];
  options.reproducing = files && options.minimising.empty();
  options.runs = ParseInt(FlagValue(arguments, "runs").value_or(""), 0);
  options.max_seconds = ParseInt(FlagValue(arguments, "max_total_time").value_or(""), 0);
  options.timeout = ParseInt(FlagValue(arguments, "timeout").value_or(""), options.timeout);
  options.rss_limit_mb =
      ParseInt(FlagValue(arguments, "rss_limit_mb").value_or(""), options.rss_limit_mb);
  // A campaign looks past the documented shortcuts; a file that is explained, or made smaller while
  // it fails, meets the framework as it is shipped.
  const std::string shortcuts = line->Get("shortcuts", files ? "shipped" : "sound");
  if (shortcuts != "shipped" && shortcuts != "sound") {
    return absl::InvalidArgumentError("--shortcuts takes shipped or sound");
  }
  options.judging.sound = shortcuts == "sound";
  // Nor does anybody read its features, unless they are asked for.
  const std::string lines = line->Get("lines", files && options.features.empty() ? "no" : "yes");
  if (lines != "yes" && lines != "no") {
    return absl::InvalidArgumentError("--lines takes yes or no");
  }
  options.lines = lines == "yes";
  options.merging = HasFlag(arguments, "merge_inner");
  options.control_file = FlagValue(arguments, "merge_control_file").value_or("");
  options.forked = HasFlag(arguments, "stop_file") && HasFlag(arguments, "features_dir");
  // libFuzzer itself looks after its children.
  if (!options.merging && !options.forked) options.in_flight = line->Get("in-flight", "");
  return options;
}

std::vector<std::string> MissingLibFuzzerFlags(const std::vector<std::string>& arguments) {
  // The framework alone takes more than libFuzzer's 2 GiB, a first native compile takes a minute,
  // and an interpreter leaks by design.
  const TargetOptions limits;
  const std::vector<std::pair<std::string, std::string>> defaults{
      {"rss_limit_mb", absl::StrCat(limits.rss_limit_mb)},
      {"timeout", absl::StrCat(limits.timeout)},
      {"max_len", "4096"},
      {"detect_leaks", "0"}};
  std::vector<std::string> missing;
  for (const auto& [flag, value] : defaults) {
    if (!HasFlag(arguments, flag)) missing.push_back(absl::StrCat("-", flag, "=", value));
  }
  return missing;
}

}  // namespace reprise
