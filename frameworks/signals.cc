#include "frameworks/signals.h"

#include <cstddef>

namespace reprise {
namespace {

// Position of a word, or of the row that stands for all others.
int WordOrLast(const std::vector<SignalWord>& table, const std::string& word, int* unknown) {
  const int found = FindWord(table, word);
  if (found >= 0) return found;
  ++*unknown;
  return static_cast<int>(table.size()) - 1;
}

}  // namespace

const std::vector<SignalWord>& CompilerEvents() {
  static const auto* rows = new std::vector<SignalWord>{
      {"reused", "ran what was compiled before"},
      {"cold", "compiled what had no entry yet"},
      {"recompiled_static", "compiled another entry, all sizes and numbers fixed"},
      {"recompiled_dynamic", "compiled another entry, some size or number left open"},
      {"fallback", "ran uncompiled: the limit of recompiles is reached"},
      {"skipped", "ran uncompiled: there was nothing to compile, or it could not be"},
      {"error", "raised"},
  };
  return *rows;
}

const std::vector<SignalWord>& GuardKinds() {
  static const auto* rows = new std::vector<SignalWord>{
      {"tensor", "all attributes of a tensor"},
      {"tensor_type", "whether a value is a tensor, and its class"},
      {"tensor_keys", "device type, autograd and other functionality of a tensor"},
      {"tensor_dtype", "element type"},
      {"tensor_device", "index of the device"},
      {"tensor_grad", "requires_grad"},
      {"tensor_rank", "number of dimensions"},
      {"tensor_size", "a size"},
      {"tensor_stride", "a stride, or the order in memory"},
      {"metadata", "metadata of a tensor subclass"},
      {"mark", "promises about dimensions"},
      {"no_alias", "that tensors are different objects"},
      {"alias", "which values are one object"},
      {"overlap", "which tensors share memory"},
      {"type", "class of a value"},
      {"identity", "that a value is one object"},
      {"code", "code of a function"},
      {"equals", "an equal value"},
      {"none", "that a value is None"},
      {"not_none", "that a value is not None"},
      {"length", "length of a container"},
      {"keys", "keys of a dictionary, attributes of an object"},
      {"contains", "whether a container has an element"},
      {"hasattr", "whether an object has an attribute"},
      {"iterator", "where an iterator stands"},
      {"version", "version of a dictionary"},
      {"missing", "anything: what it looks at is gone"},
      {"shape", "an expression of sizes and numbers that are left open"},
      {"grad_mode", "whether gradients are recorded"},
      {"autocast", "autocast, and its element type"},
      {"default_dtype", "element type of what factories make"},
      {"default_device", "device of what factories make"},
      {"deterministic", "whether deterministic operators are asked for"},
      {"threads", "number of threads"},
      {"precision", "precision of matrix products"},
      {"function_modes", "modes that override functions"},
      {"saved_tensors", "hooks on what backward needs"},
      {"transforms", "function transforms in force"},
      {"forward_ad", "levels of forward differentiation"},
      {"global_state", "flags of the process, together"},
      {"backend", "backend of the compiler"},
      {"unexpected", "nothing: the compiler itself knows no reason"},
      {"other", "anything else"},
  };
  return *rows;
}

const std::vector<SignalWord>& GuardSources() {
  static const auto* rows = new std::vector<SignalWord>{
      {"argument", "argument of the call, or default of its parameter"},
      {"model", "the model itself"},
      {"attribute", "attribute of the model or of a submodule"},
      {"parameter", "trainable parameter"},
      {"buffer", "buffer"},
      {"class", "attribute of a class"},
      {"global", "global variable"},
      {"closure", "variable of an enclosing function"},
      {"default", "default of a parameter of a function that is called"},
      {"element", "element of a dictionary, list or tuple"},
      {"field", "attribute of a plain object"},
      {"shape", "sizes and numbers together"},
      {"process", "flag or mode of the process"},
      {"library", "the framework itself, and built-in functions"},
      {"other", "anything else"},
  };
  return *rows;
}

const std::vector<SignalWord>& GuardOutcomes() {
  static const auto* rows = new std::vector<SignalWord>{
      {"failed", "an entry could not serve the call"},
      {"held", "the entry that served the call"},
  };
  return *rows;
}

int FindWord(const std::vector<SignalWord>& table, const std::string& word) {
  for (size_t i = 0; i < table.size(); ++i) {
    if (word == table[i].word) return static_cast<int>(i);
  }
  return -1;
}

void AddEvent(const std::string& event, CallSignals* signals) {
  if (event.empty()) return;
  if (FindWord(CompilerEvents(), event) >= 0) {
    signals->event = event;
  } else {
    ++signals->unknown;
  }
}

void AddGuard(const std::string& kind, const std::string& source, const std::string& outcome,
              CallSignals* signals) {
  const int found = FindWord(GuardOutcomes(), outcome);
  if (found < 0) {
    ++signals->unknown;
    return;
  }
  signals->guards.push_back({WordOrLast(GuardKinds(), kind, &signals->unknown),
                             WordOrLast(GuardSources(), source, &signals->unknown), found});
}

bool Compiled(const CallSignals& signals) {
  return signals.event == "cold" || signals.event == "recompiled_static" ||
         signals.event == "recompiled_dynamic";
}

}  // namespace reprise
