// Finds the Python side of a binary from the place of the binary itself, so that a copied build
// tree keeps working.
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "frameworks/runtime.h"

namespace reprise {

absl::StatusOr<RuntimeOptions> LocateRuntime(const std::string& framework) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  RuntimeOptions options;
  options.framework = framework;
  options.directory = folder / "runtime";
  if (!fs::exists(folder / "runtime" / framework / "runtime.py", ignored)) {
    return absl::NotFoundError(absl::StrCat("the folder runtime/", framework,
                                            " beside this binary is missing: run ./reprise again"));
  }
  if (const char* python = std::getenv("REPRISE_VENV_PYTHON")) {
    options.python = python;
    return options;
  }
  for (const fs::path& root : {folder, folder.parent_path()}) {
    const fs::path python = root / "venv" / framework / "bin" / "python";
    if (fs::exists(python, ignored)) {
      options.python = python;
      return options;
    }
  }
  return absl::NotFoundError(absl::StrCat("the virtual environment of ", framework,
                                          " is missing: ./reprise fuzz ", framework, " makes it"));
}

}  // namespace reprise
