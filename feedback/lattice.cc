#include "feedback/lattice.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace reprise {
namespace {

const Axis* FindAxis(const Lattice& lattice, const std::string& name, size_t* index) {
  for (*index = 0; *index < lattice.axes().size(); ++*index) {
    if (lattice.axes()[*index].name == name) return &lattice.axes()[*index];
  }
  return nullptr;
}

}  // namespace

int Find(const Axis& axis, const std::string& value) {
  for (size_t i = 0; i < axis.values.size(); ++i) {
    if (axis.values[i] == value) return static_cast<int>(i);
  }
  return -1;
}

Lattice::Lattice(std::vector<Axis> axes) : axes_(std::move(axes)) {
  for (const Axis& axis : axes_) cells_ *= axis.values.size();
}

size_t Lattice::Cell(const std::vector<size_t>& at) const {
  size_t cell = 0;
  for (size_t i = 0; i < axes_.size(); ++i) cell = cell * axes_[i].values.size() + at[i];
  return cell;
}

std::vector<size_t> Lattice::At(size_t cell) const {
  std::vector<size_t> at(axes_.size());
  for (size_t i = axes_.size(); i-- > 0; cell /= axes_[i].values.size())
    at[i] = cell % axes_[i].values.size();
  return at;
}

std::string Point::On(const std::string& axis) const {
  size_t i = 0;
  const Axis* found = FindAxis(lattice_, axis, &i);
  return found == nullptr ? "" : found->values[at_[i]];
}

bool Point::Is(const std::string& axis, const std::string& value) const {
  return On(axis) == value;
}

bool Point::IsNot(const std::string& axis, const std::string& value) const {
  const std::string here = On(axis);
  return !here.empty() && here != value;
}

std::string Point::Text() const {
  std::vector<std::string> words;
  for (size_t i = 0; i < at_.size(); ++i) words.push_back(lattice_.axes()[i].values[at_[i]]);
  return absl::StrJoin(words, ", ");
}

size_t Family::cells() const {
  size_t cells = 0;
  for (const Lattice& lattice : lattices) cells += lattice.cells();
  return cells;
}

size_t Family::Cell(size_t lattice, const std::vector<size_t>& at) const {
  size_t base = 0;
  for (size_t i = 0; i < lattice; ++i) base += lattices[i].cells();
  return base + lattices[lattice].Cell(at);
}

Point Family::PointOf(size_t cell) const {
  size_t lattice = 0;
  while (cell >= lattices[lattice].cells()) cell -= lattices[lattice++].cells();
  return {lattices[lattice], cell};
}

std::string Family::NameOf(size_t cell) const {
  return absl::StrCat(name, ": ", PointOf(cell).Text());
}

const Rule* Family::Excluded(size_t cell) const {
  const Point point = PointOf(cell);
  for (const Rule& rule : rules) {
    if (rule.excludes(point)) return &rule;
  }
  return nullptr;
}

}  // namespace reprise
