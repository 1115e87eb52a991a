#include "frameworks/mock/mock.h"

#include "absl/strings/str_cat.h"
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
    "for seed, p in enumerate(self.parameters()):\n"
    "    p.data = rand(seed, *p.shape, scale=0.5).data\n";

constexpr char kWiden[] =
    "for _, t in self.named_state():\n"
    "    t.data = t.data.astype(np.float64)\n";

Dialect MockDialect(bool in_float64) {
  Dialect d;
  d.imports = {{"", "import mk"}, {"rand(", "import numpy as np"}};
  d.rand = in_float64 ? kRandFloat64 : kRand;
  d.positive = "mk.tensor({0}.data > 0, mk.bool_)";
  d.module_base = "mk.Module";
  d.dtypes = {{Dtype::kF32, "mk.float32"},
              {Dtype::kF64, "mk.float64"},
              {Dtype::kI64, "mk.int64"},
              {Dtype::kBool, "mk.bool_"}};
  d.ops = {
      {"linear", {"self.{name}({0})", "mk.Linear({0.-1}, {out})"}},
      {"conv2d",
       {"self.{name}({0})", "mk.Conv2d({0.1}, {out}, {kernel}, stride={stride}, padding={pad})"}},
      {"batch_norm", {"self.{name}({0})", "mk.BatchNorm({0.1})"}},
      {"layer_norm", {"self.{name}({0})", "mk.LayerNorm({0.-1})"}},
      {"dropout", {"self.{name}({0})", "mk.Dropout({p})"}},
      {"max_pool2d", {"mk.max_pool2d({0}, {kernel})"}},
      {"relu", {"mk.relu({0})"}},
      {"tanh", {"mk.tanh({0})"}},
      {"sigmoid", {"mk.sigmoid({0})"}},
      {"gelu", {"mk.gelu({0})"}},
      {"sin", {"mk.sin({0})"}},
      {"neg", {"-{0}"}},
      {"softmax", {"mk.softmax({0}, {dim})"}},
      {"clamp", {"mk.clamp({0}, {lo}, {hi})"}},
      {"add", {"{0} + {1}"}},
      {"sub", {"{0} - {1}"}},
      {"mul", {"{0} * {1}"}},
      {"div", {"{0} / {1}"}},
      {"add_", {"{0}.add_({1})"}},
      {"mul_", {"{0}.mul_({1})"}},
      {"matmul", {"{0} @ {1}"}},
      {"cat", {"mk.cat([{0}, {1}], {dim})"}},
      {"split", {"mk.chunk({0}, {parts}, {dim})[{take}]"}},
      {"reshape", {"{0}.reshape({shape})"}},
      {"reshape[]", {"{0}.reshape()"}},
      {"flatten", {"{0}.flatten({start})"}},
      {"transpose", {"{0}.transpose({a}, {b})"}},
      {"sum", {"{0}.sum({dim:tuple}, keepdims={keep})"}},
      {"sum[]", {"{0}.sum()"}},
      {"mean", {"{0}.mean({dim:tuple}, keepdims={keep})"}},
      {"mean[]", {"{0}.mean()"}},
      {"amax", {"{0}.amax({dim:tuple}, keepdims={keep})"}},
      {"amax[]", {"{0}.amax()"}},
      {"size", {"{0}.shape[{dim}]"}},
      {"apply", {"{fn}({0})"}},
      {"reuse", {"self.{of}({0})"}},
  };
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
  };
  d.layouts = {{"transposed", "{0}.transpose(-1, -2).contiguous().transpose(-1, -2)"},
               {"strided", "{0}.repeat_interleave(2, -1)[..., ::2]"},
               {"offset", "mk.cat([{0}, {0}], 0)[{0.0}:]"},
               {"expanded", "{0}[:1].expand({shape})"}};
  d.parameter = "mk.Parameter({0})";
  d.register_buffer = "self.register_buffer(\"{name}\", {0})";
  d.fill_parameters = in_float64 ? std::string(kWiden) + kFill : kFill;
  d.graph_break = "mk.graph_break()";
  d.seed_generator = "mk.manual_seed({seed})";
  d.clone = "{0}.clone()";
  d.under = {{"no_grad", "mk.no_grad()"}};
  d.set_grad = "mk.set_grad_enabled({mode})";
  return d;
}

class MockFramework : public Framework {
 public:
  MockFramework() {
    capabilities_.framework = "mock";
    capabilities_.backends = {"jit"};
    capabilities_.dtypes = {Dtype::kF32, Dtype::kF64, Dtype::kI64, Dtype::kBool};
    const std::string no_autograd = "the mock records no gradients";
    capabilities_.unsupported = {
        {"step:backward", no_autograd},
        {"step:zero_grad", no_autograd},
        {"argument:grad", no_autograd},
        {"predicate:requires_grad", no_autograd},
        {"step:hook", "the mock's modules have no hooks"},
        {"step:unhook", "the mock's modules have no hooks"},
        {"layout:channels_last", "NumPy has no memory format for images"},
        {"call:inference_mode", "the mock has one grad mode only"},
        {"compile:dynamic", "the mock specialises on every size"},
        {"compile:fullgraph", "the mock never splits a graph"},
    };
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  Program Emit(const TestCase& test) const override {
    static const auto* dialect = new Dialect(MockDialect(false));
    return EmitModuleProgram(test, *dialect, {"mk.compile({target})"});
  }

  Program EmitFloat64(const TestCase& test) const override {
    static const auto* dialect = new Dialect(MockDialect(true));
    return EmitModuleProgram(test, *dialect, {"mk.compile({target})"});
  }

 private:
  Capabilities capabilities_;
};

}  // namespace

const Framework* Mock() {
  static const auto* framework = new MockFramework;
  return framework;
}

}  // namespace reprise
