#include "tests/support/corpora.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "tests/support/process.h"

namespace reprise {

std::map<std::string, std::string> Contents(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files[entry.path().filename()] = ReadFile(entry.path());
  return files;
}

void WriteCorpus(const std::string& folder, const std::vector<std::string>& texts) {
  std::filesystem::create_directories(folder);
  for (size_t i = 0; i < texts.size(); ++i)
    WriteFile(absl::StrCat(folder, "/", i, ".reprise"), texts[i]);
}

std::set<std::string> FeaturesOf(const std::string& framework, const std::string& folder,
                                 const std::string& flags) {
  const TemporaryFolder scratch;
  const std::string dump = scratch.path() + "/features";
  std::filesystem::create_directory(scratch.path() + "/out");
  // As a merge, because that runs each file once, writes nothing into its folder, and goes past
  // alarms.
  const Finished run =
      Shell(absl::StrCat("cd '", folder, "' && $BIN/fuzz_", framework, " --features=", dump, " ",
                         flags, " -merge=1 ", scratch.path(), "/out ."));
  EXPECT_EQ(run.code, 0) << run.output;
  std::set<std::string> features;
  std::istringstream words(ReadFile(dump));
  for (std::string word; words >> word;) features.insert(word);
  return features;
}

}  // namespace reprise
