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
    "for seed, p in enumerate(self.parameters(){first}):\n"
    "    p.data = rand(seed, *p.shape, scale=0.5).data\n";

constexpr char kWiden[] =
    "for _, t in self.named_state():\n"
    "    t.data = t.data.astype(np.float64)\n";

Dialect MockDialect(bool in_float64) {
  Dialect d;
  d.imports = {{"", "import mk"}, {"np.", "import numpy as np"}};
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
      {"branch", {.statements = "if {on}:\n    {name} = {then}\nelse:\n    {name} = {else}"}},
      {"apply", {"{fn}"}},
      {"reuse", {"self.{of}({0})"}},
      {"graph_break", {.statements = "mk.graph_break()\n{name} = {0}"}},
      {"abs", {"abs({0})"}},
      {"clone", {"{0}.clone()"}},
      {"slice", {"{0}[{from}:{to}:{step}]"}},
      {"repeat", {.statements = "{name} = {0}\nfor _ in range({1}):\n    {name} = {fn:name}"}},
      {"check",
       {.statements =
            "if not ({on}):\n    raise ValueError(\"check failed\")\n{name} = {0} * 1.0"}},
      {"item", {"{0.item}"}},
      {"first_item", {"next(iter({0.values}))"}},
      {"length", {"len({0})"}},
      {"or_add",
       {.statements = "if {1} is None:\n    {name} = {0} * 2\nelse:\n    {name} = {0} + {1}"}},
      {"count", {.statements = "{slot} += {by}\n{name} = {0} + {slot}"}},
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
    Lack("the mock has no layer of this kind",
         {"conv1d", "conv_transpose2d", "depthwise_conv", "rms_norm", "group_norm", "instance_norm",
          "embedding", "lstm", "gru", "self_attention", "attention", "prelu"});
    Lack("the mock's tape has no such pooling or loss",
         {"max_pool1d", "avg_pool2d", "adaptive_avg_pool2d", "interpolate", "cross_entropy",
          "mse_loss"});
    Lack("the mock's tape has no such elementwise function",
         {"cos",        "leaky_relu",  "elu",  "selu",      "silu",       "mish",
          "relu6",      "erf",         "exp",  "log1p",     "sqrt",       "hardtanh",
          "softplus",   "hardswish",   "sign", "floor",     "round",      "reciprocal",
          "logsigmoid", "log_softmax", "glu",  "clamp_max", "clamp_min",  "power",
          "maximum",    "minimum",     "lerp", "gt",        "lt",         "eq",
          "where",      "masked_fill", "cast", "full_like", "zeros_like", "contiguous"});
    Lack("the mock draws no random numbers outside its layers",
         {"noise", "rand_like", "draw_python", "draw_generator", "python_random", "python_branch"});
    Lack("the mock writes in place by add_ and mul_ only", {"relu_", "copy_", "fill_row_"});
    Lack("the mock's tape has no such rearrangement",
         {"outer",   "stack",      "view",        "t",           "permute",      "unsqueeze",
          "squeeze", "narrow",     "select",      "gather_rows", "gather",       "scatter_add",
          "one_hot", "expand",     "repeat_rows", "roll",        "flip",         "pad",
          "tril",    "as_strided", "restride",    "numel",       "checked_index"});
    Lack("the mock's tape has no such reduction or scan",
         {"amin", "var", "norm", "logsumexp", "argmax", "argmin", "cumsum", "cumprod", "sort",
          "topk", "diff"});
    Lack("the mock has no factories", {"zeros", "full", "arange", "eye"});
    Lack("the mock's tensors have no arithmetic with a sum's initial 0", {"sum_items"});
    Lack("the mock's compiler gives a call up that changes a container", {"append_to"});
    Lack("the mock's compiler gives a call up that re-binds a tensor",
         {"lazy", "store", "copy_into", "put_row"});
    Lack("the mock has no registry of operators and no autograd",
         {"custom", "custom_grad", "allow_in_graph", "detach", "inner_grad"});
    Lack("the mock's tensors carry no metadata", {"read_tag"});
    for (const MarkRow& mark : Marks())
      capabilities_.unsupported[absl::StrCat("mark:", mark.name)] = no_marks;
  }

  const Capabilities& capabilities() const override { return capabilities_; }

  Program Emit(const TestCase& test) const override {
    static const auto* dialect = new Dialect(MockDialect(false));
    return EmitModuleProgram(test, *dialect, Options());
  }

  Program EmitFloat64(const TestCase& test) const override {
    static const auto* dialect = new Dialect(MockDialect(true));
    return EmitModuleProgram(test, *dialect, Options());
  }

 private:
  void Lack(const std::string& reason, const std::vector<std::string>& operators) {
    for (const std::string& name : operators) capabilities_.unsupported["op:" + name] = reason;
  }

  Capabilities capabilities_;
};

}  // namespace

const Framework* Mock() {
  static const auto* framework = new MockFramework;
  return framework;
}

}  // namespace reprise
