// What a framework declares to be the source of its compiler, for line coverage.
#ifndef REPRISE_FRAMEWORKS_COMPILER_SOURCES_H_
#define REPRISE_FRAMEWORKS_COMPILER_SOURCES_H_

#include <string>
#include <vector>

namespace reprise {

struct CompilerSources {
  std::string package;  // importable top-level package whose folder is the root: "torch"
  std::vector<std::string> included;  // files and folders below the root: "_dynamo", "_guards.py"
  std::vector<std::string> excluded;  // of those, what is never executed as it stands
};

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_COMPILER_SOURCES_H_
