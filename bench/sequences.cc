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

namespace reprise {
void Fail(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  _exit(kExitUsage);
}

BenchSetup ReadSetup(const std::string& program, const std::vector<std::string>& arguments,
                     std::vector<std::string> more_flags) {
  for (const char* flag : {"framework", "backend", "steps", "seed"}) more_flags.emplace_back(flag);
  const auto line = ParseCommandLine(arguments, more_flags);
  if (!line.ok()) Fail(absl::StrCat(program, ": ", line.status().message()));
  if (line->words.size() != 1)
    Fail(absl::StrCat("usage: ", program, " FOLDER --framework=NAME --backend=NAME ..."));
  BenchSetup setup{*line, line->Get("framework", "pytorch"), line->words[0]};
  setup.framework = FindFramework(setup.framework_name);
  if (setup.framework == nullptr) Fail("unknown framework " + setup.framework_name);
  setup.capabilities = setup.framework->capabilities();
  setup.capabilities.backends = {line->Get("backend", setup.capabilities.backends[0])};
  setup.steps = static_cast<size_t>(ParseInt(line->Get("steps", "6"), 6));
  setup.seed = static_cast<uint64_t>(ParseInt(line->Get("seed", "1"), 1));
  return setup;
}

std::vector<std::string> CaseFiles(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".reprise") files.push_back(entry.path());
  }
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
  if (random() % 2 == 0) {
    TestCase next = model;
    if (EditCompile(can, random, &next)) {
      Resolve(&next);
      Repair(can, &next);
      model = std::move(next);
    }
  }
  return RandomSequence(can, model, steps, random);
}

}  // namespace reprise
