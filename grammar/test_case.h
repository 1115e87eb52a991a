// A test case: a model and the sequence of steps that is done to it. One text file holds exactly
// one; LANGUAGE.md describes the text, parser.h and printer.h turn it into this and back.
//
// Statements refer to each other by name, calls by number. A case is *resolved* when every name is
// unique and every reference and attribute is legal text (resolve.h); it is *legal* for a framework
// when also all its shapes, dtypes and state operations are (repair.h).
#ifndef REPRISE_GRAMMAR_TEST_CASE_H_
#define REPRISE_GRAMMAR_TEST_CASE_H_

#include <string>
#include <vector>

#include "grammar/tables.h"
#include "grammar/types.h"

namespace reprise {

// Caps on a case; what is beyond them is cut.
inline constexpr size_t kMaxSlots = 10;
inline constexpr size_t kMaxInputs = 6;
inline constexpr size_t kMaxOps = 64;
inline constexpr size_t kMaxReturns = 4;
inline constexpr size_t kMaxSteps = 32;

// Something that the model reads and that steps can change.
struct Slot {
  std::string name;
  const HomeRow* home = nullptr;
  Type type = Type::kFloat;
  std::string value;  // literal
  std::string
      below;  // literal that a read finds once the slot is deleted; empty: cannot be deleted
  bool operator==(const Slot&) const = default;
};

// Parameter of the model's forward function. `dims` are sizes or symbols; a symbol's size may
// change from call to call, a number's may not.
struct Input {
  std::string name;
  Type type = Type::kTensor;
  Dtype dtype = Dtype::kF32;
  std::vector<std::string> dims;
  bool operator==(const Input&) const = default;
};

struct Op {
  std::string name;
  const OpRow* row = nullptr;
  std::vector<std::string> operands;  // names, or numbers where the row takes one
  std::vector<std::string> attrs;     // in the order of the row
  // Context that the operator stands in; neighbours in equal contexts share one.
  const ContextRow* context = nullptr;
  bool operator==(const Op&) const = default;
};

// How one call fills one input.
struct Argument {
  const PatternRow* pattern = nullptr;
  Shape shape;                        // kFresh, kView
  std::string value;                  // kValue: literal; kName: what it stands for
  int64_t base = 0, offset = 0;       // kView: number of the base, first element
  int64_t call = 0, result = 0;       // kOutput: number of the call, index of its result
  Dtype dtype = Dtype::kF32;          // kFresh, kView
  const LayoutRow* layout = nullptr;  // kFresh
  bool grad = false;                  // kFresh: ask for a gradient
  bool derived = false;               // kFresh with grad: computed from a leaf, so no leaf itself
  double scale = 1;                   // kFresh, kView: values lie in [-scale, scale]
  const MarkRow* mark = nullptr;      // kFresh: promise about dimension `marked`
  int64_t marked = 0;
  int64_t tag = 0;                // kFresh: metadata of a tensor subclass; 0: a plain tensor
  std::vector<Argument> items;    // kItems
  std::vector<std::string> keys;  // kItems of dictionaries and dataclasses
  bool operator==(const Argument&) const = default;
};

struct Step {
  const StepRow* row = nullptr;
  std::vector<std::string> attrs;   // in the order of the row
  std::vector<Argument> arguments;  // calls only: one per input, in order
  bool operator==(const Step&) const = default;
};

struct TestCase {
  std::vector<std::string> compile;  // in the order of CompileSpecs()
  bool function = false;             // the model is a plain function, not an object
  std::vector<Slot> slots;
  std::vector<Input> inputs;
  std::vector<Op> ops;
  std::vector<std::string> returns;
  std::vector<Step> steps;
  bool operator==(const TestCase&) const = default;
};

const Slot* FindSlot(const TestCase& test, const std::string& name);
const Input* FindInput(const TestCase& test, const std::string& name);
const Op* FindOp(const TestCase& test, const std::string& name);

// Attribute of a statement by its name in the row; the name must be one of the row's.
const std::string& Attr(const std::vector<AttrSpec>& specs, const std::vector<std::string>& attrs,
                        const char* name);
const std::string& Attr(const Op& op, const char* name);
const std::string& Attr(const Step& step, const char* name);
int64_t AttrInt(const Op& op, const char* name);

// Does the step invoke the model (call or again)?
bool IsCall(const Step& step);
// Does the step show something that is judged (a call, or the backward of one)?
bool IsJudged(const Step& step);
// Index of the k-th call-like step, k counted from 1; -1 if there is none.
int StepOfCall(const TestCase& test, int64_t call);
// The `call` statement that a call-like step stands for: itself, or what `again` repeats.
int RootOfCall(const TestCase& test, int step);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_TEST_CASE_H_
