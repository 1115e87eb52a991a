#include "frameworks/pytorch/dialect.h"

namespace reprise {
namespace {

const std::map<std::string, UnaryTemplate>& UnaryTemplates() {
  static const auto* unaries = new std::map<std::string, UnaryTemplate>{
      {"relu", {"torch.relu({0})", "torch.relu", "nn.ReLU()", "torch.Tensor.relu"}},
      {"tanh", {"torch.tanh({0})", "torch.tanh", "nn.Tanh()", "torch.Tensor.tanh"}},
      {"sigmoid", {"torch.sigmoid({0})", "torch.sigmoid", "nn.Sigmoid()", "torch.Tensor.sigmoid"}},
      {"sin", {"torch.sin({0})", "torch.sin", "", "torch.Tensor.sin"}},
      {"neg", {"-{0}", "torch.neg", "", "torch.Tensor.__neg__"}},
      {"abs", {"torch.abs({0})", "torch.abs", "", "torch.Tensor.__abs__"}},
      {"square", {"torch.square({0})", "torch.square", "", "torch.Tensor.square"}},
      {"twice", {"{0} * 2", "", "", ""}},
      {"inc", {"{0} + 1", "", "", ""}},
      {"dec", {"{0} - 1", "", "", ""}},
  };
  return *unaries;
}

const std::map<std::string, std::string>& PredicateTemplates() {
  static const auto* predicates = new std::map<std::string, std::string>{
      {"training", "self.training"},
      {"grad_enabled", "torch.is_grad_enabled()"},
      {"truth", "{0}"},
      {"less", "{0} < {1}"},
      {"equals", "{0} == {1}"},
      {"size", "{0}.shape[{1}] > {2}"},
      {"divides", "{0}.shape[{1}] % {2} == 0"},
      {"longer", "{0}.shape[0] > {1}.shape[0]"},
      {"same", "{0} is {1}"},
      {"dtype", "{0}.dtype == {1}"},
      {"requires_grad", "{0}.requires_grad"},
      {"contiguous", "{0}.is_contiguous()"},
      {"floating", "{0}.dtype.is_floating_point"},
      {"rank", "{0}.dim() > {1}"},
      {"none", "{0} is None"},
      {"contains", "\"{1}\" in {0}"},
      {"count", "len({0}) > {1}"},
      {"has", "{0}"},
  };
  return *predicates;
}

constexpr char kRand[] =
    "def rand(seed, *shape, dtype=torch.float32, scale=1.0):\n"
    "    values = np.random.default_rng(seed).uniform(-scale, scale, shape)\n"
    "    return torch.tensor(values{device}).to(dtype)\n";

// Values are rounded to their own type first, so that both runs start from the same numbers.
constexpr char kRandFloat64[] =
    "def rand(seed, *shape, dtype=torch.float32, scale=1.0):\n"
    "    values = np.random.default_rng(seed).uniform(-scale, scale, shape)\n"
    "    values = torch.tensor(values{device}).to(dtype)\n"
    "    return values.double() if dtype.is_floating_point else values\n";

constexpr char kFill[] =
    "for seed, p in enumerate(self.parameters(){first}):\n"
    "    p.data = rand(seed, *p.shape, scale=0.5)\n";

const std::map<std::string, ContextTemplate>& ContextTemplates() {
  static const auto* contexts = new std::map<std::string, ContextTemplate>{
      {"no_grad", {.with = "torch.no_grad()"}},
      {"enable_grad", {.with = "torch.enable_grad()"}},
      {"inference_mode", {.with = "torch.inference_mode()"}},
      {"autocast_bf16", {.with = "torch.autocast(\"cpu\", dtype=torch.bfloat16)"}},
      {"autocast_f16", {.with = "torch.autocast(\"cpu\", dtype=torch.float16)"}},
      {"default_device_meta", {.with = "torch.device(\"meta\")"}},
      {"function_mode",
       {.with = "NegateSin()",
        .helper = "class NegateSin(TorchFunctionMode):\n"
                  "    def __torch_function__(self, function, types, args=(), kwargs=None):\n"
                  "        result = function(*args, **(kwargs or {}))\n"
                  "        return -result if function is torch.sin else result\n"}},
      {"saved_tensors",
       {.with = "torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)"}},
      {"checkpoint", {.transform = "checkpoint({fn}, {0}, use_reentrant=False)"}},
      {"vmap", {.transform = "torch.vmap({fn})({0})"}},
      {"func_grad", {.transform = "torch.func.grad(lambda x: {fn}(x).sum())({0})"}},
      {"jvp", {.transform = "torch.func.jvp({fn}, ({0},), (torch.ones_like({0}),))[1]"}},
      {"compiled", {.transform = "torch.compile({fn}, backend=\"eager\")({0})"}},
      {"disabled", {.transform = "torch.compiler.disable({fn})({0})"}},
  };
  return *contexts;
}

const std::map<std::string, std::string>& FlagTemplates() {
  static const auto* flags = new std::map<std::string, std::string>{
      {"grad=on", "torch.set_grad_enabled(True)"},
      {"grad=off", "torch.set_grad_enabled(False)"},
      {"autocast=off", "torch.set_autocast_enabled(\"cpu\", False)\ntorch.clear_autocast_cache()"},
      {"autocast=bf16",
       "torch.set_autocast_enabled(\"cpu\", True)\n"
       "torch.set_autocast_dtype(\"cpu\", torch.bfloat16)\n"
       "torch.clear_autocast_cache()"},
      {"autocast=f16",
       "torch.set_autocast_enabled(\"cpu\", True)\n"
       "torch.set_autocast_dtype(\"cpu\", torch.float16)\n"
       "torch.clear_autocast_cache()"},
      {"default_dtype=f32", "torch.set_default_dtype(torch.float32)"},
      {"default_dtype=f64", "torch.set_default_dtype(torch.float64)"},
      {"default_dtype=bf16", "torch.set_default_dtype(torch.bfloat16)"},
      {"default_device=none", "torch.set_default_device(None)"},
      {"default_device=cpu", "torch.set_default_device(\"cpu\")"},
      {"default_device=meta", "torch.set_default_device(\"meta\")"},
      {"deterministic=off", "torch.use_deterministic_algorithms(False)"},
      {"deterministic=on", "torch.use_deterministic_algorithms(True)"},
      {"threads=1", "torch.set_num_threads(1)"},
      {"threads=2", "torch.set_num_threads(2)"},
      {"matmul_precision=highest", "torch.set_float32_matmul_precision(\"highest\")"},
      {"matmul_precision=high", "torch.set_float32_matmul_precision(\"high\")"},
      {"matmul_precision=medium", "torch.set_float32_matmul_precision(\"medium\")"},
  };
  return *flags;
}

const std::map<std::string, std::string>& StepTemplates() {
  static const auto* steps = new std::map<std::string, std::string>{
      {"zero_grad", "model.zero_grad()"},
      {"train", "{module}.train()"},
      {"eval", "{module}.eval()"},
      {"requires_grad", "{module}.requires_grad_({mode})"},
      {"load",
       "model.load_state_dict(\n"
       "    dict((name, t * {by}) for name, t in model.state_dict().items()), assign={assign}\n"
       ")"},
      {"cast", "model.to({dtype})"},
      {"hook=forward",
       "{handle} = {module}.register_forward_hook(lambda module, args, output: {fn})"},
      {"hook=pre", "{handle} = {module}.register_forward_pre_hook(lambda module, args: {fn})"},
      {"hook=backward",
       "{handle} = {module}.register_full_backward_hook(\n"
       "    lambda module, grad_input, grad_output: {fn}\n"
       ")"},
      {"hook=backward_pre",
       "{handle} = {module}.register_full_backward_pre_hook(\n"
       "    lambda module, grad_output: {fn}\n"
       ")"},
      {"optimizer=sgd", "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"},
      {"optimizer=momentum",
       "optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)"},
      {"optimizer=adam", "optimizer = torch.optim.Adam(model.parameters(), lr=0.01)"},
      {"optimizer=adamw", "optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)"},
      {"schedule", "schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)"},
      {"optimize", "optimizer.step"},
      {"deepcopy", "model = copy.deepcopy(model)"},
      {"pickle", "model = pickle.loads(pickle.dumps(model))"},
      {"retune", "{op}_op.register_autograd(lambda ctx, g: g * {grad})"},
      {"forget", "torch.compiler.reset()"},
  };
  return *steps;
}

constexpr char kTagClass[] =
    "class Tagged(torch.Tensor):\n"
    "    tag = 1\n"
    "\n\n"
    "def tagged(tensor, tag):\n"
    "    tensor = tensor.as_subclass(Tagged)\n"
    "    tensor.tag = tag\n"
    "    return tensor\n";

}  // namespace

Dialect PyTorchDialect(Numbers numbers) {
  const bool in_float64 = numbers == Numbers::kFloat64;
  Dialect d;
  d.imports = {{"np.", "import numpy as np"},
               {"", "import torch"},
               {"F.", "import torch.nn.functional as F"},
               {"nn.", "from torch import nn"},
               {"TorchFunctionMode", "from torch.overrides import TorchFunctionMode"},
               {"checkpoint(", "from torch.utils.checkpoint import checkpoint"}};
  d.rand = in_float64 ? kRandFloat64 : numbers == Numbers::kPerturbed ? Perturbed(kRand) : kRand;
  d.positive = "{0} > 0";
  d.module_base = "nn.Module";
  d.dtypes = {{Dtype::kF16, "torch.float16"}, {Dtype::kBF16, "torch.bfloat16"},
              {Dtype::kF32, "torch.float32"}, {Dtype::kF64, "torch.float64"},
              {Dtype::kI32, "torch.int32"},   {Dtype::kI64, "torch.int64"},
              {Dtype::kBool, "torch.bool"}};
  d.ops = PyTorchOperators();
  d.unaries = UnaryTemplates();
  d.predicates = PredicateTemplates();
  d.layouts = {{"transposed", "{0}.mT.contiguous().mT"},
               {"strided", "{0}.repeat_interleave(2, dim=-1)[..., ::2]"},
               {"offset", "torch.cat([{0}, {0}])[{0.0}:]"},
               {"channels_last", "{0}.to(memory_format=torch.channels_last)"},
               {"expanded", "{0}[:1].expand({shape})"}};
  d.parameter = "nn.Parameter({0})";
  d.register_buffer = "self.register_buffer(\"{name}\", {0})";
  d.fill_parameters = in_float64 ? std::string("self.double()\n") + kFill : kFill;
  d.empty_module = "nn.Module()";
  d.tensor_type = "torch.Tensor";
  d.marks = {{"dynamic", "torch._dynamo.mark_dynamic({0}, {dim})"},
             {"ranged", "torch._dynamo.mark_dynamic({0}, {dim}, min=2, max=64)"},
             {"maybe", "torch._dynamo.maybe_mark_dynamic({0}, {dim})"},
             {"static", "torch._dynamo.mark_static({0}, {dim})"},
             {"unbacked", "torch._dynamo.decorators.mark_unbacked({0}, {dim})"}};
  d.contexts = ContextTemplates();
  d.flags = FlagTemplates();
  d.steps = StepTemplates();
  d.seed_generator = "torch.manual_seed({seed})";
  d.generator = "torch.Generator().manual_seed({seed})";
  d.ask_gradient = "{0}.requires_grad_()";
  d.derive = "{0} * 1.0";
  d.no_grad = "torch.no_grad()";
  d.clone = "{0}.detach().clone()";
  d.tag_class = kTagClass;
  d.tag = "tagged({0}, {tag})";
  d.square_sum = "{0}.square().sum()";
  d.optimizer_state = "optimizer.state_dict()[\"state\"]";
  d.backward = "{0}.backward({retain})";
  return d;
}

}  // namespace reprise
