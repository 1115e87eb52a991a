// The line engine as an extension module, for tests under plain interpreters of any version:
//
//   start(package, included, excluded) -> number of slots; RuntimeError with the reason if it
//   cannot begin(), count(on), hits() -> [(file, line)] reassemble(code) -> the code object taken
//   apart and put together again (3.11)
#include "feedback/lines/line_engine.h"
#if PY_VERSION_HEX < 0x030C0000
#include "feedback/lines/probe.h"
#endif

namespace reprise {
namespace {

LineEngine* engine = nullptr;

std::vector<std::string> Strings(PyObject* list) {
  std::vector<std::string> strings;
  for (Py_ssize_t i = 0; i < PySequence_Size(list); ++i) {
    const Ref item(PySequence_GetItem(list, i));
    const char* text = item ? PyUnicode_AsUTF8(item.get()) : nullptr;
    if (text != nullptr) strings.emplace_back(text);
  }
  return strings;
}

PyObject* StartEngine(PyObject*, PyObject* arguments) {
  const char* package = nullptr;
  PyObject *included = nullptr, *excluded = nullptr;
  if (!PyArg_ParseTuple(arguments, "sOO", &package, &included, &excluded)) return nullptr;
  std::string why_not;
  engine = StartLineEngine({package, Strings(included), Strings(excluded)}, &why_not);
  if (engine == nullptr) return PyErr_Format(PyExc_RuntimeError, "%s", why_not.c_str());
  return PyLong_FromUnsignedLong(engine->Table().size());
}

PyObject* Begin(PyObject*, PyObject*) {
  engine->BeginInput();
  Py_RETURN_NONE;
}

PyObject* Count(PyObject*, PyObject* on) {
  engine->Count(PyObject_IsTrue(on) == 1);
  Py_RETURN_NONE;
}

PyObject* Hits(PyObject*, PyObject*) {
  Ref list(PyList_New(0));
  for (const uint32_t slot : engine->Hits()) {
    const Ref item(Py_BuildValue("(si)", engine->Table().FileOf(slot).name.c_str(),
                                 engine->Table().LineOf(slot)));
    PyList_Append(list.get(), item.get());
  }
  return list.release();
}

#if PY_VERSION_HEX < 0x030C0000
PyObject* ReassembleCode(PyObject*, PyObject* code) {
  if (!PyCode_Check(code)) return PyErr_Format(PyExc_TypeError, "a code object is expected");
  return Reassemble(reinterpret_cast<PyCodeObject*>(code)).release();
}
#endif

PyMethodDef methods[] = {{"start", StartEngine, METH_VARARGS, nullptr},
                         {"begin", Begin, METH_NOARGS, nullptr},
                         {"count", Count, METH_O, nullptr},
                         {"hits", Hits, METH_NOARGS, nullptr},
#if PY_VERSION_HEX < 0x030C0000
                         {"reassemble", ReassembleCode, METH_O, nullptr},
#endif
                         {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT, "reprise_lines", nullptr, -1, methods};

}  // namespace
}  // namespace reprise

PyMODINIT_FUNC PyInit_reprise_lines() { return PyModule_Create(&reprise::definition); }
