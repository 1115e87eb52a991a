#include "feedback/lines/self_check.h"

#include <algorithm>

#include "feedback/lines/line_engine.h"

namespace reprise {
namespace {

constexpr char kPath[] = "<reprise self-check>";
constexpr int kRuns = 100;

// One construct of each kind that makes the compiler of Python lay out code out of order.
constexpr char kProgram[] = R"(
def numbers(n):
    for i in range(n):
        if i % 3 == 2:
            continue
        yield i

class Guard:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return error[0] is KeyError

def choose(value):
    match value:
        case {"a": x}:
            return x
        case [x, *_]:
            return x
        case _:
            return None

def run(n):
    total = 0
    for i in numbers(n % 7):
        total += (
            i
            if i % 2
            else -i
        )
    while total > 3:
        total -= 2
        if total == 4:
            break
    else:
        total += 1
    with Guard():
        if n % 2:
            raise KeyError(n)
        total += sum(
            j for j in range(3)
        )
    try:
        if n % 3 == 0:
            raise ValueError(n)
    except ValueError as error:
        total += len(
            error.args
        )
    finally:
        total += 1
    return choose([{"a": 1}, [2], 3][n % 3])
)";

constexpr char kTracer[] = R"(
def trace(run, argument, path):
    import sys

    lines = set()

    def local(frame, event, _):
        if event == "line":
            lines.add(frame.f_lineno)
        return local

    def called(frame, event, _):
        return local if frame.f_code.co_filename == path else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        run(argument)
    finally:
        sys.settrace(before)
    return sorted(lines)
)";

Ref Run(PyObject* code, const char* name) {
  const Ref names(PyDict_New());
  if (!names) return Ref();
  PyDict_SetItemString(names.get(), "__builtins__", PyEval_GetBuiltins());
  PyDict_SetItemString(names.get(), "__name__", Ref(PyUnicode_FromString("check")).get());
  const Ref done(PyEval_EvalCode(code, names.get(), names.get()));
  return done ? Ref::Borrow(PyDict_GetItemString(names.get(), name)) : Ref();
}

bool Lines(const Ref& list, std::vector<int>* lines) {
  for (Py_ssize_t i = 0; list && i < PyList_Size(list.get()); ++i)
    lines->push_back(static_cast<int>(PyLong_AsLong(PyList_GetItem(list.get(), i))));
  return static_cast<bool>(list);
}

// The number of the first run whose lines differ, -1 if none does, or -2 after a Python error.
int FirstWrong(LineEngine* engine, const Ref& plain, const Ref& observed, const Ref& tracer) {
  const SourceTable& table = engine->Table();
  for (int n = 0; n < kRuns; ++n) {
    std::vector<int> expected, got;
    if (!Lines(Ref(PyObject_CallFunction(tracer.get(), "Ois", plain.get(), n, kPath)), &expected))
      return -2;
    engine->BeginInput();
    engine->Count(true);
    const Ref done(PyObject_CallFunction(observed.get(), "i", n));
    engine->Count(false);
    if (!done) return -2;
    for (const uint32_t slot : engine->Hits()) got.push_back(table.LineOf(slot));
    std::sort(got.begin(), got.end());
    if (got != expected) return n;
  }
  return -1;
}

}  // namespace

bool CheckLineEngine(std::string* why_not) {
  const Ref plain_code(Py_CompileString(kProgram, kPath, Py_file_input));
  Ref code(Py_CompileString(kProgram, kPath, Py_file_input));
  const Ref tracer_code(Py_CompileString(kTracer, "<reprise tracer>", Py_file_input));
  SourceTable table;
  int wrong = -2;
  if (plain_code && code && tracer_code) {
    table.Add(kPath, kPath, code);
    const std::unique_ptr<LineEngine> engine = MakeLineEngine(std::move(table), why_not);
    if (engine == nullptr) return false;
    const Ref prepared = engine->Prepare(kPath, code);
    const Ref plain = Run(plain_code.get(), "run");
    const Ref observed = prepared ? Run(prepared.get(), "run") : Ref();
    const Ref tracer = Run(tracer_code.get(), "trace");
    if (plain && observed && tracer) wrong = FirstWrong(engine.get(), plain, observed, tracer);
  }
  if (wrong == -1) return true;
  PyErr_Clear();
  *why_not = wrong < 0 ? "the self-check could not run"
                       : "the self-check saw wrong lines in run " + std::to_string(wrong);
  return false;
}

}  // namespace reprise
