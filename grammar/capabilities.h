// What a framework can do, in the words of the tables. Repair makes cases fit; tests demand that
// every row is either covered by a template or listed here with a reason.
#ifndef REPRISE_GRAMMAR_CAPABILITIES_H_
#define REPRISE_GRAMMAR_CAPABILITIES_H_

#include <map>
#include <string>
#include <vector>

#include "grammar/types.h"

namespace reprise {

struct Capabilities {
  std::string framework;
  // From the one with the fewest stages of the compiler on; the first one stands for "default".
  std::vector<std::string> backends;
  std::vector<std::string> slow_backends;  // of these, what takes seconds to compile anything
  std::vector<Dtype> dtypes;
  // "op:conv2d" -> why not. Kinds: op, home, step, layout, predicate, form (of callables), mark,
  // context, flag, compile, type, argument (grad, tag).
  std::map<std::string, std::string> unsupported;
  // Words ("context:function_mode" around a call, "argument:tag") with which a backend's programs
  // have no defined result, with the reason.
  struct Conflict {
    std::string word, backend, reason;
  };
  std::vector<Conflict> conflicts;

  // nullptr if the row is supported, else the reason.
  const std::string* WhyNot(const std::string& kind, const std::string& name) const {
    const auto it = unsupported.find(kind + ":" + name);
    return it == unsupported.end() ? nullptr : &it->second;
  }
};

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_CAPABILITIES_H_
