#include "frameworks/program.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace reprise {

std::string Text(const Program& program) {
  std::string text = program.setup + program.binding.compiled;
  for (const ProgramStep& step : program.steps) {
    absl::StrAppend(&text, "\n# ", step.comment, "\n", step.prepare, step.source);
    if (step.binding) text += step.binding->compiled;
  }
  return text;
}

std::string Script(const Program& program) {
  std::string text = program.setup + program.binding.compiled;
  for (const ProgramStep& step : program.steps) {
    absl::StrAppend(&text, "\n# ", step.comment, "\n", step.prepare);
    if (step.may_raise) {
      absl::StrAppend(&text, "try:\n    ",
                      absl::StrReplaceAll(absl::StripSuffix(step.source, "\n"), {{"\n", "\n    "}}),
                      "\nexcept Exception as error:\n"
                      "    print(\"raised\", type(error).__name__)\n");
    } else {
      text += step.source;
    }
    if (step.binding) text += step.binding->compiled;
  }
  return text;
}

}  // namespace reprise
