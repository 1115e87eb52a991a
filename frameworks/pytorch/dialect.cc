#include "frameworks/pytorch/dialect.h"

namespace reprise {
namespace {

const std::map<std::string, OpTemplate>& Ops() {
  static const auto* ops = new std::map<std::string, OpTemplate>{
      {"linear", {"self.{name}({0})", "nn.Linear({0.-1}, {out})"}},
      {"conv2d",
       {"self.{name}({0})", "nn.Conv2d({0.1}, {out}, {kernel}, stride={stride}, padding={pad})"}},
      {"batch_norm", {"self.{name}({0})", "nn.BatchNorm{0.spatial}d({0.1})"}},
      {"layer_norm", {"self.{name}({0})", "nn.LayerNorm({0.-1})"}},
      {"dropout", {"self.{name}({0})", "nn.Dropout({p})"}},
      {"max_pool2d", {"F.max_pool2d({0}, {kernel})"}},
      {"relu", {"torch.relu({0})"}},
      {"tanh", {"torch.tanh({0})"}},
      {"sigmoid", {"torch.sigmoid({0})"}},
      {"gelu", {"F.gelu({0})"}},
      {"sin", {"torch.sin({0})"}},
      {"neg", {"-{0}"}},
      {"softmax", {"torch.softmax({0}, dim={dim})"}},
      {"clamp", {"torch.clamp({0}, {lo}, {hi})"}},
      {"add", {"{0} + {1}"}},
      {"sub", {"{0} - {1}"}},
      {"mul", {"{0} * {1}"}},
      {"div", {"{0} / {1}"}},
      {"add_", {"{0}.add_({1})"}},
      {"mul_", {"{0}.mul_({1})"}},
      {"matmul", {"{0} @ {1}"}},
      {"cat", {"torch.cat([{0}, {1}], dim={dim})"}},
      {"split", {"torch.chunk({0}, {parts}, dim={dim})[{take}]"}},
      {"reshape", {"{0}.reshape({shape})"}},
      {"reshape[]", {"{0}.reshape(())"}},
      {"flatten", {"torch.flatten({0}, {start})"}},
      {"transpose", {"{0}.transpose({a}, {b})"}},
      {"sum", {"{0}.sum({dim:tuple}, keepdim={keep})"}},
      {"sum[]", {"{0}.sum()"}},
      {"mean", {"{0}.mean({dim:tuple}, keepdim={keep})"}},
      {"mean[]", {"{0}.mean()"}},
      {"amax", {"{0}.amax({dim:tuple}, keepdim={keep})"}},
      {"amax[]", {"{0}.amax()"}},
      {"size", {"{0}.shape[{dim}]"}},
      {"apply", {"{fn}({0})"}},
      {"reuse", {"self.{of}({0})"}},
  };
  return *ops;
}

const std::map<std::string, UnaryTemplate>& UnaryTemplates() {
  static const auto* unaries = new std::map<std::string, UnaryTemplate>{
      {"relu", {"torch.relu({0})", "torch.relu", "nn.ReLU()"}},
      {"tanh", {"torch.tanh({0})", "torch.tanh", "nn.Tanh()"}},
      {"sigmoid", {"torch.sigmoid({0})", "torch.sigmoid", "nn.Sigmoid()"}},
      {"sin", {"torch.sin({0})", "torch.sin", ""}},
      {"neg", {"-{0}", "torch.neg", ""}},
      {"abs", {"torch.abs({0})", "torch.abs", ""}},
      {"square", {"torch.square({0})", "torch.square", ""}},
      {"twice", {"{0} * 2", "", ""}},
      {"inc", {"{0} + 1", "", ""}},
      {"dec", {"{0} - 1", "", ""}},
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
  };
  return *predicates;
}

constexpr char kRand[] =
    "def rand(seed, *shape, dtype=torch.float32, scale=1.0):\n"
    "    values = np.random.default_rng(seed).uniform(-scale, scale, shape)\n"
    "    return torch.tensor(values).to(dtype)\n";

// Values are rounded to their own type first, so that both runs start from the same numbers.
constexpr char kRandFloat64[] =
    "def rand(seed, *shape, dtype=torch.float32, scale=1.0):\n"
    "    values = np.random.default_rng(seed).uniform(-scale, scale, shape)\n"
    "    values = torch.tensor(values).to(dtype)\n"
    "    return values.double() if dtype.is_floating_point else values\n";

constexpr char kFill[] =
    "for seed, p in enumerate(self.parameters()):\n"
    "    p.data = rand(seed, *p.shape, scale=0.5)\n";

}  // namespace

Dialect PyTorchDialect(bool in_float64) {
  Dialect d;
  d.imports = {{"rand(", "import numpy as np"},
               {"", "import torch"},
               {"F.", "import torch.nn.functional as F"},
               {"nn.", "from torch import nn"}};
  d.rand = in_float64 ? kRandFloat64 : kRand;
  d.positive = "{0} > 0";
  d.module_base = "nn.Module";
  d.dtypes = {{Dtype::kF16, "torch.float16"}, {Dtype::kBF16, "torch.bfloat16"},
              {Dtype::kF32, "torch.float32"}, {Dtype::kF64, "torch.float64"},
              {Dtype::kI32, "torch.int32"},   {Dtype::kI64, "torch.int64"},
              {Dtype::kBool, "torch.bool"}};
  d.ops = Ops();
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
  d.graph_break = "torch._dynamo.graph_break()";
  d.seed_generator = "torch.manual_seed({seed})";
  d.ask_gradient = "{0}.requires_grad_()";
  d.no_grad = "torch.no_grad()";
  d.clone = "{0}.detach().clone()";
  d.under = {{"no_grad", "torch.no_grad()"}, {"inference_mode", "torch.inference_mode()"}};
  d.set_grad = "torch.set_grad_enabled({mode})";
  d.square_sum = "{0}.square().sum()";
  d.backward = "{0}.backward()";
  d.hook_forward = "{handle} = {module}.register_forward_hook(lambda module, args, output: {fn})";
  d.hook_pre = "{handle} = {module}.register_forward_pre_hook(lambda module, args: {fn})";
  return d;
}

}  // namespace reprise
