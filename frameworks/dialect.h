// How one framework writes the rows of the tables, for frameworks whose models are objects with
// submodules and a forward method. module_emitter.h does the rest.
//
// Templates hold placeholders in braces:
//   {0} {1}     operands            {name}   the operator's name
//   {0.-1}      size of a dimension of operand 0 when the model is built
//   {0.spatial} its dimensions beyond batch and channel, at least 1
//   {out}       an attribute, as the row names it; {dim:tuple} a list of numbers as a tuple
// A row with a list attribute may have a second template, named with "[]", for the empty list.
#ifndef REPRISE_FRAMEWORKS_DIALECT_H_
#define REPRISE_FRAMEWORKS_DIALECT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grammar/types.h"

namespace reprise {

struct OpTemplate {
  std::string expression;
  std::string construct;  // of the submodule, for rows that own one
};

struct UnaryTemplate {
  std::string expression;  // over {0}
  std::string function;    // a callable that exists already; empty: define one
  std::string module;      // a module that exists already; empty: define one
};

struct Dialect {
  // Import lines in order, each with the text that must occur in the program ("": always).
  std::vector<std::pair<std::string, std::string>> imports;
  std::string rand;         // definition of rand(seed, *shape, dtype, scale)
  std::string positive;     // {0}: which elements of a tensor are above 0, as booleans
  std::string module_base;  // nn.Module
  std::map<Dtype, std::string> dtypes;
  std::map<std::string, OpTemplate> ops;
  std::map<std::string, UnaryTemplate> unaries;
  std::map<std::string, std::string> predicates;
  std::map<std::string, std::string> layouts;  // over {0}, the contiguous tensor
  std::string parameter;                       // makes a parameter from tensor {0}
  std::string register_buffer;                 // statement in __init__: {name}, {0}
  std::string fill_parameters;                 // statements that give `model` its parameter values
  std::string graph_break;                     // statement
  std::string seed_generator;                  // statement, {seed}
  std::string ask_gradient;  // expression over {0}: the same tensor, asking for a gradient
  std::string no_grad;       // context manager
  std::string clone;         // {0}: an equal tensor of its own
  std::map<std::string, std::string> under;  // context managers around a call
  std::string set_grad;                      // statement, {mode} is True or False
  std::string backward;                      // statement over {0}, a scalar expression
  std::string square_sum;                    // {0}: scalar to differentiate
  std::string hook_forward, hook_pre;        // statement: {handle}, {module}, {fn}
};

// Fills placeholders by name; unknown ones stay as they are.
std::string Fill(const std::string& text, const std::map<std::string, std::string>& values);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_DIALECT_H_
