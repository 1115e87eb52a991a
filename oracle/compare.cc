#include "oracle/compare.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "oracle/numerics.h"

namespace reprise {
namespace {

Difference At(const Leaf& leaf, const std::string& attribute, const std::string& expected,
              const std::string& actual) {
  return {leaf.section, leaf.path, attribute,
          absl::StrCat("expected ", expected, ", got ", actual)};
}

std::string AliasText(const Outcome& outcome, const Leaf& leaf) {
  if (leaf.alias < 0 || &outcome.leaves[leaf.alias] == &leaf) return "memory of its own";
  return absl::StrCat("the memory of ", outcome.leaves[leaf.alias].path);
}

std::optional<Difference> CompareAttributes(const Outcome& expected, const Outcome& actual,
                                            size_t index, Level level) {
  const Leaf &e = expected.leaves[index], &a = actual.leaves[index];
  if (e.kind != a.kind) return At(e, "kind", e.kind, a.kind);
  if (e.dtype != a.dtype) return At(e, "dtype", e.dtype, a.dtype);
  if (e.shape != a.shape) return At(e, "shape", ShapeText(e.shape), ShapeText(a.shape));
  if (level < Level::kStructured) return std::nullopt;
  if (e.order != a.order) {
    return At(e, "order", absl::StrJoin(e.order, ","), absl::StrJoin(a.order, ","));
  }
  if (e.requires_grad != a.requires_grad) {
    return At(e, "requires_grad", e.requires_grad ? "True" : "False",
              a.requires_grad ? "True" : "False");
  }
  if (e.alias != a.alias) return At(e, "alias", AliasText(expected, e), AliasText(actual, a));
  return std::nullopt;
}

bool IsAllowed(const Reference& reference, const Leaf& e, const Leaf& a) {
  return reference.known != nullptr && reference.known->Find(e, a) != nullptr;
}

// What was given is for the invariants. Below the structured level only what a call returns, or a
// backward computes, is looked at.
bool LooksAt(Level level, const Leaf& leaf) {
  if (leaf.section == "given") return false;
  return level >= Level::kStructured || leaf.section == "results" || leaf.section == "gradients";
}

std::optional<Difference> CompareLeaf(const Outcome& expected, const Outcome& actual, size_t index,
                                      const Reference& reference, Level level) {
  const Leaf &e = expected.leaves[index], &a = actual.leaves[index];
  if (auto difference = CompareAttributes(expected, actual, index, level)) {
    return IsAllowed(reference, e, a) ? std::nullopt : difference;
  }
  Agreement agreement = CompareValues(e, a, nullptr, false);
  if (agreement == Agreement::kAskReference) {
    agreement = CompareValues(e, a, LeafLike(reference.run(), index, e), true, reference.coarsest);
  }
  if (agreement == Agreement::kEqual || IsAllowed(reference, e, a)) return std::nullopt;
  if (IllConditioned(e, a, LeafLike(reference.perturbed(), index, e))) return std::nullopt;
  return Difference{e.section, e.path, "value", DescribeValues(e, a)};
}

}  // namespace

const Leaf* LeafLike(const Outcome* outcome, size_t index, const Leaf& like) {
  if (outcome == nullptr || index >= outcome->leaves.size()) return nullptr;
  const Leaf& leaf = outcome->leaves[index];
  const bool same = leaf.path == like.path && leaf.section == like.section;
  return same && leaf.shape == like.shape ? &leaf : nullptr;
}

bool GivenTheSame(const Outcome& expected, const Outcome& actual, const Reference& reference) {
  for (size_t i = 0; i < expected.leaves.size() && i < actual.leaves.size(); ++i) {
    const Leaf &e = expected.leaves[i], &a = actual.leaves[i];
    if (e.section != "given" || a.section != "given") continue;
    if (e.path != a.path || CompareLeaf(expected, actual, i, reference, Level::kThreeMode))
      return false;
  }
  return true;
}

std::optional<Difference> Compare(const Outcome& expected, const Outcome& actual,
                                  const Reference& reference, Level level) {
  if (expected.raised.has_value() != actual.raised.has_value()) {
    const bool unwanted = actual.raised.has_value();
    if (level == Level::kCrash && !unwanted) return std::nullopt;
    const Raised& raised = unwanted ? *actual.raised : *expected.raised;
    const std::string what = absl::StrCat(raised.root, ": ", raised.text);
    return Difference{"", "", "raises",
                      unwanted ? "raises " + what : absl::StrCat("does not raise ", what)};
  }
  if (level == Level::kCrash) return std::nullopt;
  for (size_t i = 0; i < expected.leaves.size() && i < actual.leaves.size(); ++i) {
    const Leaf &e = expected.leaves[i], &a = actual.leaves[i];
    if (e.section != a.section || e.path != a.path) return At(e, "tree", e.path, a.path);
    if (!LooksAt(level, e)) continue;
    if (auto difference = CompareLeaf(expected, actual, i, reference, level)) return difference;
  }
  if (expected.leaves.size() == actual.leaves.size()) return std::nullopt;
  const bool fewer = actual.leaves.size() < expected.leaves.size();
  const Outcome& longer = fewer ? expected : actual;
  const Leaf& leaf = longer.leaves[std::min(expected.leaves.size(), actual.leaves.size())];
  return Difference{leaf.section, leaf.path, "tree", fewer ? "is missing" : "was not expected"};
}

}  // namespace reprise
