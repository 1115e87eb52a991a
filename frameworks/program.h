// The Python program that a case stands for. There is one path from case to execution: what
// `reprise show` prints (Text) is what the oracle runs, piece by piece, once per mode.
#ifndef REPRISE_FRAMEWORKS_PROGRAM_H_
#define REPRISE_FRAMEWORKS_PROGRAM_H_

#include <string>
#include <vector>

namespace reprise {

// A Python expression to look at after a judged step, and what to call it in reports.
struct Watch {
  std::string label;
  std::string expression;
};

// One step as source text.
struct ProgramStep {
  std::string comment;  // the step in words, without '#'
  std::string source;   // statements, each line ends in a newline
  bool judged = false;  // shows something that is compared between modes
  int call = -1;        // judged steps: index of the step that invokes the model (itself, or the
                        // call that a backward belongs to)
  std::vector<Watch> results;    // what the step returned
  std::vector<Watch> arguments;  // what it was given, looked at afterwards
  std::vector<Watch> gradients;  // what a backward left behind
};

struct Program {
  std::string setup;       // imports, definitions, the model
  std::string compile;     // binds `compiled` to the compiled model
  std::string uncompiled;  // binds `compiled` to the model itself
  std::vector<ProgramStep> steps;
  std::vector<Watch> state;  // program state that the source names: slots
  bool object = true;        // `model` is an object with state of its own to look at
};

// The whole program as one script.
std::string Text(const Program& program);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_PROGRAM_H_
