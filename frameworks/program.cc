#include "frameworks/program.h"

#include "absl/strings/str_cat.h"

namespace reprise {

std::string Text(const Program& program) {
  std::string text = program.setup + program.compile;
  for (const ProgramStep& step : program.steps) {
    absl::StrAppend(&text, "\n# ", step.comment, "\n", step.source);
  }
  return text;
}

}  // namespace reprise
