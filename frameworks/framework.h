// The only interface that the rest of Reprise sees of a framework: what it can do, how a case is
// written as its program, and which Python module runs such programs (frameworks/host.py says what
// that module offers).
#ifndef REPRISE_FRAMEWORKS_FRAMEWORK_H_
#define REPRISE_FRAMEWORKS_FRAMEWORK_H_

#include <string>
#include <vector>

#include "frameworks/compiler_sources.h"
#include "frameworks/known_differences.h"
#include "frameworks/program.h"
#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

class Framework {
 public:
  virtual ~Framework() = default;

  virtual const Capabilities& capabilities() const = 0;

  // The files whose executed lines guide the search.
  virtual CompilerSources compiler_sources() const = 0;

  // What its compiler may do differently. None unless it says so.
  virtual const KnownDifferences& known_differences() const;

  // Program of a legal case (Repair with these capabilities).
  virtual Program Emit(const TestCase& test, Numbers numbers) const = 0;
  Program Emit(const TestCase& test) const { return Emit(test, Numbers::kDrawn); }

  // False where the model looks at element types, so that widening changes what it does.
  bool HasFloat64Reference(const TestCase& test) const;
};

// Frameworks are registered by name; nothing above frameworks/ names one.
const Framework* FindFramework(const std::string& name);
std::vector<std::string> FrameworkNames();

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_FRAMEWORK_H_
