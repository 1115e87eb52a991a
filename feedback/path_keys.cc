// Path keys: what the compiler did x graph breaks x direction.
#include <algorithm>

#include "feedback/families.h"

namespace reprise {
namespace {

enum Direction : size_t { kForward, kBackward };

}  // namespace

const Family& PathFamily() {
  static const auto* family = new Family{
      "path",
      Domain::kPath,
      {Lattice({EventAxis(),
                {"breaks", {"no graph break", "one graph break", "more graph breaks"}},
                {"direction", {"forward", "backward"}}})},
      {{"a backward is derived from finished graphs, in which nothing breaks",
        [](const Point& p) {
          return p.Is("direction", "backward") && p.IsNot("breaks", "no graph break");
        }},
       {"breaks are met while tracing, and what is reused is not traced",
        [](const Point& p) {
          return p.Is("event", "reused") && p.IsNot("breaks", "no graph break");
        }},
       {"a backward belongs to its forward: it is not skipped, and has no limit of its own",
        [](const Point& p) {
          return p.Is("direction", "backward") &&
                 (p.Is("event", "skipped") || p.Is("event", "fallback"));
        }}}};
  return *family;
}

void AddPathCells(const SeenStep& seen, Cells* cells) {
  const Family& family = PathFamily();
  const auto breaks = static_cast<size_t>(std::clamp(seen.signals.graph_breaks, 0, 2));
  if (seen.step().row == FindStep("backward")) {
    cells->push_back(family.Cell(0, {seen.event, 0, kBackward}));
  } else {  // a call, or a step of a compiled optimizer
    cells->push_back(family.Cell(0, {seen.event, breaks, kForward}));
  }
}

}  // namespace reprise
