#include "bench/sequences.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "grammar/parser.h"
#include "grammar/repair.h"
#include "grammar/resolve.h"
#include "mutators/model_edits.h"
#include "tools/flags.h"

namespace reprise {
namespace {

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  _exit(kExitUsage);
}

}  // namespace

std::vector<std::string> CaseFiles(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    files.push_back(entry.path());
  if (error) Fail(absl::StrCat(folder, ": ", error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

TestCase SequenceOn(const Capabilities& can, const std::string& file, size_t steps, uint64_t seed,
                    int64_t k) {
  const auto text = ReadCaseFile(file);
  if (!text.ok()) Fail(std::string(text.status().message()));
  TestCase model = Parse(*text);
  Repair(can, &model);
  const std::string name = std::filesystem::path(file).filename();
  Random random(StableHash(absl::StrCat(name, " ", seed, " ", k)));
  // Two slots, of whatever home and type, so that there is something to act on.
  for (int i = 0; i < 2; ++i) {
    TestCase next = model;
    if (!AddSlot(can, random, &next)) continue;
    Resolve(&next);
    Repair(can, &next);
    model = std::move(next);
  }
  return RandomSequence(can, model, steps, random);
}

}  // namespace reprise
