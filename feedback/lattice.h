// Lattices of behaviour keys: fixed tables of what can be told apart. A lattice is a product of
// axes, a family is a list of lattices one behind the other, and a cell of a family is a position
// in it. Rules say which cells cannot occur, and why.
#ifndef REPRISE_FEEDBACK_LATTICE_H_
#define REPRISE_FEEDBACK_LATTICE_H_

#include <string>
#include <vector>

#include "feedback/features.h"

namespace reprise {

struct Axis {
  std::string name;
  std::vector<std::string> values;
};

// Position of a value on an axis; -1 if it has none of that name.
int Find(const Axis& axis, const std::string& value);

class Lattice {
 public:
  explicit Lattice(std::vector<Axis> axes);
  const std::vector<Axis>& axes() const { return axes_; }
  size_t cells() const { return cells_; }
  // `at` has one position per axis, each on its axis.
  size_t Cell(const std::vector<size_t>& at) const;
  std::vector<size_t> At(size_t cell) const;

 private:
  std::vector<Axis> axes_;
  size_t cells_ = 1;
};

// A cell in words: one value per axis of its lattice.
class Point {
 public:
  Point(const Lattice& lattice, size_t cell) : lattice_(lattice), at_(lattice.At(cell)) {}
  // Is this the value on that axis? False too where the lattice has no such axis.
  bool Is(const std::string& axis, const std::string& value) const;
  // Does the lattice have the axis, with another value here?
  bool IsNot(const std::string& axis, const std::string& value) const;
  // Value on an axis; "" where the lattice has none of that name.
  std::string On(const std::string& axis) const;
  // Values in the order of the axes.
  std::string Text() const;

 private:
  const Lattice& lattice_;
  const std::vector<size_t> at_;
};

struct Rule {
  std::string reason;
  bool (*excludes)(const Point& point);
};

struct Family {
  std::string name;
  Domain domain;
  std::vector<Lattice> lattices;
  std::vector<Rule> rules;

  size_t cells() const;
  // Cell of the family for a cell of its lattice number `lattice`.
  size_t Cell(size_t lattice, const std::vector<size_t>& at) const;
  Point PointOf(size_t cell) const;
  // "path: recompiled_dynamic, no graph break, forward"
  std::string NameOf(size_t cell) const;
  // Why the cell cannot occur; nullptr if it can.
  const Rule* Excluded(size_t cell) const;
};

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LATTICE_H_
