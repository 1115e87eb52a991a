#include "feedback/lines/probe.h"

#if PY_VERSION_HEX < 0x030C0000

#include "feedback/lines/probe_plan.h"

namespace reprise {
namespace {

ProbeSink sink = [](Probe*) {};

Probe* AsProbe(PyObject* object) { return reinterpret_cast<Probe*>(object); }

PyObject* Fire(PyObject* self) {
  Probe* probe = AsProbe(self);
  *probe->head = probe->disarmed;
  sink(probe);
  Py_RETURN_NONE;
}

PyObject* Itself(PyObject* self, PyObject*) {
  Py_INCREF(self);
  return self;
}

// A pickled or copied constant is never executed: None stands for it.
PyObject* Reduce(PyObject*, PyObject*) {
  return Py_BuildValue("(O())", reinterpret_cast<PyObject*>(Py_TYPE(Py_None)));
}

PyTypeObject* ProbeType() {
  static PyTypeObject* type = [] {
    static PyMethodDef methods[] = {{"__deepcopy__", Itself, METH_O, nullptr},
                                    {"__copy__", Itself, METH_NOARGS, nullptr},
                                    {"__reduce__", Reduce, METH_NOARGS, nullptr},
                                    {"__reduce_ex__", Reduce, METH_O, nullptr},
                                    {nullptr, nullptr, 0, nullptr}};
    static PyType_Slot slots[] = {
        {Py_nb_positive, reinterpret_cast<void*>(Fire)}, {Py_tp_methods, methods}, {0, nullptr}};
    static PyType_Spec spec = {"reprise.Probe", sizeof(Probe), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  }();
  return type;
}

uint16_t* Units(PyCodeObject* code) { return reinterpret_cast<uint16_t*>(code->co_code_adaptive); }

// co_consts with nested code objects replaced by what `convert` makes of them, and room for more.
template <typename Convert>
std::vector<Ref> Constants(PyCodeObject* code, const Convert& convert) {
  std::vector<Ref> constants;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); ++i) {
    PyObject* constant = PyTuple_GET_ITEM(code->co_consts, i);
    constants.push_back(PyCode_Check(constant) ? convert(reinterpret_cast<PyCodeObject*>(constant))
                                               : Ref::Borrow(constant));
  }
  return constants;
}

Ref Tuple(const std::vector<Ref>& items) {
  Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(items.size())));
  if (!tuple) return tuple;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i]) return Ref();
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), Ref(items[i]).release());
  }
  return tuple;
}

// code.replace(); the parts may be null for what stays.
Ref Replace(PyCodeObject* code, const Ref& constants, const Assembled* parts) {
  const Ref method(PyObject_GetAttrString(reinterpret_cast<PyObject*>(code), "replace"));
  const Ref none(PyTuple_New(0));
  const Ref changes(PyDict_New());
  if (!method || !none || !changes || !constants) return Ref();
  PyDict_SetItemString(changes.get(), "co_consts", constants.get());
  if (parts != nullptr) {
    const auto bytes = [&](const char* name, const std::string& data) {
      const Ref value(PyBytes_FromStringAndSize(data.data(), static_cast<Py_ssize_t>(data.size())));
      if (value) PyDict_SetItemString(changes.get(), name, value.get());
    };
    bytes("co_code", parts->code);
    bytes("co_linetable", parts->locations);
    bytes("co_exceptiontable", parts->handlers);
    if (!parts->probes.empty()) {
      const Ref depth(PyLong_FromLong(code->co_stacksize + 1));
      PyDict_SetItemString(changes.get(), "co_stacksize", depth.get());
    }
  }
  return Ref(PyObject_Call(method.get(), none.get(), changes.get()));
}

// Writes the probes into a code object that so far has NOPs in their places.
void Activate(PyCodeObject* code, const Assembled& parts) {
  // 3.11 keeps what the first call returns for good: everybody is shown NOPs from here on.
  Py_XDECREF(PyCode_GetCode(code));
  for (const ProbeSite& site : parts.probes) {
    const std::vector<uint16_t> units = ProbeUnits(site);
    for (size_t k = 0; k < units.size(); ++k)
      Units(code)[static_cast<size_t>(site.unit) + k] = units[k];
    Probe* probe = AsProbe(PyTuple_GET_ITEM(code->co_consts, site.constant));
    probe->head = Units(code) + site.unit;
    probe->disarmed = DisarmedUnit(site);
  }
  Py_INCREF(code);  // for ever: heads point into it
}

Ref NewProbe(uint32_t slot) {
  Ref probe(PyType_GenericAlloc(ProbeType(), 0));
  if (probe) AsProbe(probe.get())->slot = slot;
  return probe;
}

}  // namespace

void SetProbeSink(ProbeSink to) { sink = to; }

void Arm(Probe* probe) { *probe->head = ArmedUnit(); }

Ref Instrument(PyCodeObject* code, const SourceFile& file) {
  std::vector<Ref> constants =
      Constants(code, [&](PyCodeObject* nested) { return Instrument(nested, file); });
  Bytecode bytecode;
  std::string why_not;
  if (!IsFunction(code) || !Disassemble(code, &bytecode, &why_not)) {
    return Replace(code, Tuple(constants), nullptr);
  }
  for (const PlannedProbe& planned : PlanProbes(bytecode)) {
    const int64_t slot = SourceTable::SlotOf(file, planned.line);
    if (slot < 0) continue;  // the file is not the one that the table was made from
    bytecode.instructions[static_cast<size_t>(planned.instruction)].probe =
        static_cast<int>(constants.size());
    constants.push_back(NewProbe(static_cast<uint32_t>(slot)));
  }
  const Assembled parts = Assemble(bytecode);
  Ref instrumented = Replace(code, Tuple(constants), &parts);
  if (instrumented) Activate(reinterpret_cast<PyCodeObject*>(instrumented.get()), parts);
  return instrumented;
}

Ref Reassemble(PyCodeObject* code) {
  const std::vector<Ref> constants =
      Constants(code, [](PyCodeObject* nested) { return Reassemble(nested); });
  Bytecode bytecode;
  std::string why_not;
  if (!Disassemble(code, &bytecode, &why_not)) {
    PyErr_SetString(PyExc_ValueError, why_not.c_str());
    return Ref();
  }
  const Assembled parts = Assemble(bytecode);
  return Replace(code, Tuple(constants), &parts);
}

}  // namespace reprise

#endif  // PY_VERSION_HEX
