#include "frameworks/mock/mock.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "frameworks/mock/op_templates.h"
#include "frameworks/module_emitter.h"

namespace reprise {
namespace {

constexpr char kRand[] =
    "def rand(seed, *shape, dtype=mk.float32, scale=1.0):\n"
    "    values = np.random.default_rng(seed).uniform(-scale, scale, shape)\n"
    "    return mk.tensor(values, dtype)\n";

constexpr char kRandFloat64[] =
    "def rand(seed, *shape, dtype=mk.float32, scale=1.0):\n"
    "    values = np.random.default_rng(seed).uniform(-scale, scale, shape)\n"
    "    wide = mk.float64 if dtype.kind == \"f\" else dtype\n"
    "    return mk.tensor(values.astype(dtype), wide)\n";

constexpr char kFill[] =
    "for seed, p in enumerate(self.parameters(){first}):\n"
    "    p.data = rand(seed, *p.shape, scale=0.5).data\n";

constexpr char kWiden[] =
    "for _, t in self.named_state():\n"
    "    t.data = t.data.astype(np.float64)\n";

Dialect MockDialect(Numbers numbers) {
  const bool in_float64 = numbers == Numbers::kFloat64;
  Dialect d;
  d.imports = {{"", "import mk"}, {"np.", "import numpy as np"}};
  d.rand = in_float64 ? kRandFloat64 : numbers == Numbers::kPerturbed ? Perturbed(kRand) : kRand;
  d.positive = "mk.tensor({0}.data > 0, mk.bool_)";
  d.module_base = "mk.Module";
  d.dtypes = {{Dtype::kF32, "mk.float32"},
              {Dtype::kF64, "mk.float64"},
              {Dtype::kI64, "mk.int64"},
              {Dtype::kBool, "mk.bool_"}};
  d.ops = MockOperators(in_float64);
  d.unaries = {
      {"relu", {"mk.relu({0})", "mk.relu", ""}},
      {"tanh", {"mk.tanh({0})", "mk.tanh", ""}},
      {"sigmoid", {"mk.sigmoid({0})", "mk.sigmoid", ""}},
      {"sin", {"mk.sin({0})", "mk.sin", ""}},
      {"neg", {"-{0}", "", ""}},
      {"abs", {"abs({0})", "abs", ""}},
      {"square", {"{0} * {0}", "", ""}},
      {"twice", {"{0} * 2", "", ""}},
      {"inc", {"{0} + 1", "", ""}},
      {"dec", {"{0} - 1", "", ""}},
  };
  d.predicates = {
      {"training", "self.training"},
      {"grad_enabled", "mk.is_grad_enabled()"},
      {"truth", "{0}"},
      {"less", "{0} < {1}"},
      {"equals", "{0} == {1}"},
      {"size", "{0}.shape[{1}] > {2}"},
      {"divides", "{0}.shape[{1}] % {2} == 0"},
      {"longer", "{0}.shape[0] > {1}.shape[0]"},
      {"same", "{0} is {1}"},
      {"dtype", "{0}.dtype == {1}"},
      {"contiguous", "{0}.is_contiguous()"},
      {"floating", "{0}.dtype.kind == \"f\""},
      {"rank", "{0}.ndim > {1}"},
      {"none", "{0} is None"},
      {"contains", "\"{1}\" in {0}"},
      {"count", "len({0}) > {1}"},
      {"has", "{0}"},
  };
  d.layouts = {{"transposed", "{0}.transpose(-1, -2).contiguous().transpose(-1, -2)"},
               {"strided", "{0}.repeat_interleave(2, -1)[..., ::2]"},
               {"offset", "mk.cat([{0}, {0}], 0)[{0.0}:]"},
               {"expanded", "{0}[:1].expand({shape})"}};
  d.parameter = "mk.Parameter({0})";
  d.register_buffer = "self.register_buffer(\"{name}\", {0})";
  d.fill_parameters = in_float64 ? std::string(kWiden) + kFill : kFill;
  d.empty_module = "mk.Module()";
  d.tensor_type = "mk.Tensor";
  d.seed_generator = "mk.manual_seed({seed})";
  d.clone = "{0}.clone()";
  d.contexts = {{"no_grad", {.with = "mk.no_grad()"}}};
  d.flags = {{"grad=on", "mk.set_grad_enabled(True)"}, {"grad=off", "mk.set_grad_enabled(False)"}};
  d.steps = {{"train", "{module}.train()"},
             {"eval", "{module}.eval()"},
             {"deepcopy", "model = copy.deepcopy(model)"},
             {"forget", "mk.reset()"}};
  return d;
}

std::string Wrap(const TestCase&, const Step&) { return "mk.compile({target})"; }

ModuleEmitterOptions Options() { return {{"mk.compile({target})", Wrap}, ""}; }

class MockFramework : public Framework {
 public:
  MockFramework() {
    capabilities_.framework = "mock";
    capabilities_.backends = {"jit"};
    capabilities_.dtypes = {Dtype::kF32, Dtype::kF64, Dtype::kI64, Dtype::kBool};
    const std::string no_autograd = "the mock records no gradients";
    const std::string no_hooks = "the mock's modules have no hooks";
    const std::string no_state = "the mock's modules have no state dictionary";
    const std::string no_random = "the mock's compiler bakes in what Python draws";
    const std::string one_mode = "the mock has one grad mode only";
    const std::string no_marks = "the mock specialises on every size";
    const std::string no_transforms = "the mock has no function transforms";
    capabilities_.unsupported = {
        {"step:backward", no_autograd},
        {"step:zero_grad", no_autograd},
        {"step:requires_grad", no_autograd},
        {"step:optimizer", no_autograd},
        {"step:optimize", no_autograd},
        {"argument:grad", no_autograd},
        {"predicate:requires_grad", no_autograd},
        {"step:hook", no_hooks},
        {"step:unhook", no_hooks},
        {"step:load", no_state},
        {"step:cast", "the mock's parameters keep their element type"},
        {"step:pickle", no_state},
        {"step:retune", "the mock has no registry of operators"},
        {"argument:tag", "the mock's tensors have no subclasses"},
        {"type:scalar", "the mock's arithmetic is NumPy's, where such a scalar widens a tensor"},
        {"type:random", no_random},
        {"type:generator", no_random},
        {"home:metaclass", "the mock's compiler follows no metaclass"},
        {"form:descriptor", "the mock's tensor class has no methods for unary functions"},
        {"layout:channels_last", "NumPy has no memory format for images"},
        {"context:enable_grad", one_mode},
        {"context:inference_mode", one_mode},
        {"context:autocast_bf16", "NumPy has no bf16"},
        {"context:autocast_f16", "the mock never casts by itself"},
        {"context:default_device_meta", "the mock has one device"},
        {"context:function_mode", "the mock has no function modes"},
        {"context:saved_tensors", no_autograd},
        {"context:checkpoint", no_autograd},
        {"context:vmap", no_transforms},
        {"context:func_grad", no_transforms},
        {"context:jvp", no_transforms},
        {"context:compiled", "a compiled function inside another one is part of it"},
        {"context:disabled", "the mock compiles a whole call"},
        {"flag:autocast", "the mock never casts by itself"},
        {"flag:default_dtype", "the mock's factories name their element type"},
        {"flag:default_device", "the mock has one device"},
        {"flag:deterministic", "the mock is deterministic"},
        {"flag:threads", "the mock has one thread"},
        {"flag:matmul_precision", "NumPy has one precision"},
        {"compile:dynamic", no_marks},
        {"compile:fullgraph", "the mock never splits a graph"},
        {"compile:limit", "the mock's cache has a fixed size"},
        {"compile:freezing", "the mock keeps parameters as inputs"},
    };
    for (const auto& [reason, operators] : MockLacks()) {
      for (const std::string& name : operators) capabilities_.unsupported["op:" + name] = reason;
    }
    for (const MarkRow& mark : Marks())
      capabilities_.unsupported[absl::StrCat("mark:", mark.name)] = no_marks;
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  CompilerSources compiler_sources() const override {
    return {"mk", {"guards.py", "jit.py", "scan.py"}, {}};
  }

  Program Emit(const TestCase& test, Numbers numbers) const override {
    static const auto* dialects =
        new std::array{MockDialect(Numbers::kDrawn), MockDialect(Numbers::kFloat64),
                       MockDialect(Numbers::kPerturbed)};
    return EmitModuleProgram(test, (*dialects)[static_cast<size_t>(numbers)], Options());
  }
  using Framework::Emit;

 private:
  Capabilities capabilities_;
};

}  // namespace

const Framework* Mock() {
  static const auto* framework = new MockFramework;
  return framework;
}

}  // namespace reprise
