#include "grammar/resolve_steps.h"

#include <algorithm>

#include "grammar/arguments.h"

namespace reprise {

std::string ReferSlot(const TestCase& test, const std::string& text,
                      const std::function<bool(const Slot&)>& accept) {
  std::vector<const Slot*> candidates;
  for (const Slot& slot : test.slots) {
    if (accept(slot)) candidates.push_back(&slot);
  }
  if (candidates.empty()) return "";
  for (const Slot* slot : candidates) {
    if (slot->name == text) return text;
  }
  return candidates[StableHash(text) % candidates.size()]->name;
}

std::string ReferModule(const std::vector<Op>& ops, size_t count, const std::string& text) {
  std::vector<std::string> owners;
  for (size_t i = 0; i < count; ++i) {
    if ((ops[i].row->flags & kModuleOp) != 0) owners.push_back(ops[i].name);
  }
  if (owners.empty()) return "";
  const std::string name = SanitiseName(text);
  if (std::find(owners.begin(), owners.end(), name) != owners.end()) return name;
  return text.empty() ? owners.back() : owners[StableHash(text) % owners.size()];
}

namespace {

// Can the object of one slot be held by the other?
bool Exchangeable(const Slot& a, const Slot& b) {
  if (a.name == b.name || a.home != b.home || a.type != b.type) return false;
  if (a.type != Type::kTensor) return true;
  const TensorLiteral x = ParseTensorLiteral(a.value), y = ParseTensorLiteral(b.value);
  return x.shape == y.shape && x.dtype == y.dtype;
}

// What the steps before one have established.
struct Progress {
  int64_t calls = 0;
  int64_t hooks = 0;
};

// An attribute that a second program may have otherwise: of an operator without a submodule.
bool CanVary(const AttrSpec& spec) {
  return spec.kind == AttrKind::kInt || spec.kind == AttrKind::kFloat ||
         spec.kind == AttrKind::kChoice || spec.kind == AttrKind::kUnary ||
         spec.kind == AttrKind::kInts;
}
bool CanVary(const Op& op) {
  if ((op.row->flags & (kModuleOp | kRegistered)) != 0) return false;
  return std::any_of(op.row->attrs.begin(), op.row->attrs.end(),
                     [](const AttrSpec& spec) { return CanVary(spec); });
}

// Has the tensor of one slot rows that the other can hold?
bool HasRowsFor(const Slot& row, const Slot& rows) {
  if (row.name == rows.name || rows.type != Type::kTensor) return false;
  TensorLiteral x = ParseTensorLiteral(row.value), y = ParseTensorLiteral(rows.value);
  if (x.dtype != y.dtype || x.shape.size() != y.shape.size() || y.shape[0] < 1) return false;
  y.shape[0] = 1;
  return x.shape == y.shape;
}

std::string ReferOp(const TestCase& test, const std::string& text, const auto& accept) {
  std::vector<const Op*> candidates;
  for (const Op& op : test.ops) {
    if (!accept(op)) continue;
    if (op.name == text) return text;
    candidates.push_back(&op);
  }
  return candidates.empty() ? "" : candidates[StableHash(text) % candidates.size()]->name;
}

std::string ReferOpAttr(const Op& op, const std::string& text) {
  std::vector<std::string> names;
  for (const AttrSpec& spec : op.row->attrs) {
    if (!CanVary(spec)) continue;
    if (text == spec.name) return text;
    names.emplace_back(spec.name);
  }
  return names[StableHash(text) % names.size()];
}

bool IsRegistered(const Op& op) { return (op.row->flags & kRegistered) != 0; }

const AttrSpec& SpecOf(const Op& op, const std::string& attr) {
  return *std::find_if(op.row->attrs.begin(), op.row->attrs.end(),
                       [&](const AttrSpec& spec) { return attr == spec.name; });
}

// Resolves the attributes of a step; false if the step cannot stand here.
bool ResolveStep(const TestCase& test, Progress* progress, Step* step) {
  const StepRow& row = *step->row;
  if (row.needs_object && test.function) return false;
  step->attrs.resize(row.attrs.size());
  const Slot* slot = nullptr;
  for (size_t i = 0; i < row.attrs.size(); ++i) {
    std::string& attr = step->attrs[i];
    switch (row.attrs[i].kind) {
      case AttrKind::kSlot:
        if (slot == nullptr) {
          attr = ReferSlot(test, attr, row.fits);
        } else {
          attr = ReferSlot(test, attr, [&](const Slot& held) {
            return row.name == std::string("row") ? HasRowsFor(*slot, held)
                                                  : Exchangeable(*slot, held);
          });
        }
        if (attr.empty()) return false;
        slot = FindSlot(test, attr);
        break;
      case AttrKind::kLiteral:
        attr = CanonicalLiteral(slot->type, attr, 1);
        break;
      case AttrKind::kCall: {
        if (progress->calls == 0) return false;
        const int64_t call = ParseInt(attr, progress->calls);
        attr = IntText(((call - 1) % progress->calls + progress->calls) % progress->calls + 1);
        break;
      }
      case AttrKind::kModule:
        attr = attr.empty() ? "" : ReferModule(test.ops, test.ops.size(), attr);
        break;
      case AttrKind::kFlagValue: {
        const AttrSpec values{
            "value", AttrKind::kChoice, "", 0, 0, FindFlag(step->attrs[i - 1])->values};
        attr = Canonicalise(values, attr);
        if (attr.empty()) attr = Choices(values)[1];
        break;
      }
      case AttrKind::kOp:
        attr = row.attrs[i].choices == std::string("custom")
                   ? ReferOp(test, attr, [](const Op& op) { return IsRegistered(op); })
                   : ReferOp(test, attr, [](const Op& op) { return CanVary(op); });
        if (attr.empty()) return false;
        break;
      case AttrKind::kOpAttr:
        attr = ReferOpAttr(*FindOp(test, step->attrs[i - 1]), attr);
        break;
      case AttrKind::kOpValue:
        attr = Canonicalise(SpecOf(*FindOp(test, step->attrs[i - 2]), step->attrs[i - 1]), attr);
        break;
      default:
        attr = Canonicalise(row.attrs[i], attr);
    }
  }
  if (row.name == std::string("set")) {
    const std::string& via = step->attrs[2];
    if (via == "dict" && slot->home != FindHome("attr")) step->attrs[2].clear();
    if (via == "factory" && slot->home != FindHome("closure")) step->attrs[2].clear();
  }
  if (row.name == std::string("hook")) ++progress->hooks;
  if (row.name == std::string("unhook") && --progress->hooks < 0) return false;
  if (row.name == std::string("call")) {
    ResolveArguments(test, progress->calls, step);
  } else {
    step->arguments.clear();
  }
  if (IsCall(*step)) ++progress->calls;
  return true;
}

}  // namespace

void ResolveSteps(TestCase* test) {
  if (test->steps.size() > kMaxSteps) test->steps.resize(kMaxSteps);
  const bool any_call = std::any_of(test->steps.begin(), test->steps.end(),
                                    [](const Step& s) { return s.row == FindStep("call"); });
  if (!any_call) {
    if (test->steps.size() == kMaxSteps) test->steps.pop_back();
    test->steps.insert(test->steps.begin(), Step{FindStep("call"), {}, {}});
  }
  Progress progress;
  std::vector<Step> kept;
  for (Step& step : test->steps) {
    if (ResolveStep(*test, &progress, &step)) kept.push_back(std::move(step));
  }
  test->steps = std::move(kept);
}

}  // namespace reprise
