#include "grammar/tables.h"

#include <cstring>

#include "grammar/row_index.h"
#include "grammar/test_case.h"

namespace reprise {
namespace {

template <typename Statement>
const Statement* FindNamed(const std::vector<Statement>& statements, const std::string& name) {
  for (const Statement& statement : statements) {
    if (statement.name == name) return &statement;
  }
  return nullptr;
}

}  // namespace

const OpRow* FindOperator(absl::string_view name) {
  static const auto* index = new RowIndex<OpRow>(Operators());
  return index->Find(name);
}
const HomeRow* FindHome(absl::string_view name) {
  static const auto* index = new RowIndex<HomeRow>(Homes());
  return index->Find(name);
}
const LayoutRow* FindLayout(absl::string_view name) {
  static const auto* index = new RowIndex<LayoutRow>(Layouts());
  return index->Find(name);
}
const MarkRow* FindMark(absl::string_view name) {
  static const auto* index = new RowIndex<MarkRow>(Marks());
  return index->Find(name);
}
const ContextRow* FindContext(absl::string_view name) {
  static const auto* index = new RowIndex<ContextRow>(Contexts());
  return index->Find(name);
}
const FlagRow* FindFlag(absl::string_view name) {
  static const auto* index = new RowIndex<FlagRow>(ProcessFlags());
  return index->Find(name);
}
const StepRow* FindStep(absl::string_view name) {
  static const auto* index = new RowIndex<StepRow>(Steps());
  return index->Find(name);
}

const Slot* FindSlot(const TestCase& test, const std::string& name) {
  return FindNamed(test.slots, name);
}
const Input* FindInput(const TestCase& test, const std::string& name) {
  return FindNamed(test.inputs, name);
}
const Op* FindOp(const TestCase& test, const std::string& name) {
  return FindNamed(test.ops, name);
}

const std::string& Attr(const std::vector<AttrSpec>& specs, const std::vector<std::string>& attrs,
                        const char* name) {
  static const auto* none = new std::string;
  for (size_t i = 0; i < specs.size() && i < attrs.size(); ++i) {
    if (std::strcmp(specs[i].name, name) == 0) return attrs[i];
  }
  return *none;
}

const std::string& Attr(const Op& op, const char* name) {
  return Attr(op.row->attrs, op.attrs, name);
}
const std::string& Attr(const Step& step, const char* name) {
  return Attr(step.row->attrs, step.attrs, name);
}
int64_t AttrInt(const Op& op, const char* name) { return ParseInt(Attr(op, name), 0); }

bool IsCall(const Step& step) {
  static const StepRow* call = FindStep("call");
  static const StepRow* again = FindStep("again");
  return step.row == call || step.row == again;
}

bool IsJudged(const Step& step) {
  static const StepRow* backward = FindStep("backward");
  static const StepRow* write = FindStep("write");
  return IsCall(step) || step.row == backward || step.row == write;
}

int StepOfCall(const TestCase& test, int64_t call) {
  for (size_t i = 0; i < test.steps.size(); ++i) {
    if (IsCall(test.steps[i]) && --call == 0) return static_cast<int>(i);
  }
  return -1;
}

int RootOfCall(const TestCase& test, int step) {
  static const StepRow* again = FindStep("again");
  while (step >= 0 && test.steps[step].row == again) {
    const int earlier = StepOfCall(test, ParseInt(test.steps[step].attrs[0], 1));
    if (earlier >= step) return -1;  // cannot happen in a resolved case
    step = earlier;
  }
  return step;
}

}  // namespace reprise
