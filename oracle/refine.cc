#include "oracle/refine.h"

#include <algorithm>
#include <unordered_map>

#include "absl/strings/str_cat.h"
#include "grammar/edit.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "grammar/resolve.h"

namespace reprise {
namespace {

class Refiner {
 public:
  Refiner(const Capabilities& can, const TestCase& test, const StillFails& still_fails, int checks)
      : can_(can), still_fails_(still_fails), checks_(checks), best_(test) {}

  TestCase Run(int failing_step) {
    TestCase cut = best_;
    if (failing_step + 1 < static_cast<int>(cut.steps.size())) {
      cut.steps.resize(static_cast<size_t>(failing_step) + 1);
      Try(cut);
    }
    EarlierStage();
    bool shorter = true;
    while (shorter && checks_ > 0) {
      shorter = DropSteps();
      shorter |= SimplifySteps();
      shorter |= SimplifyCalls();
      shorter |= DropModelParts();
      shorter |= DropOptions();
    }
    return best_;
  }

 private:
  // Takes the candidate if it is legal as it stands after repair, simpler, and still fails.
  bool Try(TestCase candidate) {
    Resolve(&candidate);
    Repair(can_, &candidate);
    if (Print(candidate).size() >= Print(best_).size()) return false;
    return Ask(std::move(candidate));
  }

  // Takes the legal candidate if it still fails.
  bool Ask(TestCase candidate) {
    Repair(can_, &candidate);
    const std::string text = Print(candidate);
    const auto known = answers_.find(text);
    if (known != answers_.end()) return false;  // a taken candidate would be best_ by now
    if (checks_ <= 0) return false;
    --checks_;
    const bool fails = still_fails_(candidate);
    answers_[text] = fails;
    if (fails) best_ = std::move(candidate);
    return fails;
  }

  // The earliest backend that shows the failure: it has the fewest stages, and compiles fastest.
  void EarlierStage() {
    for (const std::string& backend : can_.backends) {
      if (backend == best_.compile[kBackend]) return;
      TestCase candidate = best_;
      candidate.compile[kBackend] = backend;
      if (Ask(std::move(candidate))) return;
    }
  }

  bool DropSteps() {
    bool any = false;
    for (size_t i = best_.steps.size(); i-- > 0;) {
      if (i >= best_.steps.size()) continue;
      TestCase candidate = best_;
      EraseStep(i, &candidate);
      any |= Try(std::move(candidate));
    }
    return any;
  }

  // What a step says beyond what it has to: how a slot is set, under which context a call runs.
  bool SimplifySteps() {
    bool any = false;
    for (size_t i = 0; i < best_.steps.size(); ++i) {
      for (size_t k = 0; i < best_.steps.size() && k < best_.steps[i].attrs.size(); ++k) {
        const AttrSpec& spec = best_.steps[i].row->attrs[k];
        if (spec.positional || best_.steps[i].attrs[k] == spec.fallback) continue;
        TestCase candidate = best_;
        candidate.steps[i].attrs[k] = spec.fallback;
        any |= Try(std::move(candidate));
      }
    }
    return any;
  }

  // A call that repeats an earlier one says less than one with arguments of its own.
  bool RepeatCalls() {
    bool any = false;
    for (size_t i = 1; i < best_.steps.size(); ++i) {
      for (int64_t call = 1; i < best_.steps.size(); ++call) {
        const int step = StepOfCall(best_, call);
        if (step < 0 || step >= static_cast<int>(i) || best_.steps[i].arguments.empty()) break;
        TestCase candidate = best_;
        candidate.steps[i] = {FindStep("again"), {absl::StrCat(call)}, {}};
        any |= Try(std::move(candidate));
      }
    }
    return any;
  }

  bool SimplifyCalls() {
    bool any = RepeatCalls();
    for (size_t i = 0; i < best_.steps.size(); ++i) {
      for (size_t k = 0; i < best_.steps.size() && k < best_.steps[i].arguments.size(); ++k) {
        TestCase candidate = best_;
        Simplify(candidate.inputs[k], &candidate.steps[i].arguments[k]);
        any |= Try(std::move(candidate));
        any |= Refresh(i, k);
        any |= DropItems(i, k);
      }
    }
    return any;
  }

  // A tensor of its own in place of a view.
  bool Refresh(size_t step, size_t input) {
    if (step >= best_.steps.size() || input >= best_.steps[step].arguments.size()) return false;
    TestCase candidate = best_;
    Argument& a = candidate.steps[step].arguments[input];
    if (a.pattern->pattern != Pattern::kView) return false;
    a.pattern = FindPattern(Pattern::kFresh);
    Simplify(candidate.inputs[input], &a);
    return Try(std::move(candidate));
  }

  static void Simplify(const Input& input, Argument* a) {
    a->layout = &Layouts()[0];
    a->grad = a->derived = false;
    a->scale = 1;
    a->mark = nullptr;
    a->tag = 0;
    a->dtype = input.dtype;
    for (Argument& item : a->items) Simplify(input, &item);
  }

  // Items of a container, from the last.
  bool DropItems(size_t step, size_t input) {
    bool any = false;
    const auto items = [&] { return best_.steps[step].arguments[input].items.size(); };
    for (size_t item = step < best_.steps.size() ? items() : 0; item-- > 1;) {
      if (step >= best_.steps.size() || item >= items()) continue;
      TestCase candidate = best_;
      Argument& a = candidate.steps[step].arguments[input];
      a.items.erase(a.items.begin() + static_cast<std::ptrdiff_t>(item));
      if (item < a.keys.size()) a.keys.erase(a.keys.begin() + static_cast<std::ptrdiff_t>(item));
      any |= Try(std::move(candidate));
    }
    return any;
  }

  // Contexts of operators, and options of the compiler.
  bool DropOptions() {
    bool any = false;
    for (size_t i = 0; i < best_.ops.size(); ++i) {
      if (best_.ops[i].context == nullptr) continue;
      TestCase candidate = best_;
      candidate.ops[i].context = nullptr;
      any |= Try(std::move(candidate));
    }
    for (size_t i = kDynamic; i < best_.compile.size(); ++i) {
      if (best_.compile[i] == CompileSpecs()[i].fallback) continue;
      TestCase candidate = best_;
      candidate.compile[i] = CompileSpecs()[i].fallback;
      any |= Try(std::move(candidate));
    }
    return any;
  }

  // Lets the model end at its first operator after which it still fails.
  bool CutModel() {
    for (size_t i = 0; i + 1 < best_.ops.size(); ++i) {
      TestCase candidate = best_;
      candidate.ops.resize(i + 1);
      candidate.returns = {candidate.ops[i].name};
      if (Try(std::move(candidate))) return true;
    }
    return false;
  }

  bool DropModelParts() {
    bool any = CutModel();
    for (size_t i = best_.ops.size(); i-- > 0;) {
      if (i >= best_.ops.size()) continue;
      TestCase candidate = best_;
      BypassOp(i, &candidate);
      any |= Try(std::move(candidate));
    }
    for (size_t i = best_.slots.size(); i-- > 0;) {
      if (i >= best_.slots.size()) continue;
      TestCase candidate = best_;
      candidate.slots.erase(candidate.slots.begin() + static_cast<std::ptrdiff_t>(i));
      any |= Try(std::move(candidate));
    }
    for (size_t i = best_.inputs.size(); i-- > 0;) {
      if (i >= best_.inputs.size() || best_.inputs.size() == 1) continue;
      TestCase candidate = best_;
      EraseInput(i, &candidate);
      any |= Try(std::move(candidate));
    }
    while (best_.returns.size() > 1) {
      TestCase candidate = best_;
      candidate.returns.pop_back();
      if (!Try(std::move(candidate))) break;
      any = true;
    }
    return any;
  }

  const Capabilities& can_;
  const StillFails& still_fails_;
  int checks_;
  TestCase best_;
  std::unordered_map<std::string, bool> answers_;
};

}  // namespace

TestCase Refine(const Capabilities& can, const TestCase& test, int failing_step,
                const StillFails& still_fails, int max_checks) {
  return Refiner(can, test, still_fails, max_checks).Run(failing_step);
}

}  // namespace reprise
