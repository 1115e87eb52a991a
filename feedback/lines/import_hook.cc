#include "feedback/lines/import_hook.h"

namespace reprise {
namespace {

LineEngine* hooked = nullptr;

// (path) -> the code to run, None for a file of no interest, NotImplemented if the file has to be
// read first; (path, code as it was read) -> the code to run.
PyObject* Prepare(PyObject*, PyObject* arguments) {
  const char* path = nullptr;
  PyObject* read = nullptr;
  if (!PyArg_ParseTuple(arguments, "s|O", &path, &read)) return nullptr;
  if (hooked->Table().Find(path) == nullptr) Py_RETURN_NONE;
  Ref code = read == nullptr ? hooked->MutableTable()->TakeCode(path) : Ref::Borrow(read);
  if (!code) Py_RETURN_NOTIMPLEMENTED;
  return hooked->Prepare(path, std::move(code)).release();
}

constexpr char kHook[] = R"(
def hook(prepare):
    from importlib.machinery import SourceFileLoader

    read = SourceFileLoader.get_code

    def get_code(self, fullname):
        code = prepare(self.path)
        if code is None:
            return read(self, fullname)
        if code is NotImplemented:
            return prepare(self.path, read(self, fullname))
        return code

    SourceFileLoader.get_code = get_code
)";

}  // namespace

bool HookImports(LineEngine* engine, std::string* why_not) {
  static PyMethodDef prepare = {"prepare", Prepare, METH_VARARGS, nullptr};
  hooked = engine;
  const Ref names(PyDict_New());
  const Ref defined(names ? PyRun_String(kHook, Py_file_input, names.get(), names.get()) : nullptr);
  const Ref function(PyCFunction_New(&prepare, nullptr));
  PyObject* hook = defined ? PyDict_GetItemString(names.get(), "hook") : nullptr;
  const Ref done(hook && function ? PyObject_CallOneArg(hook, function.get()) : nullptr);
  if (done) return true;
  PyErr_Clear();
  *why_not = "imports cannot be hooked";
  return false;
}

}  // namespace reprise
