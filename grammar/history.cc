#include "grammar/history.h"

#include <map>

#include "absl/container/flat_hash_set.h"

namespace reprise {
namespace {

using Literals = std::unordered_map<std::string, std::string>;

// State of one instance of the model.
struct InstanceState {
  Literals literals;
  Dtype parameters = Dtype::kF32;
};

bool OfInstance(const Slot& slot) {
  const std::string home = slot.home->name;
  return home == "attr" || home == "submodule" || home == "dict" || home == "list" ||
         home == "buffer" || home == "param";
}

class Replay {
 public:
  explicit Replay(const TestCase& test) : test_(test) {
    history_.written = &test.ops;
    for (const Slot& slot : test.slots) {
      if (!OfInstance(slot)) shared_[slot.name] = slot.value;
    }
    Instance();
  }

  void Do(const Step& step) {
    const std::string word = step.row->name;
    if (word == "set") {
      if (step.attrs[2] == "factory") Renew();
      Literal(step.attrs[0]) = step.attrs[1];
    } else if (word == "delete") {
      Literal(step.attrs[0]) = FindSlot(test_, step.attrs[0])->below;
    } else if (word == "swap") {
      std::swap(Literal(step.attrs[0]), Literal(step.attrs[1]));
    } else if (word == "tie") {
      const std::string held = Literal(step.attrs[1]);
      Literal(step.attrs[0]) = held;
    } else if (word == "cast") {
      Instance().parameters = *ParseDtype(step.attrs[0]);
    } else if (word == "instance") {
      current_ = ParseInt(step.attrs[0], 1);
    } else if (word == "variant") {
      Renew();
      Vary(step);
    } else if (word == "flag" && step.attrs[0] == "default_dtype") {
      history_.factories = *ParseDtype(step.attrs[1]);
    }
  }

  History Result() {
    const InstanceState& instance = Instance();
    history_.literals = shared_;
    history_.literals.insert(instance.literals.begin(), instance.literals.end());
    for (const Op& op : test_.ops) {
      for (size_t i = 0; i < op.attrs.size(); ++i) {
        if (op.row->attrs[i].kind == AttrKind::kWritten) history_.literals[op.attrs[i]].clear();
      }
    }
    history_.parameters = instance.parameters;
    return std::move(history_);
  }

 private:
  InstanceState& Instance() {
    const auto [it, made] = instances_.try_emplace(current_);
    if (made) {
      for (const Slot& slot : test_.slots) {
        if (OfInstance(slot)) it->second.literals[slot.name] = slot.value;
      }
    }
    return it->second;
  }

  // The model is made anew.
  void Renew() { instances_.erase(current_); }

  std::string& Literal(const std::string& slot) {
    return OfInstance(*FindSlot(test_, slot)) ? Instance().literals[slot] : shared_[slot];
  }

  void Vary(const Step& step) {
    if (!history_.varied) history_.varied = test_.ops;
    for (Op& op : *history_.varied) {
      if (op.name != step.attrs[0]) continue;
      for (size_t i = 0; i < op.attrs.size(); ++i) {
        if (step.attrs[1] == op.row->attrs[i].name) op.attrs[i] = step.attrs[2];
      }
    }
  }

  const TestCase& test_;
  Literals shared_;
  std::map<int64_t, InstanceState> instances_;
  int64_t current_ = 1;
  History history_;
};

}  // namespace

bool ChangesHistory(const Step& step) {
  // The words that Replay::Do knows.
  static const auto* rows = new absl::flat_hash_set<const StepRow*>{
      FindStep("set"),  FindStep("delete"),   FindStep("swap"),    FindStep("tie"),
      FindStep("cast"), FindStep("instance"), FindStep("variant"), FindStep("flag")};
  return rows->contains(step.row);
}

History HistoryBefore(const TestCase& test, size_t step) {
  Replay replay(test);
  for (size_t i = 0; i < step && i < test.steps.size(); ++i) replay.Do(test.steps[i]);
  return replay.Result();
}

}  // namespace reprise
