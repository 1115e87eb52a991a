// PyTorch's spelling of the operators of grammar/op_table.cc.
#include "frameworks/pytorch/dialect.h"

namespace reprise {
namespace {

using Templates = std::map<std::string, OpTemplate>;

Templates Layers() {
  return {
      {"linear", {"self.{name}({0})", "nn.Linear({0.-1}, {out})"}},
      {"conv1d",
       {"self.{name}({0})", "nn.Conv1d({0.1}, {out}, {kernel}, stride={stride}, padding={pad})"}},
      {"conv2d",
       {"self.{name}({0})", "nn.Conv2d({0.1}, {out}, {kernel}, stride={stride}, padding={pad})"}},
      {"conv_transpose2d",
       {"self.{name}({0})", "nn.ConvTranspose2d({0.1}, {out}, {kernel}, stride={stride})"}},
      {"depthwise_conv",
       {"self.{name}({0})",
        "nn.Conv2d({0.1}, {0.1}, {kernel}, padding={kernel} // 2, groups={0.1})"}},
      {"batch_norm", {"self.{name}({0})", "nn.BatchNorm{0.spatial}d({0.1})"}},
      {"layer_norm", {"self.{name}({0})", "nn.LayerNorm({0.-1})"}},
      {"rms_norm", {"self.{name}({0})", "nn.RMSNorm({0.-1})"}},
      {"group_norm", {"self.{name}({0})", "nn.GroupNorm({groups}, {0.1})"}},
      {"instance_norm", {"self.{name}({0})", "nn.InstanceNorm2d({0.1})"}},
      {"embedding", {"self.{name}({0} % {rows})", "nn.Embedding({rows}, {dim})"}},
      {"lstm", {"self.{name}({0})[0]", "nn.LSTM({0.-1}, {hidden}, batch_first=True)"}},
      {"gru", {"self.{name}({0})[0]", "nn.GRU({0.-1}, {hidden}, batch_first=True)"}},
      {"self_attention",
       {"self.{name}({0}, {0}, {0}, need_weights=False)[0]",
        "nn.MultiheadAttention({0.-1}, {heads}, batch_first=True)"}},
      {"attention", {"F.scaled_dot_product_attention({0}, {1}, {2}, is_causal={causal})"}},
      {"prelu", {"self.{name}({0})", "nn.PReLU()"}},
      {"dropout", {"self.{name}({0})", "nn.Dropout({p})"}},
      {"max_pool1d", {"F.max_pool1d({0}, {kernel})"}},
      {"max_pool2d", {"F.max_pool2d({0}, {kernel})"}},
      {"avg_pool2d", {"F.avg_pool2d({0}, {kernel})"}},
      {"adaptive_avg_pool2d", {"F.adaptive_avg_pool2d({0}, {size})"}},
      {"interpolate", {"F.interpolate({0}, scale_factor={scale})"}},
      {"cross_entropy", {"F.cross_entropy({0}, {1} % {0}.shape[1])"}},
      {"mse_loss", {"F.mse_loss({0}, {1})"}},
  };
}

Templates Elementwise() {
  return {
      {"relu", {"torch.relu({0})"}},
      {"tanh", {"torch.tanh({0})"}},
      {"sigmoid", {"torch.sigmoid({0})"}},
      {"gelu", {"F.gelu({0})"}},
      {"sin", {"torch.sin({0})"}},
      {"cos", {"torch.cos({0})"}},
      {"leaky_relu", {"F.leaky_relu({0})"}},
      {"elu", {"F.elu({0})"}},
      {"selu", {"F.selu({0})"}},
      {"silu", {"F.silu({0})"}},
      {"mish", {"F.mish({0})"}},
      {"relu6", {"F.relu6({0})"}},
      {"erf", {"torch.erf({0})"}},
      {"exp", {"torch.exp({0}.clamp(max=4.0))"}},
      {"log1p", {"torch.log1p({0}.abs())"}},
      {"sqrt", {"torch.sqrt({0}.abs() + 0.1)"}},
      {"hardtanh", {"F.hardtanh({0})"}},
      {"softplus", {"F.softplus({0})"}},
      {"hardswish", {"F.hardswish({0})"}},
      {"abs", {"torch.abs({0})"}},
      {"sign", {"torch.sign({0})"}},
      {"floor", {"torch.floor({0})"}},
      {"round", {"torch.round({0})"}},
      {"reciprocal", {"1.0 / ({0}.abs() + 1.0)"}},
      {"logsigmoid", {"F.logsigmoid({0})"}},
      {"neg", {"-{0}"}},
      {"softmax", {"torch.softmax({0}, dim={dim})"}},
      {"log_softmax", {"torch.log_softmax({0}, dim={dim})"}},
      {"glu", {"F.glu({0}, dim={dim})"}},
      {"clamp", {"torch.clamp({0}, {lo}, {hi})"}},
      {"clamp_max", {"torch.clamp({0}, max={1})"}},
      {"clamp_min", {"torch.clamp({0}, min={1})"}},
      {"add", {"{0} + {1}"}},
      {"sub", {"{0} - {1}"}},
      {"mul", {"{0} * {1}"}},
      {"div", {"{0} / {1}"}},
      {"power", {"({0}.abs() + 0.1) ** {1}"}},
      {"maximum", {"torch.maximum({0}, {1})"}},
      {"minimum", {"torch.minimum({0}, {1})"}},
      {"lerp", {"torch.lerp({0}, {1}, {2})"}},
      {"gt", {"{0} > {1}"}},
      {"lt", {"{0} < {1}"}},
      {"eq", {"{0} == {1}"}},
      {"where", {"torch.where({0}, {1}, {2})"}},
      {"masked_fill", {"{0}.masked_fill({1}, {2})"}},
      {"cast", {"{0}.to({1})"}},
      {"full_like", {"torch.full_like({0}, {1})"}},
      {"zeros_like", {"torch.zeros_like({0})"}},
      {"contiguous", {"{0}.contiguous()"}},
      {"detach", {"{0}.detach()"}},
      {"clone", {"{0}.clone()"}},
      {"noise", {"{0} + 0.1 * torch.randn_like({0})"}},
      {"rand_like", {"torch.rand_like({0})"}},
      {"add_", {"{0}.add_({1})"}},
      {"mul_", {"{0}.mul_({1})"}},
      {"relu_", {"{0}.relu_()"}},
      {"copy_", {"{0}.copy_({1})"}},
      {"fill_row_", {.statements = "{0}[0] = {1}\n{name} = {0}"}},
  };
}

Templates Rearranging() {
  return {
      {"matmul", {"{0} @ {1}"}},
      {"outer", {"torch.einsum(\"bi,bj->bij\", {0}, {1})"}},
      {"cat", {"torch.cat([{0}, {1}], dim={dim})"}},
      {"stack", {"torch.stack([{0}, {1}], dim={dim})"}},
      {"split", {"torch.chunk({0}, {parts}, dim={dim})[{take}]"}},
      {"reshape", {"{0}.reshape({shape})"}},
      {"reshape[]", {"{0}.reshape(())"}},
      {"view", {"{0}.view({shape})"}},
      {"view[]", {"{0}.view(())"}},
      {"flatten", {"torch.flatten({0}, {start})"}},
      {"transpose", {"{0}.transpose({a}, {b})"}},
      {"t", {"{0}.t()"}},
      {"permute", {"{0}.permute({dims})"}},
      {"permute[]", {"{0}.permute(())"}},
      {"unsqueeze", {"{0}.unsqueeze({dim})"}},
      {"squeeze", {"{0}.squeeze({dim})"}},
      {"slice", {"{0}[{from}:{to}:{step}]"}},
      {"narrow", {"{0}.narrow(0, {1}, {2})"}},
      {"select", {"{0}.select({dim}, {1})"}},
      {"gather_rows", {"{0}[{1} % {0}.shape[0]]"}},
      {"gather", {"torch.gather({0}, {dim}, {1} % {0}.shape[{dim}])"}},
      {"scatter_add", {"{0}.scatter_add({dim}, {1} % {0}.shape[{dim}], {2})"}},
      {"one_hot", {"F.one_hot({0} % {classes}, {classes})"}},
      {"expand", {"{0}.expand({1}, *{0}.shape)"}},
      {"repeat_rows", {"{0}.repeat_interleave({1}, dim=0)"}},
      {"roll", {"torch.roll({0}, {1}, {dim})"}},
      {"flip", {"torch.flip({0}, [{dim}])"}},
      {"pad", {"F.pad({0}, ({by}, {by}))"}},
      {"tril", {"torch.tril({0})"}},
      {"as_strided", {"torch.as_strided({0}, (2, 2), (2, 1))"}},
      {"restride", {"torch.as_strided({0}, (2, 2), {0}.stride())"}},
      {"size", {"{0}.shape[{dim}]"}},
      {"numel", {"{0}.numel()"}},
      {"sum", {"{0}.sum({dim:tuple}, keepdim={keep})"}},
      {"sum[]", {"{0}.sum()"}},
      {"mean", {"{0}.mean({dim:tuple}, keepdim={keep})"}},
      {"mean[]", {"{0}.mean()"}},
      {"amax", {"{0}.amax({dim:tuple}, keepdim={keep})"}},
      {"amax[]", {"{0}.amax()"}},
      {"amin", {"{0}.amin({dim:tuple}, keepdim={keep})"}},
      {"amin[]", {"{0}.amin()"}},
      {"var", {"{0}.var({dim})"}},
      {"norm", {"{0}.norm(dim={dim})"}},
      {"logsumexp", {"torch.logsumexp({0}, {dim})"}},
      {"argmax", {"{0}.argmax({dim})"}},
      {"argmin", {"{0}.argmin({dim})"}},
      {"cumsum", {"{0}.cumsum({dim})"}},
      {"cumprod", {"{0}.cumprod({dim})"}},
      {"sort", {"{0}.sort({dim}).values"}},
      {"topk", {"{0}.topk({k}, dim={dim}).values"}},
      {"diff", {"torch.diff({0}, dim={dim})"}},
      {"zeros", {"torch.zeros({0})"}},
      {"full", {"torch.full(({0},), {1})"}},
      {"arange", {"torch.arange({0})"}},
      {"eye", {"torch.eye({0})"}},
  };
}

constexpr char kCustomOp[] =
    "@torch.library.custom_op(\"case::{name}\", mutates_args=())\n"
    "def {name}_op(x: torch.Tensor) -> torch.Tensor:\n"
    "    return x * {scale}\n"
    "\n\n"
    "@{name}_op.register_fake\n"
    "def {name}_fake(x):\n"
    "    return torch.empty_like(x)\n"
    "\n\n"
    "{name}_op.register_autograd(lambda ctx, g: g * {grad})\n";

constexpr char kCustomGrad[] =
    "class {Name}Function(torch.autograd.Function):\n"
    "    @staticmethod\n"
    "    def forward(ctx, x):\n"
    "        return {fn:x}\n"
    "\n"
    "    @staticmethod\n"
    "    def backward(ctx, g):\n"
    "        return g * {grad}\n";

constexpr char kAllowInGraph[] =
    "@torch.compiler.allow_in_graph\n"
    "def {name}_opaque(x):\n"
    "    return {fn:x}\n";

Templates Control() {
  return {
      {"branch", {.statements = "if {on}:\n    {name} = {then}\nelse:\n    {name} = {else}"}},
      {"apply", {"{fn}"}},
      {"reuse", {"self.{of}({0})"}},
      {"repeat", {.statements = "{name} = {0}\nfor _ in range({1}):\n    {name} = {fn:name}"}},
      {"graph_break", {.statements = "torch._dynamo.graph_break()\n{name} = {0}"}},
      {"check",
       {.statements =
            "if not ({on}):\n    raise ValueError(\"check failed\")\n{name} = {0} * 1.0"}},
      {"checked_index", {"{0}[{1}]"}},
      {"item", {"{0.item}"}},
      {"first_item", {"next(iter({0.values}))"}},
      {"sum_items", {"sum({0.values})"}},
      {"length", {"len({0})"}},
      {"append_to", {.statements = "{1}.append({0})\n{name} = {0} + 1"}},
      {"or_add",
       {.statements = "if {1} is None:\n    {name} = {0} * 2\nelse:\n    {name} = {0} + {1}"}},
      {"read_tag", {"{0} * getattr({0}, \"tag\", 1)"}},
      {"draw_python", {"{0} * {1}.random()"}},
      {"draw_generator", {"{0} * torch.rand({0}.shape, generator={1})"}},
      {"python_random=randint", {"{0} * random.randint(1, 1000)"}},
      {"python_random=uniform", {"{0} * random.uniform(1, 2)"}},
      {"python_random", {"{0} * random.random()"}},
      {"python_branch",
       {.statements =
            "if random.random() < 0.5:\n    {name} = {then}\nelse:\n    {name} = {else}"}},
      {"count", {.statements = "{slot} += {by}\n{name} = {0} + {slot}"}},
      {"lazy",
       {.statements =
            "if {slot} is None:\n    {slot} = ({0} * 2).detach()\n{name} = {0} + {slot}"}},
      {"store", {.statements = "{slot} = ({0} * 2).detach()\n{name} = {0} + {slot}"}},
      {"copy_into", {.statements = "{slot}.copy_({0}.detach())\n{name} = {0} + {slot}"}},
      {"put_row", {.statements = "{slot}[0] = {0}[0].detach()\n{name} = {0} * 2"}},
      {"custom", {.expression = "{name}_op({0})", .helper = kCustomOp}},
      {"custom_grad", {.expression = "{Name}Function.apply({0})", .helper = kCustomGrad}},
      {"inner_grad",
       {.statements = "{name}_leaf = {0}.detach().requires_grad_()\n"
                      "({name},) = torch.autograd.grad(({fn:leaf}).sum(), {name}_leaf)"}},
      {"allow_in_graph", {.expression = "{name}_opaque({0})", .helper = kAllowInGraph}},
  };
}

}  // namespace

std::map<std::string, OpTemplate> PyTorchOperators() {
  Templates all;
  for (const Templates& part :
       {Layers(), Elementwise(), Rearranging(), PyTorchArrayOperators(), Control()})
    all.insert(part.begin(), part.end());
  return all;
}

}  // namespace reprise
