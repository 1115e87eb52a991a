// CPython 3.12 and later: LINE events of sys.monitoring, asked for by code object at its first
// start, each switched off at its first event. The callbacks are C functions: a Python function
// would run in frames of its own, which TorchDynamo sees.
#include "feedback/lines/line_engine.h"

#if PY_VERSION_HEX >= 0x030C0000

#include <opcode.h>

#include <unordered_map>

#include "feedback/lines/code_lines.h"

namespace reprise {
namespace {

// Of the six ids, 0 to 2 and 5 are spoken for by debuggers, coverage tools, profilers and
// optimisers.
constexpr int kTool = 3;

class MonitoringEngine : public LineEngine {
 public:
  explicit MonitoringEngine(SourceTable table) : LineEngine(std::move(table)) { current = this; }
  ~MonitoringEngine() override {
    if (monitoring_) {
      PyObject_CallMethod(monitoring_.get(), "free_tool_id", "i", kTool);
      PyErr_Clear();
    }
    if (current == this) current = nullptr;
  }

  bool Start() {
    static PyMethodDef on_start = {"reprise_start", AsFunction(OnStart), METH_FASTCALL, nullptr};
    static PyMethodDef on_line = {"reprise_line", AsFunction(OnLine), METH_FASTCALL, nullptr};
    monitoring_ = Ref::Borrow(PySys_GetObject("monitoring"));
    if (!monitoring_) return false;
    disable_ = Ref(PyObject_GetAttrString(monitoring_.get(), "DISABLE"));
    restart_ = Ref(PyObject_GetAttrString(monitoring_.get(), "restart_events"));
    local_ = Ref(PyObject_GetAttrString(monitoring_.get(), "set_local_events"));
    const Ref events(PyObject_GetAttrString(monitoring_.get(), "events"));
    if (!disable_ || !restart_ || !local_ || !events) return false;
    line_event_ = Ref(PyObject_GetAttrString(events.get(), "LINE"));
    const Ref start_event(PyObject_GetAttrString(events.get(), "PY_START"));
    const Ref start(PyCFunction_New(&on_start, nullptr)), line(PyCFunction_New(&on_line, nullptr));
    tool_ = Ref(PyLong_FromLong(kTool));
    return line_event_ && start_event && start && line && tool_ &&
           Call("use_tool_id", "Os", tool_.get(), "reprise") &&
           Call("register_callback", "OOO", tool_.get(), start_event.get(), start.get()) &&
           Call("register_callback", "OOO", tool_.get(), line_event_.get(), line.get()) &&
           Call("set_events", "OO", tool_.get(), start_event.get());
  }

  Ref Prepare(const std::string&, Ref code) override { return code; }
  bool RewritesImports() const override { return false; }

 private:
  using Fast = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);
  static PyCFunction AsFunction(Fast fast) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(fast));
  }

  template <typename... Arguments>
  bool Call(const char* method, const char* format, Arguments... arguments) {
    return static_cast<bool>(
        Ref(PyObject_CallMethod(monitoring_.get(), method, format, arguments...)));
  }

  static PyObject* OnStart(PyObject*, PyObject* const* arguments, Py_ssize_t) {
    if (current == nullptr) Py_RETURN_NONE;
    if (PyCode_Check(arguments[0])) current->Started(arguments[0]);
    return current->Disable();
  }

  static PyObject* OnLine(PyObject*, PyObject* const* arguments, Py_ssize_t) {
    if (current == nullptr) Py_RETURN_NONE;
    current->Executed(arguments[0], static_cast<int>(PyLong_AsLong(arguments[1])));
    return current->Disable();
  }

  PyObject* Disable() { return Ref(disable_).release(); }

  // The first start of a code object since the last Rearm().
  void Started(PyObject* object) {
    auto* code = reinterpret_cast<PyCodeObject*>(object);
    if (files_.count(object) != 0 || !IsFunction(code)) return;
    const char* path = PyUnicode_AsUTF8(code->co_filename);
    const SourceFile* file = path == nullptr ? nullptr : Table().Find(path);
    if (file == nullptr) return;
    Py_INCREF(object);  // for ever: the map knows it by its address
    files_[object] = file;
    PyObject* arguments[] = {tool_.get(), object, line_event_.get()};
    Ref done(PyObject_Vectorcall(local_.get(), arguments, 3, nullptr));
    PyErr_Clear();
  }

  void Executed(PyObject* code, int line) {
    const auto file = files_.find(code);
    const int64_t slot = file == files_.end() ? -1 : SourceTable::SlotOf(*file->second, line);
    if (slot >= 0) Note(static_cast<uint32_t>(slot));
  }

  void Rearm() override {
    Ref done(PyObject_CallNoArgs(restart_.get()));
    PyErr_Clear();
  }

  static MonitoringEngine* current;
  Ref monitoring_, disable_, restart_, local_, line_event_, tool_;
  std::unordered_map<PyObject*, const SourceFile*> files_;
};

MonitoringEngine* MonitoringEngine::current = nullptr;

}  // namespace

std::unique_ptr<LineEngine> MakeLineEngine(SourceTable table, std::string* why_not) {
  auto engine = std::make_unique<MonitoringEngine>(std::move(table));
  if (engine->Start()) return engine;
  PyErr_Clear();
  *why_not = "sys.monitoring refuses: another tool may use it";
  return nullptr;
}

// What stands before the first RESUME, and that itself, raises no LINE event.
std::vector<int> TellableLines(PyCodeObject* code) {
  std::vector<int> lines;
  const Ref bytes(PyCode_GetCode(code));
  const std::vector<Location> locations = DecodeLocations(code);
  bool begun = false;
  for (size_t unit = 0; unit < locations.size(); ++unit) {
    const auto opcode = static_cast<uint8_t>(PyBytes_AS_STRING(bytes.get())[2 * unit]);
    if (begun && locations[unit].line >= 0 &&
        (lines.empty() || lines.back() != locations[unit].line))
      lines.push_back(locations[unit].line);
    begun = begun || opcode == RESUME;
  }
  return lines;
}

}  // namespace reprise

#endif  // PY_VERSION_HEX
