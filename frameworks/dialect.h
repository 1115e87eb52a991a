// How one framework writes the rows of the tables, for frameworks whose models are objects with
// submodules and a forward method. module_emitter.h does the rest.
//
// Templates hold placeholders in braces:
//   {0} {1}     operands            {name}   the operator's name
//   {0.-1}      size of a dimension of operand 0 when the model is built
//   {0.spatial} its dimensions beyond batch and channel, at least 1
//   {0.values}  the items of a container    {0.item} the item that the attribute `key` names
//   {out}       an attribute, as the row names it; {dim:tuple} a list of numbers as a tuple
//   {fn}        an attribute that is a unary function, applied to operand 0; {fn:x} to x
//   {fn:name}   the same, applied to the result so far; {fn:leaf} to {name}_leaf
// A row with a list attribute may have a second template, named with "[]", for the empty list.
// A row or a step with a choice may have a template per choice, named with "=CHOICE".
#ifndef REPRISE_FRAMEWORKS_DIALECT_H_
#define REPRISE_FRAMEWORKS_DIALECT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/program.h"
#include "grammar/types.h"

namespace reprise {

struct OpTemplate {
  std::string expression;  // its value
  std::string construct;   // of the submodule, for rows that own one
  std::string statements;  // statements that bind {name}, in place of `name = expression`
  std::string helper;      // definitions at top level, before the model
};

struct UnaryTemplate {
  std::string expression;  // over {0}
  std::string function;    // a callable that exists already; empty: define one
  std::string module;      // a module that exists already; empty: define one
  std::string descriptor;  // an unbound method of the tensor class; empty: as a function
};

struct ContextTemplate {
  std::string with;       // a context manager
  std::string transform;  // an expression over the function {fn} and its operand {0}
  std::string helper;     // definitions at top level
};

struct Dialect {
  // Import lines in order, each with the text that must occur in the program ("": always).
  std::vector<std::pair<std::string, std::string>> imports;
  std::string rand;          // definition of rand(seed, *shape, dtype, scale); {device}: where
  std::string positive;      // {0}: which elements of a tensor are above 0, as booleans
  std::string module_base;   // nn.Module
  std::string empty_module;  // a submodule that only carries attributes
  std::string tensor_type;   // annotation
  std::map<Dtype, std::string> dtypes;
  std::map<std::string, OpTemplate> ops;
  std::map<std::string, UnaryTemplate> unaries;
  std::map<std::string, std::string> predicates;
  std::map<std::string, std::string> layouts;  // over {0}, the contiguous tensor
  std::map<std::string, std::string> marks;    // statements over {0} and {dim}
  std::map<std::string, ContextTemplate> contexts;
  std::map<std::string, std::string> flags;  // statements, by "name=value"
  std::map<std::string, std::string> steps;  // statements over the attributes, by "name"
  std::string parameter;                     // makes a parameter from tensor {0}
  std::string register_buffer;               // statement in __init__: {name}, {0}
  std::string fill_parameters;               // statements that give a model its parameter values
  std::string seed_generator;                // statement, {seed}
  std::string generator;                     // a generator of its own, {seed}
  std::string ask_gradient;     // expression over {0}: the same tensor, asking for a gradient
  std::string derive;           // expression over {0}: an equal tensor computed from it
  std::string no_grad;          // context manager
  std::string clone;            // {0}: an equal tensor of its own
  std::string tag_class;        // definition of class Tagged: tensors with metadata
  std::string tag;              // expression over {0} and {tag}
  std::string optimizer_state;  // what an optimizer keeps for each parameter
  std::string backward;         // statement over {0}, a scalar expression, and {retain}
  std::string square_sum;       // {0}: scalar to differentiate
};

// A definition of rand() whose values are off by 2^-20 of themselves, up or down: see Numbers. The
// definition has a line "values = ...", as every framework's has, and `np` in scope.
std::string Perturbed(const std::string& rand);

// Fills placeholders by name; unknown ones stay as they are.
std::string Fill(const std::string& text, const std::map<std::string, std::string>& values);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_DIALECT_H_
