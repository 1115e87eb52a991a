// Invariants of two calls of a sequence between which nothing but calls happened: the same call
// again, or one that passes more, fewer or other rows of the same tensors.
//
// Tensors of equal seed, dtype and scale begin with the same elements (LANGUAGE.md), so a call with
// another first size shares rows with an earlier one, and so do two views of one base. That makes
// the metamorphic relations of batch and time cost nothing: the mutators change one size of an
// earlier call all the time.
#include <algorithm>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "grammar/follow_rows.h"
#include "grammar/history.h"
#include "oracle/invariant_rows.h"
#include "oracle/numerics.h"

namespace reprise {
namespace {

const Step& CallAt(const TestCase& test, int step) {
  return test.steps[static_cast<size_t>(RootOfCall(test, step))];
}

// The nearest earlier call at which `fits` holds, with nothing but calls in between.
template <typename Fits>
std::optional<int> EarlierCall(const Trajectory& t, int step, Fits fits) {
  for (int j = step - 1; j >= 0; --j) {
    const Step& other = t.test.steps[static_cast<size_t>(j)];
    if (other.row == FindStep("drop")) continue;
    if (!IsCall(other)) return std::nullopt;
    const Outcome* outcome = t.steps[static_cast<size_t>(j)];
    if (outcome == nullptr || outcome->raised) return std::nullopt;
    if (fits(j)) return j;
  }
  return std::nullopt;
}

// Can calls of the model be compared with each other? What draws, or leaves something for the next
// call, makes them incomparable.
bool IsMemoryless(const TestCase& test, int step) {
  if (Writes(test) || HasFlag(test, kPythonRandom | kRaises)) return false;
  const auto draws = [](const Op& op) { return (op.row->flags & (kRandom | kByMode)) == kRandom; };
  if (std::any_of(test.ops.begin(), test.ops.end(), draws)) return false;
  return !HasFlag(test, kByMode) || IsEvaluating(test, step);
}

// Rows `from` to `from + count` of a leaf along a dimension, as a leaf.
Leaf RowsOf(const Leaf& leaf, size_t axis, size_t from, size_t count) {
  size_t outer = 1, inner = 1;
  for (size_t d = 0; d < leaf.shape.size(); ++d) {
    if (d != axis) (d < axis ? outer : inner) *= static_cast<size_t>(leaf.shape[d]);
  }
  const auto length = static_cast<size_t>(leaf.shape[axis]);
  const size_t bytes = leaf.data.size() / std::max<size_t>(outer * length * inner, 1) * inner;
  Leaf rows = leaf;
  rows.shape[axis] = static_cast<int64_t>(count);
  rows.data.clear();
  for (size_t o = 0; o < outer; ++o)
    rows.data += leaf.data.substr((o * length + from) * bytes, count * bytes);
  return rows;
}

// Which rows two calls share: along `axis` of the inputs, `count` of them, from `here` in the later
// call and from `there` in the earlier one.
struct Shared {
  std::map<std::string, size_t> sources;  // inputs that are not the same in both, and the dimension
  size_t here = 0, there = 0, count = 0;
};

// Of one input. False where the two arguments are not rows of one tensor.
bool ShareRows(const Argument& a, const Argument& b, const std::string& name, Shared* shared) {
  if (a.pattern != b.pattern || a.dtype != b.dtype || a.scale != b.scale) return false;
  if (a.shape.size() != b.shape.size() || a.shape.empty() || a.tag != b.tag) return false;
  const bool view = a.pattern->pattern == Pattern::kView;
  if (!view && a.pattern->pattern != Pattern::kFresh) return false;
  if (!view && (a.layout->overlapping || b.layout->overlapping)) return false;
  if (view && a.base != b.base) return false;
  size_t axis = 0;
  while (axis + 1 < a.shape.size() && a.shape[axis] == 1 && b.shape[axis] == 1) ++axis;
  int64_t row = 1;
  for (size_t d = axis + 1; d < a.shape.size(); ++d) {
    if (a.shape[d] != b.shape[d]) return false;
    row *= a.shape[d];
  }
  const int64_t a_from = view ? a.offset : 0, b_from = view ? b.offset : 0;
  if (row == 0 || (a_from - b_from) % row != 0) return false;
  const int64_t from = std::max(a_from, b_from);
  const int64_t to = std::min(a_from + a.shape[axis] * row, b_from + b.shape[axis] * row);
  if (to <= from) return false;
  const Shared mine{{},
                    static_cast<size_t>((from - a_from) / row),
                    static_cast<size_t>((from - b_from) / row),
                    static_cast<size_t>((to - from) / row)};
  const bool first = shared->sources.empty();
  if (!first &&
      (mine.here != shared->here || mine.there != shared->there || mine.count != shared->count))
    return false;
  shared->here = mine.here;
  shared->there = mine.there;
  shared->count = mine.count;
  shared->sources[name] = axis;
  return true;
}

bool HasViews(const Step& call) {
  return std::any_of(call.arguments.begin(), call.arguments.end(), [](const Argument& a) {
    return a.pattern->pattern == Pattern::kView || a.pattern->pattern == Pattern::kItems;
  });
}

// What two calls share if they differ in rows alone; nullopt if they differ in more, or not at all.
std::optional<Shared> SharedRows(const TestCase& test, int step, int other) {
  const Step &a = CallAt(test, step), &b = CallAt(test, other);
  if (a.attrs != b.attrs || !a.attrs[1].empty()) return std::nullopt;
  // Bases are numbered within a call, so that two of them may be other ones in another call.
  if (test.inputs.size() > 1 && (HasViews(a) || HasViews(b))) return std::nullopt;
  Shared shared;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    if (a.arguments[i] == b.arguments[i]) continue;
    if (!ShareRows(a.arguments[i], b.arguments[i], test.inputs[i].name, &shared))
      return std::nullopt;
  }
  // An input that is named after one that differs differs, too.
  for (const Argument& argument : a.arguments) {
    if (argument.pattern->pattern == Pattern::kName && shared.sources.contains(argument.value))
      return std::nullopt;
  }
  if (shared.sources.empty()) return std::nullopt;
  return shared;
}

// `perturbed` costs a run, and is asked for only where the two are not close.
bool Agree(const Leaf& here, const Leaf& there, const std::string& coarsest,
           const std::function<std::optional<Leaf>()>& perturbed) {
  if (here.kind != there.kind || here.dtype != there.dtype || here.shape != there.shape)
    return false;
  if (CompareValues(there, here, nullptr, true, coarsest) == Agreement::kEqual) return true;
  const std::optional<Leaf> p = perturbed();
  return p && IllConditioned(there, here, &*p);
}

std::optional<Difference> Repeat(const Trajectory& t, int step) {
  const TestCase& test = t.test;
  // Random operators are seeded with the call.
  if (!IsCall(test.steps[static_cast<size_t>(step)]) || Writes(test) ||
      HasFlag(test, kPythonRandom | kRaises))
    return std::nullopt;
  const auto first =
      EarlierCall(t, step, [&](int j) { return CallAt(test, j) == CallAt(test, step); });
  if (!first) return std::nullopt;
  const Outcome &here = *t.steps[static_cast<size_t>(step)],
                &there = *t.steps[static_cast<size_t>(*first)];
  for (size_t i = 0; i < here.leaves.size(); ++i) {
    const Leaf& leaf = here.leaves[i];
    if (leaf.section != "results") continue;
    const Leaf* before = LeafLike(&there, i, leaf);
    if (before == nullptr)
      return Difference{leaf.section, leaf.path, "", "is of another form than at the first time"};
    const auto perturbed = [&]() -> std::optional<Leaf> {
      const Leaf* like = LeafLike(t.perturbed(step), i, leaf);
      return like == nullptr ? std::nullopt : std::optional<Leaf>(*like);
    };
    if (Agree(leaf, *before, t.coarsest, perturbed)) continue;
    return Difference{leaf.section, leaf.path, "", DescribeValues(*before, leaf)};
  }
  return std::nullopt;
}

// Which of the relations of rows is asked for.
enum class Relation { kSplit, kMoved, kCausal };

std::optional<Relation> RelationOf(const Track& track, const Shared& shared) {
  if (track.flow == Flow::kRows)
    return shared.here == shared.there ? Relation::kSplit : Relation::kMoved;
  if (track.flow == Flow::kPrefix && shared.here == 0 && shared.there == 0)
    return Relation::kCausal;
  return std::nullopt;
}

// Of one returned value. `axis`: where its rows lie.
std::optional<Difference> CompareRows(const Trajectory& t, int step, int other,
                                      const Shared& shared, const std::string& path, size_t axis) {
  const Outcome& outcome = *t.steps[static_cast<size_t>(step)];
  const Leaf *here = outcome.Find("results", path),
             *there = t.steps[static_cast<size_t>(other)]->Find("results", path);
  if (here == nullptr || there == nullptr || here->kind != "tensor" || there->kind != "tensor")
    return std::nullopt;
  const Leaf a = RowsOf(*here, axis, shared.here, shared.count);
  const Leaf b = RowsOf(*there, axis, shared.there, shared.count);
  const auto perturbed = [&]() -> std::optional<Leaf> {
    const auto index = static_cast<size_t>(here - outcome.leaves.data());
    const Leaf* like = LeafLike(t.perturbed(step), index, *here);
    return like == nullptr ? std::nullopt
                           : std::optional(RowsOf(*like, axis, shared.here, shared.count));
  };
  if (Agree(a, b, t.coarsest, perturbed)) return std::nullopt;
  return Difference{
      "results", path, "",
      absl::StrCat("rows that step ", other + 1, " was given too: ", DescribeValues(b, a))};
}

std::optional<Difference> Rows(const Trajectory& t, int step, Relation relation) {
  const TestCase& test = t.test;
  const auto at = static_cast<size_t>(step);
  if (!IsCall(test.steps[at]) || !IsMemoryless(test, step)) return std::nullopt;
  std::optional<Shared> shared;
  const auto other = EarlierCall(t, step, [&](int j) {
    shared = SharedRows(test, step, j);
    return shared.has_value();
  });
  if (!other || (shared->here != shared->there) != (relation == Relation::kMoved))
    return std::nullopt;
  const Inference built = InferCall(test, FirstCall(test), nullptr);
  const Inference inference = InferCall(test, step, &built);  // an earlier call was the first
  const auto tracks =
      FollowRows(HistoryBefore(test, at).ops(), inference, shared->sources, IsEvaluating(test, step));
  for (size_t i = 0; i < test.returns.size(); ++i) {
    const auto track = tracks.find(test.returns[i]);
    if (track == tracks.end() || RelationOf(track->second, *shared) != relation) continue;
    auto broken = CompareRows(t, step, *other, *shared, ResultPath(test, i), track->second.axis);
    if (broken) return broken;
  }
  return std::nullopt;
}

}  // namespace

std::vector<InvariantRow> SequenceInvariants() {
  constexpr char kWhen[] =
      "nothing but calls since an earlier call that passes some of the same rows; the model writes "
      "and draws nothing, and its operators keep the rows apart";
  constexpr char kRule[] = "numerics.h, without a reference";
  const auto along = [](Relation relation) {
    return [relation](const Trajectory& t, int step) { return Rows(t, step, relation); };
  };
  return {
      {"repeat", "any model: the same call again gives the same",
       "nothing but calls since then; the model writes nothing", kRule, Repeat},
      {"batch_split", "models without batch statistics: a batch gives what its parts give", kWhen,
       kRule, along(Relation::kSplit)},
      {"batch_permutation", "models without batch statistics: a row's result moves with it", kWhen,
       kRule, along(Relation::kMoved)},
      {"causal_prefix", "causal attention, recurrence, scans: the past does not know the future",
       kWhen, kRule, along(Relation::kCausal)},
  };
}

}  // namespace reprise
