// Which source files count, and which slots their lines have.
//
// Slots depend on nothing but the installed files and the minor version of Python: files in the
// order of their path relative to the root, within a file the rank of the line among the lines of
// its functions. Corpora that were made with the same wheels on different machines therefore agree.
#ifndef REPRISE_FEEDBACK_LINES_SOURCE_TABLE_H_
#define REPRISE_FEEDBACK_LINES_SOURCE_TABLE_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "feedback/lines/py_ref.h"
#include "frameworks/compiler_sources.h"

namespace reprise {

struct SourceFile {
  std::string path;        // as in co_filename
  std::string name;        // relative to the root, for people: "_dynamo/guards.py"
  uint32_t base = 0;       // slot of its first line
  std::vector<int> lines;  // ascending; slot = base + position
};

class SourceTable {
 public:
  // Finds and reads the files. False with the reason if there is none, or one cannot be read.
  bool Build(const CompilerSources& sources, std::string* why_not);

  // Adds one file by the code object of its module.
  void Add(const std::string& path, const std::string& name, Ref module);

  // The file with this co_filename, or null.
  const SourceFile* Find(const std::string& path) const;

  // Slot of a line, or -1.
  static int64_t SlotOf(const SourceFile& file, int line);

  // The file that a slot belongs to, which must be below size().
  const SourceFile& FileOf(uint32_t slot) const;
  int LineOf(uint32_t slot) const;

  const std::vector<SourceFile>& files() const { return files_; }
  uint32_t size() const { return size_; }

  // The code object of a file's module as Build() read it, once: importing it again would read it
  // again.
  Ref TakeCode(const std::string& path);
  // Forgets the code objects that nobody took.
  void DropCode() { code_.clear(); }

 private:
  std::vector<SourceFile> files_;
  std::unordered_map<std::string, size_t> by_path_;
  std::unordered_map<std::string, Ref> code_;
  uint32_t size_ = 0;
};

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_SOURCE_TABLE_H_
