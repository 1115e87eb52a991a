// PyTorch's spelling of the operators of grammar/op_table_arrays.cc.
#include "frameworks/pytorch/dialect.h"

namespace reprise {

std::map<std::string, OpTemplate> PyTorchArrayOperators() {
  return {
      {"square", {"torch.square({0})"}},
      {"rsqrt", {"torch.rsqrt({0}.abs() + 0.1)"}},
      {"remainder", {"torch.remainder({0}, {1})"}},
      {"addcmul", {"torch.addcmul({0}, {1}, {2}, value=0.5)"}},
      {"logical_not", {"torch.logical_not({0})"}},
      {"to_int", {"torch.nan_to_num({0}.clamp(-1000, 1000)).to(torch.int64)"}},
      {"sub_", {"{0}.sub_({1})"}},
      {"clamp_", {"{0}.clamp_({lo}, {hi})"}},
      {"index_fill_", {"{0}.index_fill_(0, torch.tensor([0]), 1.0)"}},
      {"split_size", {"torch.split({0}, {size}, dim={dim})[{take}]"}},
      {"movedim", {"{0}.movedim({a}, {b})"}},
      {"slice_last", {"{0}[..., {from}:{to}:{step}]"}},
      {"expand_rows", {"{0}[:1].expand({rows}, *{0}.shape[1:])"}},
      {"tile", {"{0}.repeat({1}, *[1] * ({0}.dim() - 1))"}},
      {"repeat_interleave", {"{0}.repeat_interleave({times}, dim={dim})"}},
      {"diagonal", {"torch.diagonal({0}, {shift})"}},
      {"unfold", {"{0}.unfold({dim}, {size}, {step})"}},
      {"own_strides", {"torch.as_strided({0}, {0}.shape, {0}.stride())"}},
      {"channels_last", {"{0}.to(memory_format=torch.channels_last)"}},
      {"max", {"{0}.max({dim}).values"}},
      {"std", {"{0}.std({dim})"}},
      {"prod", {"{0}.prod({dim})"}},
      {"any", {"({0} > 0).any({dim})"}},
      {"all", {"({0} > 0).all({dim})"}},
      {"cosine_similarity", {"F.cosine_similarity({0}, {1}, dim={dim})"}},
      {"cdist", {"torch.cdist({0}, {1}, p=1.0)"}},
      {"index_select", {"torch.index_select({0}, {dim}, {1} % {0}.shape[{dim}])"}},
      {"take_along", {"torch.take_along_dim({0}, {1} % {0}.shape[{dim}], dim={dim})"}},
      {"index_add", {"{0}.index_add({dim}, {1} % {0}.shape[{dim}], {2})"}},
      {"ones", {"torch.ones({0}, {1})"}},
      {"new_zeros", {"{0}.new_zeros({1})"}},
      {"empty_copy", {"torch.empty_like({0}).copy_({0})"}},
      {"nested",
       {.statements = "\ndef {name}_inner(x):\n    return {fn:x}\n\n{name} = {name}_inner({0})"}},
  };
}

}  // namespace reprise
