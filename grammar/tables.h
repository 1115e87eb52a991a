// The tables that the language is made of. A row says what a word is called, what it takes and
// when it is legal; frameworks/<name>/ holds one template per row or the reason why there is none.
// Adding a word is one row here and one row per framework.
#ifndef REPRISE_GRAMMAR_TABLES_H_
#define REPRISE_GRAMMAR_TABLES_H_

#include <string>
#include <vector>

#include "grammar/attributes.h"
#include "grammar/functions.h"
#include "grammar/types.h"

namespace reprise {

struct Op;
struct Slot;

// What is known before execution about a value in one call.
struct ValueInfo {
  Type type = Type::kTensor;
  Dtype dtype = Dtype::kF32;
  Shape shape;
};

// Largest tensor that a case may make, in elements.
inline constexpr int64_t kMaxElements = 1 << 14;

// Shape and dtype rule of an operator. Fills `out` and returns nullptr, or returns why the operands
// are illegal. Numbers written in place of an operand come as values of type int or float.
using InferFn = const char* (*)(const Op& op, const std::vector<ValueInfo>& in, ValueInfo* out);

enum OpFlag : unsigned {
  kInPlace = 1,     // writes its first operand
  kRandom = 2,      // draws random numbers, so calls seed the framework's generator
  kModuleOp = 4,    // owns a submodule (with or without parameters)
  kParameters = 8,  // the submodule has trainable parameters
};

struct OpRow {
  const char* name;
  const char* operands;  // one letter each: t tensor, n tensor or number
  std::vector<AttrSpec> attrs;
  InferFn infer;
  unsigned flags = 0;
  // Dimensions of the first operand that the submodule is built for: they must be equal in every
  // call (negative: from the end). Its rank and dtype must be equal as well.
  std::vector<int> frozen = {};
};

const std::vector<OpRow>& Operators();
const OpRow* FindOperator(const std::string& name);

// Where a slot lives.
struct HomeRow {
  const char* name;
  std::vector<Type> types;  // what can live there
  bool needs_object;        // only a model that is an object has it
  bool can_fall_back;       // a read can find another value below a deleted one
  const char* meaning;
};

const std::vector<HomeRow>& Homes();
const HomeRow* FindHome(const std::string& name);
bool Holds(const HomeRow& home, Type type);

// What one call passes for one input.
enum class Pattern : uint8_t {
  kFresh,  // x=[2,8]:f64:transposed:grad:x100   a tensor of its own
  kView,   // x=view(0,2,[5])                    a view of one of the call's bases, at an offset
  kName,   // x=@y                               the very object of an earlier input, or of a slot
  kValue,  // k=3  s="a"  f=relu  o=#1           a literal
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
const LayoutRow* FindLayout(const std::string& name);

// A step of the sequence.
struct StepRow {
  const char* name;
  std::vector<AttrSpec> attrs;
  // Which slots its kSlot attributes may name; nullptr where it has none.
  bool (*fits)(const Slot& slot);
  bool needs_object;  // only a model that is an object has it
  const char* meaning;
};
const std::vector<StepRow>& Steps();
const StepRow* FindStep(const std::string& name);

// Options of the `compile` statement; rows in this order.
enum CompileOption : size_t { kBackend, kDynamic, kFullgraph };
const std::vector<AttrSpec>& CompileSpecs();

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_TABLES_H_
