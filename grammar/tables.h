// The tables that the language is made of. A row says what a word is called, what it takes and
// when it is legal; frameworks/<name>/ holds one template per row or the reason why there is none.
// Adding a word is one row here and one row per framework.
#ifndef REPRISE_GRAMMAR_TABLES_H_
#define REPRISE_GRAMMAR_TABLES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "grammar/attributes.h"
#include "grammar/functions.h"
#include "grammar/types.h"

namespace reprise {

struct Op;
struct Slot;

// What is known before execution about a value in one call.
struct ValueInfo {
  Type type = Type::kTensor;
  Dtype dtype = Dtype::kF32;  // of tensors, and of values that are element types
  Shape shape;
  std::optional<int64_t> number = std::nullopt;  // integers, where the value is known
  bool none = false;                             // optional: there is no tensor
  std::vector<ValueInfo> items = {};             // containers
  std::vector<std::string> keys = {};            // dictionaries and dataclasses
};

// Largest tensor that a case may make, in elements.
inline constexpr int64_t kMaxElements = 1 << 14;

// Shape and dtype rule of an operator. Fills `out` and returns nullptr, or returns why the operands
// are illegal. Numbers written in place of an operand come as values of type int or float.
using InferFn = const char* (*)(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);

enum OpFlag : unsigned {
  kInPlace = 1,        // writes its first operand
  kRandom = 2,         // draws random numbers, so calls seed the framework's generator
  kModuleOp = 4,       // owns a submodule (with or without parameters)
  kParameters = 8,     // the submodule has trainable parameters
  kPythonRandom = 16,  // draws from Python's module `random`, so calls seed it
  kBreaksGraph = 32,   // asks for a graph break, so that a full graph is refused
  kRaises = 64,        // may raise by declaration: the sequence goes on after it
  kRegistered = 128,   // defines an operator in a registry of the process
  kAppends = 256,      // writes a container that it is given
  kByMode = 512,       // is another function in training mode than in evaluation mode
};

struct OpRow {
  const char* name;
  // One letter each: t tensor, n tensor or number, f number, i integer, o optional tensor,
  // c container, r random generator, d element type. Numbers by name or literally.
  const char* operands;
  std::vector<AttrSpec> attrs;
  InferFn infer;
  unsigned flags = 0;
  // Dimensions of the first operand that the submodule is built for: they must be equal in every
  // call (negative: from the end). Its rank and dtype must be equal as well.
  std::vector<int> frozen = {};
  Type result = Type::kTensor;  // tensor, or int
};

const std::vector<OpRow>& Operators();
const OpRow* FindOperator(absl::string_view name);

// Where a slot lives.
struct HomeRow {
  const char* name;
  std::vector<Type> types;  // what can live there
  bool needs_object;        // only a model that is an object has it
  bool can_fall_back;       // a read can find another value below a deleted one
  const char* meaning;
};

const std::vector<HomeRow>& Homes();
const HomeRow* FindHome(absl::string_view name);
bool Holds(const HomeRow& home, Type type);

// What one call passes for one input.
enum class Pattern : uint8_t {
  kFresh,   // x=[2,8]:f64:transposed:grad:x100   a tensor of its own
  kView,    // x=view(0,2,[5])                    a view of one of the call's bases, at an offset
  kName,    // x=@y                               the very object of an earlier input, or of a slot
  kValue,   // k=3  s="a"  f=relu  o=#1  b=none   a literal
  kOutput,  // x=out(2,0)                         what an earlier call returned
  kItems,   // p=([2],@x)  d=(a:[2],b:[3])        a container of arguments
};
struct PatternRow {
  Pattern pattern;
  const char* name;
  const char* meaning;
};
const std::vector<PatternRow>& Patterns();
const PatternRow* FindPattern(Pattern pattern);

// How a fresh tensor lies in memory. Except for `expanded`, values do not depend on it.
struct LayoutRow {
  const char* name;
  size_t min_rank;
  bool overlapping;  // elements share memory, so that in-place writes are illegal
  const char* meaning;
};
const std::vector<LayoutRow>& Layouts();
const LayoutRow* FindLayout(absl::string_view name);

// What a call may promise a compiler about a dimension of a fresh tensor.
struct MarkRow {
  const char* name;  // x=[4]:dynamic0 marks dimension 0
  const char* meaning;
};
const std::vector<MarkRow>& Marks();
const MarkRow* FindMark(absl::string_view name);

// What may stand around a call (under=), or around operators of the model (in=): a context manager,
// or a function transform that is given the operators as a function of their first operand.
enum ContextFlag : unsigned {
  kAround = 1,     // around a call
  kInside = 2,     // around operators
  kTransform = 4,  // a function transform
  kBatched = 8,    // the function sees its operand without the first dimension
  kOwnGrad = 16,   // the result is a gradient: as large as the operand
  kNoGrad = 32,    // records no gradients
};
struct ContextRow {
  const char* name;
  unsigned flags;
  const char* meaning;
};
const std::vector<ContextRow>& Contexts();
const ContextRow* FindContext(absl::string_view name);

// Flag of the process; its first value is the one that every mode starts with.
struct FlagRow {
  const char* name;
  const char* values;  // separated by '|'
  const char* meaning;
};
const std::vector<FlagRow>& ProcessFlags();
const FlagRow* FindFlag(absl::string_view name);

// A step of the sequence.
struct StepRow {
  const char* name;
  std::vector<AttrSpec> attrs;
  // Which slots its kSlot attributes may name; nullptr where it has none.
  bool (*fits)(const Slot& slot);
  bool needs_object;  // only a model that is an object has it
  const char* meaning;
  bool wraps = false;  // the model is another one afterwards, or wrapped once more
};
const std::vector<StepRow>& Steps();
const StepRow* FindStep(absl::string_view name);

// Options of the `compile` statement; rows in this order.
enum CompileOption : size_t { kBackend, kDynamic, kFullgraph, kLimit, kFreezing };
const std::vector<AttrSpec>& CompileSpecs();

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_TABLES_H_
