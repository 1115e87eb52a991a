#include "tools/coverage.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "feedback/keys.h"
#include "grammar/parser.h"
#include "grammar/repair.h"
#include "nlohmann/json.hpp"
#include "observe/observer.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(int code, const std::string& message) {
  std::fprintf(stderr, "reprise: %s\n", message.c_str());
  std::fflush(nullptr);
  _exit(code);
}

std::vector<std::string> CaseFiles(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (size_t i = 1; i < words.size(); ++i) {
    std::error_code error;
    if (!fs::is_directory(words[i], error)) {
      files.push_back(words[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(words[i], error))
      if (entry.is_regular_file(error)) files.push_back(entry.path());
    if (error) Fail(kExitUsage, absl::StrCat(words[i], ": ", error.message()));
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    Fail(kExitUsage, "usage: reprise_cli coverage FOLDER|FILE...: no case is there");
  return files;
}

std::ofstream OpenOutput(const CommandLine& line, const char* flag) {
  std::ofstream out;
  if (!line.Has(flag)) return out;
  out.open(line.Get(flag, ""));
  if (!out)
    Fail(kExitUsage, absl::StrCat("--", flag, "=", line.Get(flag, ""), ": cannot be written"));
  return out;
}

// How many cases executed each line, by slot.
using Counts = std::vector<uint32_t>;

void WriteSet(const std::string& file, const LineFeedback& lines, std::ofstream* out) {
  std::map<std::string, std::vector<int>> set;
  std::vector<uint32_t> slots = lines.Hits();
  std::sort(slots.begin(), slots.end());
  for (const uint32_t slot : slots)
    set[lines.table()->FileOf(slot).name].push_back(lines.table()->LineOf(slot));
  *out << nlohmann::json{{"case", fs::path(file).filename().string()}, {"lines", set}}.dump()
       << "\n";
}

void WriteLcov(const SourceTable& table, const Counts& counts, std::ofstream* out) {
  for (const SourceFile& file : table.files()) {
    *out << "TN:\nSF:" << file.path << "\n";
    size_t hit = 0;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const uint32_t count = counts[file.base + i];
      hit += count > 0 ? 1 : 0;
      *out << "DA:" << file.lines[i] << "," << count << "\n";
    }
    *out << "LF:" << file.lines.size() << "\nLH:" << hit << "\nend_of_record\n";
  }
}

struct Ratio {
  size_t covered = 0, all = 0;
};

void PrintRatio(const std::string& name, const Ratio& ratio) {
  const double percent = ratio.all == 0 ? 0 : 100.0 * ratio.covered / ratio.all;
  absl::PrintF("%7d of %7d  %5.1f %%  %s\n", ratio.covered, ratio.all, percent, name);
}

// Files that were reached, under their packages; then the total.
void PrintTable(const SourceTable& table, const Counts& counts) {
  std::map<std::string, Ratio> packages;
  std::map<std::string, std::vector<std::pair<std::string, Ratio>>> files;
  Ratio total;
  for (const SourceFile& file : table.files()) {
    Ratio ratio{0, file.lines.size()};
    for (size_t i = 0; i < file.lines.size(); ++i)
      ratio.covered += counts[file.base + i] > 0 ? 1 : 0;
    const std::string package = file.name.substr(0, file.name.find('/'));
    packages[package].covered += ratio.covered;
    packages[package].all += ratio.all;
    total.covered += ratio.covered;
    total.all += ratio.all;
    if (ratio.covered > 0) files[package].emplace_back("    " + file.name, ratio);
  }
  for (const auto& [package, ratio] : packages) {
    PrintRatio(package, ratio);
    for (const auto& [name, of_file] : files[package]) PrintRatio(name, of_file);
  }
  PrintRatio("all lines", total);
}

// Keys that were reached, of those that can be.
void PrintFamilies(const std::set<Key>& reached, bool missing) {
  for (size_t i = 0; i < Families().size(); ++i) {
    const Family& family = *Families()[i];
    Ratio ratio;
    std::vector<std::string> names;
    for (size_t cell = 0; cell < family.cells(); ++cell) {
      if (family.Excluded(cell) != nullptr) continue;
      const bool there = reached.contains({i, cell});
      ratio.covered += there ? 1 : 0;
      ++ratio.all;
      if (!there) names.push_back(family.NameOf(cell));
    }
    PrintRatio("keys, " + family.name, ratio);
    if (!missing) continue;
    for (const std::string& name : names) absl::PrintF("    never  %s\n", name);
  }
}

}  // namespace

int PrintCoverage(const CommandLine& line, const Framework& framework) {
  std::vector<std::string> files = CaseFiles(line.words);
  const auto order = ParseInt(line.Get("order", "0"), 0);
  if (order != 0) {
    std::mt19937_64 random(static_cast<uint64_t>(order));
    for (size_t i = files.size() - 1; i > 0; --i) std::swap(files[i], files[random() % (i + 1)]);
  }
  std::ofstream lcov = OpenOutput(line, "lcov"), sets = OpenOutput(line, "sets");
  Capabilities capabilities = framework.capabilities();
  if (line.Has("backend")) capabilities.backends = {line.Get("backend", "")};
  auto observer = Observer::Start(framework, capabilities, {line.Get("plant", "")});
  if (!observer.ok()) Fail(CodeOf(observer.status()), std::string(observer.status().message()));
  const LineFeedback& lines = (*observer)->lines();
  if (!lines.running()) Fail(kExitMissing, (*observer)->Banner());

  Counts counts(lines.table()->size(), 0);
  std::set<Key> reached;
  for (const std::string& file : files) {
    const auto text = ReadCaseFile(file);
    if (!text.ok()) Fail(kExitUsage, std::string(text.status().message()));
    TestCase test = Parse(*text);
    Repair(capabilities, &test);
    const Judgement judgement =
        (*observer)->Judge(test, {.policy = ResetPolicy::kDemand, .sound = true}, true);
    for (const Key& key : KeysOf(test, Signals(judgement))) reached.insert(key);
    for (const uint32_t slot : lines.Hits()) ++counts[slot];
    if (sets.is_open()) WriteSet(file, lines, &sets);
  }
  absl::PrintF("%s\n%d cases\n\n", (*observer)->Banner(), files.size());
  PrintTable(*lines.table(), counts);
  std::printf("\n");
  PrintFamilies(reached, line.Has("missing"));
  if (lcov.is_open()) WriteLcov(*lines.table(), counts, &lcov);
  return kExitPass;
}

int PrintSources(const Framework& framework) {
  const CompilerSources sources = framework.compiler_sources();
  const nlohmann::json json{sources.package, sources.included, sources.excluded};
  std::printf("%s\n", json.dump().c_str());
  return kExitPass;
}

}  // namespace reprise
