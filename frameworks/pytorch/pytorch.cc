#include "frameworks/pytorch/pytorch.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "frameworks/module_emitter.h"
#include "frameworks/pytorch/dialect.h"
#include "frameworks/pytorch/known_differences.h"

namespace reprise {
namespace {

// torch.compile(model, backend="eager", dynamic=True, fullgraph=True); defaults are left out.
std::string CompileExpression(const TestCase& test, const std::string& dynamic) {
  std::string text =
      absl::StrCat("torch.compile({target}, backend=\"", test.compile[kBackend], "\"");
  if (dynamic != "auto") absl::StrAppend(&text, ", dynamic=", dynamic == "on" ? "True" : "False");
  if (test.compile[kFullgraph] == "yes") text += ", fullgraph=True";
  return text + ")";
}

std::string Wrap(const TestCase& test, const Step& step) {
  return CompileExpression(test, Attr(step, "dynamic"));
}

std::string Prologue(const TestCase& test) {
  std::string text;
  if (test.compile[kLimit] != "0") {
    absl::StrAppend(&text, "torch._dynamo.config.recompile_limit = ", test.compile[kLimit], "\n");
  }
  if (test.compile[kFreezing] == "yes") text += "torch._inductor.config.freezing = True\n";
  return text;
}

ModuleEmitterOptions Options(const TestCase& test) {
  return {{CompileExpression(test, test.compile[kDynamic]), Wrap}, Prologue(test)};
}

class PyTorchFramework : public Framework {
 public:
  PyTorchFramework() {
    capabilities_.framework = "pytorch";
    capabilities_.backends = {"eager", "aot_eager", "inductor"};
    capabilities_.slow_backends = {"inductor"};
    for (int i = 0; i < kDtypeCount; ++i) capabilities_.dtypes.push_back(static_cast<Dtype>(i));
    capabilities_.conflicts = {
        {"context:function_mode", "eager",
         "the graph is traced through the mode and then run under it, so that it acts twice"}};
    for (const char* backend : {"aot_eager", "inductor"}) {
      capabilities_.conflicts.push_back({"argument:tag", backend,
                                         "AOTAutograd takes tensor subclasses apart by "
                                         "__tensor_flatten__, which a plain subclass "
                                         "does not have"});
    }
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  const KnownDifferences& known_differences() const override { return PyTorchKnownDifferences(); }

  // Dynamo interprets its polyfills and external_utils instead of executing them.
  CompilerSources compiler_sources() const override {
    return {
        "torch",
        {"_dynamo", "_inductor", "fx", "_functorch", "_higher_order_ops", "_subclasses",
         "_meta_registrations.py", "_refs", "_decomp", "_prims", "_prims_common", "utils/_sympy",
         "_library", "_logging", "_dispatch", "compiler", "_guards.py", "_ops.py"},
        {"_dynamo/polyfills", "_dynamo/external_utils.py"}};
  }

  Program Emit(const TestCase& test, Numbers numbers) const override {
    static const auto* dialects =
        new std::array{PyTorchDialect(Numbers::kDrawn), PyTorchDialect(Numbers::kFloat64),
                       PyTorchDialect(Numbers::kPerturbed)};
    return EmitModuleProgram(test, (*dialects)[static_cast<size_t>(numbers)], Options(test));
  }
  using Framework::Emit;

 private:
  Capabilities capabilities_;
};

}  // namespace

const Framework* PyTorch() {
  static const auto* framework = new PyTorchFramework;
  return framework;
}

}  // namespace reprise
