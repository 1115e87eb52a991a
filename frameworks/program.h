// The Python program that a case stands for. There is one path from case to execution: what
// `reprise show` prints (Script) is what the oracle runs, piece by piece, once per mode.
#ifndef REPRISE_FRAMEWORKS_PROGRAM_H_
#define REPRISE_FRAMEWORKS_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

namespace reprise {

// The numbers that a program computes with.
enum class Numbers {
  kDrawn,
  // Float tensors are widened to 64 bits after their values are drawn: the reference for numerics.
  // Only meaningful where HasFloat64Reference().
  kFloat64,
  // Each value that is drawn is off by a millionth (2^-20), up or down by chance: what changes much
  // more than that depends on its last digits.
  kPerturbed,
};

// A Python expression to look at after a judged step, and what to call it in reports.
struct Watch {
  std::string label;
  std::string expression;
};

// A name that stands for something compiled, and the statements that bind it in a compiled and in
// an uncompiled run.
struct Binding {
  std::string name, compiled, uncompiled;
};

// One step as source text.
struct ProgramStep {
  std::string comment;             // the step in words, without '#'
  std::string prepare;             // calls: statements that make what is passed
  std::string source;              // statements, each line ends in a newline
  std::optional<Binding> binding;  // done after them, and in force from then on
  bool judged = false;             // shows something that is compared between modes
  int call = -1;  // judged steps: index of the step that invokes the model (itself, or the
                  // call that a backward belongs to)
  std::vector<Watch> results;    // what the step returned
  std::vector<Watch> arguments;  // what it was given, looked at afterwards
  std::vector<Watch> gradients;  // what a backward left behind
  bool may_raise = false;        // by declaration of the model: the sequence goes on after it
};

struct Program {
  std::string setup;  // imports, definitions, the model
  Binding binding;    // of `compiled`, to the compiled model or to the model itself
  std::vector<ProgramStep> steps;
  std::vector<Watch> state;  // program state that the source names: slots
  bool object = true;        // `model` is an object with state of its own to look at
};

// The whole program, line by line as it is run.
std::string Text(const Program& program);

// The same as a script that runs on its own: a call that may raise stands in a `try`, which the
// oracle, which has to see the exception, does without.
std::string Script(const Program& program);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_PROGRAM_H_
