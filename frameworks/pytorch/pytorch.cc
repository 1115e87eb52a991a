#include "frameworks/pytorch/pytorch.h"

#include "absl/strings/str_cat.h"
#include "frameworks/module_emitter.h"
#include "frameworks/pytorch/dialect.h"

namespace reprise {
namespace {

// torch.compile(model, backend="eager", dynamic=True, fullgraph=True); defaults are left out.
std::string CompileExpression(const TestCase& test) {
  const std::vector<AttrSpec>& specs = CompileSpecs();
  std::string text = absl::StrCat("torch.compile({target}, backend=\"",
                                  Attr(specs, test.compile, "backend"), "\"");
  const std::string& dynamic = Attr(specs, test.compile, "dynamic");
  if (dynamic != "auto") absl::StrAppend(&text, ", dynamic=", dynamic == "on" ? "True" : "False");
  if (Attr(specs, test.compile, "fullgraph") == "yes") text += ", fullgraph=True";
  return text + ")";
}

class PyTorchFramework : public Framework {
 public:
  PyTorchFramework() {
    capabilities_.framework = "pytorch";
    capabilities_.backends = {"eager", "aot_eager", "inductor"};
    for (int i = 0; i < kDtypeCount; ++i) capabilities_.dtypes.push_back(static_cast<Dtype>(i));
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  Program Emit(const TestCase& test) const override {
    static const auto* dialect = new Dialect(PyTorchDialect(false));
    return EmitModuleProgram(test, *dialect, {CompileExpression(test)});
  }

  Program EmitFloat64(const TestCase& test) const override {
    static const auto* dialect = new Dialect(PyTorchDialect(true));
    return EmitModuleProgram(test, *dialect, {CompileExpression(test)});
  }

 private:
  Capabilities capabilities_;
};

}  // namespace

const Framework* PyTorch() {
  static const auto* framework = new PyTorchFramework;
  return framework;
}

}  // namespace reprise
