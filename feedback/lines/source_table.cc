#include "feedback/lines/source_table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "feedback/lines/code_lines.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;

std::string ErrorText() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const Ref owned_type(type), owned_value(value), owned_trace(trace);
  const Ref text(value == nullptr ? nullptr : PyObject_Str(value));
  const char* utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  return utf8 == nullptr ? "a Python error" : utf8;
}

// Folder of a top-level package, without importing it; "" if there is none.
std::string FolderOf(const std::string& package) {
  const Ref util(PyImport_ImportModule("importlib.util"));
  const Ref spec(util ? PyObject_CallMethod(util.get(), "find_spec", "s", package.c_str())
                      : nullptr);
  const Ref origin(spec && spec.get() != Py_None ? PyObject_GetAttrString(spec.get(), "origin")
                                                 : nullptr);
  const char* path =
      origin && PyUnicode_Check(origin.get()) ? PyUnicode_AsUTF8(origin.get()) : nullptr;
  PyErr_Clear();
  return path == nullptr ? "" : fs::path(path).parent_path().string();
}

bool Below(const std::string& name, const std::vector<std::string>& places) {
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    return name == place || name.compare(0, place.size() + 1, place + "/") == 0;
  });
}

std::vector<std::string> FileNames(const std::string& root, const CompilerSources& sources) {
  std::vector<std::string> names;
  std::error_code error;
  for (const std::string& place : sources.included) {
    const fs::path path = fs::path(root) / place;
    if (fs::is_regular_file(path, error)) names.push_back(place);
    fs::recursive_directory_iterator files(path, error), end;
    for (; files != end; files.increment(error)) {
      if (files->path().extension() != ".py") continue;
      names.push_back(files->path().lexically_relative(root).string());
    }
  }
  names.erase(
      std::remove_if(names.begin(), names.end(),
                     [&](const std::string& name) { return Below(name, sources.excluded); }),
      names.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// The module's code as importing it would read it: from its .pyc if that is valid.
Ref ReadCode(const std::string& path) {
  const Ref machinery(PyImport_ImportModule("importlib.machinery"));
  const Ref loader(
      machinery ? PyObject_CallMethod(machinery.get(), "SourceFileLoader", "ss", "_", path.c_str())
                : nullptr);
  return Ref(loader ? PyObject_CallMethod(loader.get(), "get_code", "s", "_") : nullptr);
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Functions that remember what they returned run once for each argument in the life of a process:
// whether an input executes their lines depends on the inputs before it. A decorated function
// begins at its first decorator.
bool Remembers(PyCodeObject* code, const std::vector<std::string>& source) {
  static const auto* decorator =
      new std::regex(R"(\s*@(functools\.)?(lru_cache|cache|clear_on_fresh_cache)\b.*)");
  for (auto i = static_cast<size_t>(code->co_firstlineno - 1); i < source.size(); ++i) {
    const size_t start = source[i].find_first_not_of(' ');
    if (start == std::string::npos || source[i][start] != '@') return false;
    if (std::regex_match(source[i], *decorator)) return true;
  }
  return false;
}

void AddLines(PyCodeObject* code, const std::vector<std::string>& source, std::vector<int>* lines) {
  if (IsFunction(code)) {
    if (Remembers(code, source)) return;
    const std::vector<int> more = TellableLines(code);
    lines->insert(lines->end(), more.begin(), more.end());
  }
  ForEachNested(code, [&](PyCodeObject* nested) { AddLines(nested, source, lines); });
}

std::vector<int> LinesOf(PyCodeObject* module, const std::string& path) {
  std::vector<int> lines;
  AddLines(module, ReadLines(path), &lines);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace

bool SourceTable::Build(const CompilerSources& sources, std::string* why_not) {
  const std::string root = FolderOf(sources.package);
  for (const std::string& name :
       root.empty() ? std::vector<std::string>{} : FileNames(root, sources)) {
    const std::string path = (fs::path(root) / name).string();
    Ref code = ReadCode(path);
    if (!code || !PyCode_Check(code.get())) {
      *why_not = name + " cannot be read: " + ErrorText();
      return false;
    }
    Add(path, name, std::move(code));
  }
  if (files_.empty()) *why_not = "no source file of " + sources.package + " is found";
  return !files_.empty();
}

void SourceTable::Add(const std::string& path, const std::string& name, Ref module) {
  SourceFile file{path, name, size_, LinesOf(reinterpret_cast<PyCodeObject*>(module.get()), path)};
  size_ += static_cast<uint32_t>(file.lines.size());
  by_path_[path] = files_.size();
  code_[path] = std::move(module);
  files_.push_back(std::move(file));
}

const SourceFile* SourceTable::Find(const std::string& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : &files_[found->second];
}

int64_t SourceTable::SlotOf(const SourceFile& file, int line) {
  const auto found = std::lower_bound(file.lines.begin(), file.lines.end(), line);
  if (found == file.lines.end() || *found != line) return -1;
  return file.base + (found - file.lines.begin());
}

const SourceFile& SourceTable::FileOf(uint32_t slot) const {
  const auto after =
      std::upper_bound(files_.begin(), files_.end(), slot,
                       [](uint32_t s, const SourceFile& file) { return s < file.base; });
  return *(after - 1);
}

int SourceTable::LineOf(uint32_t slot) const {
  const SourceFile& file = FileOf(slot);
  return file.lines[slot - file.base];
}

Ref SourceTable::TakeCode(const std::string& path) {
  const auto found = code_.find(path);
  if (found == code_.end()) return Ref();
  Ref code = std::move(found->second);
  code_.erase(found);
  return code;
}

}  // namespace reprise
