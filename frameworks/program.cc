#include "frameworks/program.h"

#include "absl/strings/str_cat.h"

namespace reprise {

std::string Text(const Program& program) {
  std::string text = program.setup + program.binding.compiled;
  for (const ProgramStep& step : program.steps) {
    absl::StrAppend(&text, "\n# ", step.comment, "\n", step.source);
    if (step.binding) text += step.binding->compiled;
  }
  return text;
}

}  // namespace reprise
