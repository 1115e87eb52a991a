// Whether a line engine tells the truth on this very interpreter.
#ifndef REPRISE_FEEDBACK_LINES_SELF_CHECK_H_
#define REPRISE_FEEDBACK_LINES_SELF_CHECK_H_

#include <string>

namespace reprise {

// Runs a canned program under an engine of its own, a hundred times with re-arming (code is
// specialised after a few runs), and compares every set with what sys.settrace says. False with the
// reason if one differs: lines must then not be used, for wrong features are worse than none.
bool CheckLineEngine(std::string* why_not);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_SELF_CHECK_H_
