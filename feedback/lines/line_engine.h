// Exact sets of executed source lines of the compiler under test, one set per input, at nearly the
// cost of none.
//
// A line has a slot: base of its file plus rank of the line among the lines of the file's functions
// (source_table.h). There is one implementation per kind of interpreter: CPython 3.11 runs code
// objects that were rewritten at import (probe_engine.cc), 3.12 and later have sys.monitoring
// (monitoring_engine.cc). Both report a line once per input and cost nothing for its further
// executions. Only functions count: bodies of modules and classes run once, at import.
#ifndef REPRISE_FEEDBACK_LINES_LINE_ENGINE_H_
#define REPRISE_FEEDBACK_LINES_LINE_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "feedback/lines/source_table.h"

namespace reprise {

class LineEngine {
 public:
  virtual ~LineEngine() = default;

  // A new input: its set is empty. What runs is not counted before Count(true).
  void BeginInput();

  // Whether what runs from here on belongs to the input's set.
  void Count(bool on);

  // Slots of the input so far, in the order of their first execution, each once.
  const std::vector<uint32_t>& Hits() const { return hits_; }

  const SourceTable& Table() const { return table_; }

  // The code object to run as the module of this path, given the one that was read. For files that
  // are not in the table it is the same.
  virtual Ref Prepare(const std::string& path, Ref code) = 0;

  // Whether the interpreter's imports have to go through Prepare().
  virtual bool RewritesImports() const = 0;

  SourceTable* MutableTable() { return &table_; }

 protected:
  explicit LineEngine(SourceTable table);

  // A line was executed for the first time since the last Rearm(): true if it was counted.
  bool Note(uint32_t slot);

  // Lines that have reported themselves do so again.
  virtual void Rearm() = 0;

 private:
  SourceTable table_;
  std::vector<bool> seen_;
  std::vector<uint32_t> hits_;
  bool counting_ = false;
};

// The engine of this interpreter; one at a time. Null with the reason if it cannot be had.
std::unique_ptr<LineEngine> MakeLineEngine(SourceTable table, std::string* why_not);

// Counts the lines of `sources`. Call after Python has started and before any of these files is
// imported. Null, with the reason, where lines could not be told exactly: the self-check
// (self_check.h) is part of the start. One engine per process; it lives as long as the process.
LineEngine* StartLineEngine(const CompilerSources& sources, std::string* why_not);

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_LINE_ENGINE_H_
