// Writes the random legal sequences that benches and soaks judge, as files, for programs that read
// a corpus.
//
//   write_sequences FOLDER --into=FOLDER --framework=NAME --backend=NAME [--sequences=10]
//   [--steps=6] [--seed=1]
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "bench/sequences.h"
#include "grammar/printer.h"

namespace reprise {
namespace {

int Main(const std::vector<std::string>& arguments) {
  const BenchSetup setup = ReadSetup("write_sequences", arguments, {"into", "sequences"});
  const std::filesystem::path into = setup.line.Get("into", "");
  const auto sequences = ParseInt(setup.line.Get("sequences", "10"), 10);
  std::error_code error;
  if (into.empty() || (std::filesystem::create_directories(into, error), error))
    Fail("write_sequences: --into=FOLDER is needed, and must be writable");
  for (const std::string& file : CaseFiles(setup.folder)) {
    const std::string name = std::filesystem::path(file).stem();
    for (int64_t i = 0; i < sequences; ++i) {
      std::ofstream out(into / absl::StrCat(name, "_", i, ".reprise"));
      out << Print(SequenceOn(setup.capabilities, file, setup.steps, setup.seed, i));
    }
  }
  return 0;
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  return reprise::Main(std::vector<std::string>(argv + 1, argv + argc));
}
