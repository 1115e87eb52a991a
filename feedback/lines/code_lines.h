// The lines of code objects.
#ifndef REPRISE_FEEDBACK_LINES_CODE_LINES_H_
#define REPRISE_FEEDBACK_LINES_CODE_LINES_H_

#include <functional>
#include <string>
#include <vector>

#include "feedback/lines/py_ref.h"

namespace reprise {

// Position of a piece of bytecode in its source, as in CPython's Objects/locations.md; -1 for what
// is not known.
struct Location {
  int line = -1, end_line = -1, column = -1, end_column = -1;
  bool operator==(const Location&) const = default;
};

// One per code unit (two bytes) of the code object, inline caches included.
std::vector<Location> DecodeLocations(PyCodeObject* code);

// Appends the entries for `units` units at a location. `line` is the running line of the table:
// start with co_firstlineno.
void EncodeLocation(const Location& location, int units, int* line, std::string* table);

// Bodies of modules and classes are not functions.
bool IsFunction(PyCodeObject* code);

// Lines of a function that the engine of this interpreter can tell; any order, with repetitions.
std::vector<int> TellableLines(PyCodeObject* code);

// Visits the code objects among the constants of a code object, in their order.
void ForEachNested(PyCodeObject* code, const std::function<void(PyCodeObject*)>& visit);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_CODE_LINES_H_
