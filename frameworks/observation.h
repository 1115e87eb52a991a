// What one step of a program showed, as frameworks/host.py collects it.
#ifndef REPRISE_FRAMEWORKS_OBSERVATION_H_
#define REPRISE_FRAMEWORKS_OBSERVATION_H_

#include <optional>
#include <string>
#include <vector>

#include "frameworks/signals.h"
#include "grammar/types.h"

namespace reprise {

// One value: a tensor with its attributes, a Python scalar, or the frame of a container.
struct Leaf {
  std::string section;     // process, results, arguments, gradients, state, given
  std::string path;        // "result[0]", "model.h.weight"
  std::string kind;        // tensor, float, int, bool, str, NoneType, list, ..., missing
  std::string dtype;       // tensors: as Name(Dtype) where we know it
  Shape shape;             // tensors
  std::vector<int> order;  // tensors: dimensions from outermost to innermost in memory
  bool requires_grad = false;
  int alias = -1;    // index of the first leaf that lies in the same storage; -1: in none
  std::string data;  // tensors, floats: raw little-endian elements, row by row; else text
};

struct Raised {
  std::string outer;                // class of the exception that reached the program
  std::string root;                 // class of its root cause
  std::vector<std::string> frames;  // deepest frames inside installed packages, innermost last
  std::string text;
};

struct Outcome {
  std::optional<Raised> raised;
  std::vector<Leaf> leaves;  // judged steps only
  CallSignals signals;       // judged steps only: what the compiler did

  // The leaf of this path, or nullptr.
  const Leaf* Find(const std::string& section, const std::string& path) const {
    for (const Leaf& leaf : leaves) {
      if (leaf.path == path && leaf.section == section) return &leaf;
    }
    return nullptr;
  }
};

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_OBSERVATION_H_
