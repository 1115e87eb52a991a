// Lets the interpreter import files as a line engine prepared them.
#ifndef REPRISE_FEEDBACK_LINES_IMPORT_HOOK_H_
#define REPRISE_FEEDBACK_LINES_IMPORT_HOOK_H_

#include "feedback/lines/line_engine.h"

namespace reprise {

// From here on SourceFileLoader.get_code, which is also the way of .pyc files, hands out the
// engine's code objects. The code of a module is replaced before anything of it runs, so that
// whatever registers a code object by its identity registers the one that is executed. The engine
// must outlive the interpreter.
bool HookImports(LineEngine* engine, std::string* why_not);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_IMPORT_HOOK_H_
