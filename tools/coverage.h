// reprise_cli coverage FOLDER|FILE... [--lcov=FILE] [--sets=FILE] [--order=N] [--missing]
//
// Which lines of the compiler the cases of a corpus execute, by package and file, and how many of
// the behaviour keys they reach, by family; for genhtml, and for scripts.
#ifndef REPRISE_TOOLS_COVERAGE_H_
#define REPRISE_TOOLS_COVERAGE_H_

#include "frameworks/framework.h"
#include "tools/flags.h"

namespace reprise {

// The words after the command are the corpus. --lcov writes an lcov trace, --sets a line of JSON
// per case with the lines that it executes, --order runs the cases in a shuffled order, --missing
// names the keys that no case reached. Returns an exit code; ends the process with a message where
// it cannot go on.
int PrintCoverage(const CommandLine& line, const Framework& framework);

// What the framework declares to be its compiler, as JSON: [package, included, excluded].
int PrintSources(const Framework& framework);

}  // namespace reprise

#endif  // REPRISE_TOOLS_COVERAGE_H_
