#include "feedback/behaviour.h"

#include <algorithm>

#include "feedback/features.h"

namespace reprise {
namespace {

enum Event { kCold, kReused, kRecompiled, kFallback, kEvents };

// How a call relates to the calls before it.
enum Relation { kFirst, kSameAsLast, kSameAsEarlier, kOther, kRelations };

Relation RelationOf(const TestCase& test, size_t index) {
  const Step& root = test.steps[static_cast<size_t>(RootOfCall(test, static_cast<int>(index)))];
  Relation relation = kFirst;
  for (size_t i = 0; i < index; ++i) {
    if (!IsCall(test.steps[i])) continue;
    const Step& earlier = test.steps[static_cast<size_t>(RootOfCall(test, static_cast<int>(i)))];
    if (earlier.arguments == root.arguments) {
      relation = kSameAsLast;
    } else if (relation == kSameAsLast || relation == kSameAsEarlier) {
      relation = kSameAsEarlier;
    } else {
      relation = kOther;
    }
  }
  return relation;
}

size_t RowOf(const StepRow* row) { return static_cast<size_t>(row - Steps().data()); }

}  // namespace

void EmitBehaviour(const TestCase& test, const std::vector<StepBehaviour>& steps) {
  EmitFeature(Domain::kAlive, 0);
  bool compiled = false;
  size_t between = 0;  // the last state operation since the call before, 0 for none
  for (size_t i = 0; i < test.steps.size() && i < steps.size(); ++i) {
    const Step& step = test.steps[i];
    if (steps[i].event.empty()) {
      if (!IsJudged(step)) between = RowOf(step.row) + 1;
      continue;
    }
    Event event = kFallback;
    if (steps[i].event == "reused") event = kReused;
    if (steps[i].event == "compiled") event = compiled ? kRecompiled : kCold;
    compiled |= event == kCold;
    const size_t relation = IsCall(step) ? RelationOf(test, i) : static_cast<size_t>(kRelations);
    const size_t broke = steps[i].graph_breaks > 0 ? 1 : 0;
    EmitFeature(Domain::kPath,
                ((between * (kRelations + 1) + relation) * kEvents + event) * 2 + broke);
    for (const Op& op : test.ops) {
      const auto row = static_cast<size_t>(op.row - Operators().data());
      EmitFeature(Domain::kWords, row * kEvents + event);
    }
    for (const Slot& slot : test.slots) {
      const size_t verbs = Steps().size() + 1;
      const auto home = static_cast<size_t>(slot.home - Homes().data());
      const size_t type = Homes().size() + static_cast<size_t>(slot.type);
      for (const size_t row : {home, type})
        EmitFeature(Domain::kWords, 1024 + (row * verbs + between) * kEvents + event);
    }
    if (IsCall(step)) between = 0;
  }
}

}  // namespace reprise
