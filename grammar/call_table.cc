// What calls are made of besides shapes: argument patterns, layouts, marks, contexts and process
// flags.
#include "grammar/tables.h"

namespace reprise {

const std::vector<PatternRow>& Patterns() {
  static const auto* rows = new std::vector<PatternRow>{
      {Pattern::kFresh, "fresh", "a tensor of its own"},
      {Pattern::kView, "view", "a view of a base of this call, at an offset"},
      {Pattern::kName, "name", "the object of another input, or of a slot"},
      {Pattern::kValue, "value", "a literal"},
      {Pattern::kOutput, "output", "what an earlier call returned"},
      {Pattern::kItems, "items", "a container of arguments"},
  };
  return *rows;
}

const PatternRow* FindPattern(Pattern pattern) { return &Patterns()[static_cast<size_t>(pattern)]; }

const std::vector<LayoutRow>& Layouts() {
  static const auto* rows = new std::vector<LayoutRow>{
      {"contiguous", 0, false, "row by row"},
      {"transposed", 2, false, "last two dimensions stored in the other order"},
      {"strided", 1, false, "every second element of a wider tensor"},
      {"offset", 1, false, "starts inside its storage"},
      {"channels_last", 4, false, "channels innermost"},
      {"expanded", 1, true, "first dimension repeats one row"},
  };
  return *rows;
}

const std::vector<MarkRow>& Marks() {
  static const auto* rows = new std::vector<MarkRow>{
      {"dynamic", "the size changes between calls"},
      {"ranged", "the size changes between calls, from 2 to 64"},
      {"maybe", "the size may be treated as changing"},
      {"static", "the size never changes"},
      {"unbacked", "the size is not to be looked at while tracing"},
  };
  return *rows;
}

const std::vector<ContextRow>& Contexts() {
  constexpr unsigned kBoth = kAround | kInside;
  static const auto* rows = new std::vector<ContextRow>{
      {"no_grad", kBoth | kNoGrad, "gradients are not recorded"},
      {"enable_grad", kBoth, "gradients are recorded"},
      {"inference_mode", kBoth | kNoGrad, "neither gradients nor versions are recorded"},
      {"autocast_bf16", kBoth, "matrix products in bf16"},
      {"autocast_f16", kBoth, "matrix products in f16"},
      {"default_device_meta", kAround, "factories make tensors without data"},
      {"function_mode", kAround, "every sine of a tensor is negated"},
      {"saved_tensors", kAround, "what backward needs passes through hooks that change nothing"},
      {"checkpoint", kInside | kTransform, "recomputed in backward"},
      {"vmap", kInside | kTransform | kBatched, "mapped over the first dimension"},
      {"func_grad", kInside | kTransform | kOwnGrad, "gradient of the sum of the result"},
      {"jvp", kInside | kTransform, "derivative along a direction of ones"},
      {"compiled", kInside | kTransform, "a compiled function of its own"},
      {"disabled", kInside | kTransform, "left uncompiled on request"},
  };
  return *rows;
}

const std::vector<FlagRow>& ProcessFlags() {
  static const auto* rows = new std::vector<FlagRow>{
      {"grad", "on|off", "gradients are recorded"},
      {"autocast", "off|bf16|f16", "matrix products run in a narrow type"},
      {"default_dtype", "f32|f64|bf16", "element type of what factories make"},
      {"default_device", "none|cpu|meta", "where factories put what they make"},
      {"deterministic", "off|on", "operators without a deterministic form raise"},
      {"threads", "1|2", "threads inside operators"},
      {"matmul_precision", "highest|high|medium", "precision of products of f32"},
  };
  return *rows;
}

}  // namespace reprise
