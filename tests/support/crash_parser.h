// What a crash aggregator makes of the log of a process that died: a small reader of the rules that
// ClusterFuzz documents by its code, as far as our reports touch them.
//
// * A line of a Python traceback anywhere (`.py", line`) makes it a Python log. Then only what
//   follows the title " === Uncaught Python exception: ===" counts, up to a line of "=" or the
//   start of a sanitizer's report; the type is "Uncaught exception", and the state are the last
//   three frames, innermost first. A Python log without the title is not understood at all.
// * Otherwise a sanitizer's report counts: the type by the words of its first line, the state by
//   the first three frames of its stack that are not on the list of what is everywhere.
// * Numbers in frames are rewritten, and what follows "(", "[" or a blank is cut.
// * Two states are one bug if they are equal, or have two lines in common; with "FuzzerHash=" in
//   one of them only if they are equal.
#ifndef REPRISE_TESTS_SUPPORT_CRASH_PARSER_H_
#define REPRISE_TESTS_SUPPORT_CRASH_PARSER_H_

#include <string>
#include <vector>

namespace reprise {

struct Crash {
  std::string type;                // "" if the log was not understood
  std::vector<std::string> state;  // at most three lines
};

Crash ParseCrash(const std::string& log);

bool IsOneBug(const Crash& a, const Crash& b);

// The token by which libFuzzer's -minimize_crash tells crashes apart: the first one.
std::string DedupToken(const std::string& log);

}  // namespace reprise

#endif  // REPRISE_TESTS_SUPPORT_CRASH_PARSER_H_
