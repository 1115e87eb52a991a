#include "report/render.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/printer.h"
#include "oracle/confirm.h"

namespace reprise {
namespace {

constexpr size_t kStepWidth = 56;

std::string Cut(const std::string& text, size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string Pad(const std::string& text, size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

// What the compiler did, in words for people.
std::string Event(const CallSignals& signals) {
  std::string event = signals.event;
  if (event == "cold") event = "compiled";
  if (event == "recompiled_static") event = "recompiled";
  if (event == "recompiled_dynamic") event = "recompiled, dynamic";
  if (event == "error") event = "raised";
  if (signals.graph_breaks > 0)
    absl::StrAppend(&event, ", ", signals.graph_breaks, " graph break(s)");
  return event;
}

const char* Explain(const Judgement& j) {
  switch (j.verdict) {
    case Verdict::kPass:
      return "the three modes agree";
    case Verdict::kStateful:
      return j.documented ? "right when the compiler is reset before the call, wrong with its "
                            "state retained; "
                            "explained by a documented unsound shortcut of the framework"
                          : "right when the compiler is reset before the call, wrong with its "
                            "state retained";
    case Verdict::kStateless:
      return "wrong in the same way with the compiler reset and with its state retained";
    case Verdict::kColdOnly:
      return "wrong when the compiler is reset before the call, right with its state retained";
    case Verdict::kUnsorted:
      return "wrong with the compiler's state retained; this level has no reset run to tell more";
    case Verdict::kUncompiled:
      return "wrong without the compiler, too: the framework itself breaks an invariant";
    case Verdict::kUnstable:
      return "reset and retained runs disagree with the uncompiled one, each in its own way";
  }
  return "";
}

std::string Cure(const std::string& tier) {
  if (tier == "R0") return "R0, the framework's own reset";
  if (tier == "R1") return "R1, a reset that empties its caches on disk as well";
  return "R2, a process that compiles nothing but this call";
}

}  // namespace

std::string RenderTable(const TestCase& test, const Judgement& judgement) {
  size_t width = 4, event_width = 10, s_width = 14;
  std::vector<std::string> events, steps;
  for (const StepReport& step : judgement.steps) {
    steps.push_back(Cut(PrintStep(test, test.steps[static_cast<size_t>(step.step)]), kStepWidth));
    events.push_back(Event(step.signals));
    width = std::max(width, steps.back().size());
    event_width = std::max(event_width, events.back().size());
    s_width = std::max(s_width, step.s.size());
  }
  std::string text = absl::StrCat("step  ", Pad("what", width), "  ", Pad("compiler", event_width),
                                  "  E      ", Pad("S (retained)", s_width), "  R (reset)\n");
  for (size_t i = 0; i < judgement.steps.size(); ++i) {
    const StepReport& step = judgement.steps[i];
    const bool illegal = static_cast<int>(i) >= judgement.legal_steps;
    const std::string e = illegal ? (static_cast<int>(i) == judgement.legal_steps ? "ends" : "")
                          : step.judged ? "ok"
                                        : "";
    const char* mark = static_cast<int>(i) == judgement.step ? "> " : "  ";
    std::string row = absl::StrCat(mark, Pad(absl::StrCat(i + 1), 4), Pad(steps[i], width), "  ",
                                   Pad(events[i], event_width), "  ", Pad(e, 7),
                                   Pad(step.s, s_width), "  ", step.r);
    while (row.back() == ' ') row.pop_back();
    absl::StrAppend(&text, row, "\n");
  }
  return text;
}

std::string RenderVerdict(const TestCase& test, const Judgement& j) {
  std::string text = absl::StrCat("VERDICT ", Name(j.verdict), j.documented ? " (documented)" : "");
  if (j.alarm()) {
    absl::StrAppend(&text, " at step ", j.step + 1, " (",
                    Cut(PrintStep(test, test.steps[static_cast<size_t>(j.step)]), kStepWidth),
                    ")\n  ");
    const Difference& d = j.difference;
    if (d.path.empty()) {
      absl::StrAppend(&text, d.text);
    } else {
      absl::StrAppend(&text, d.attribute, " of ", d.path, ": ", d.text);
    }
    absl::StrAppend(&text, "\n  ", Explain(j), "\n");
  } else {
    absl::StrAppend(&text, ": ", Explain(j), "\n");
  }
  if (!j.cure.empty()) absl::StrAppend(&text, "  cured by ", Cure(j.cure), "\n");
  for (const std::string& shortcut : j.shortcuts)
    absl::StrAppend(&text, "  explained by the documented shortcut ", shortcut, "\n");
  if (!j.aligned) text += "  the step was not given the same values in S as in E\n";
  absl::StrAppend(&text, "  oracle: ", Name(j.level), "\n");
  if (!j.illegal.empty()) {
    absl::StrAppend(&text, "  step ", j.legal_steps + 1,
                    " and what follows was not judged: ", j.illegal, "\n");
  }
  return text;
}

std::string RenderFinding(const Signature& signature, const TestCase& original,
                          const TestCase& test, const Judgement& j, const std::string& plant) {
  const std::string text =
      absl::StrCat("==== FINDING ", Name(j.verdict), j.documented ? " (documented)" : "", " ",
                   signature.hash, " ====\n", signature.text, "\n\n", Print(test), "\n",
                   RenderTable(test, j), "\n", RenderVerdict(test, j));
  return text + RenderOrigin(original, test, plant);
}

std::string RenderOrigin(const TestCase& original, const TestCase& test, const std::string& plant) {
  std::string text;
  const std::string &found_on = original.compile[kBackend], &shown_on = test.compile[kBackend];
  if (found_on != shown_on) {
    absl::StrAppend(&text, "  found on ", found_on, "; the earliest backend that shows it is ",
                    shown_on, "\n");
  }
  absl::StrAppend(&text, "  confirmed ", kConfirmations, " of ", kConfirmations,
                  " in fresh processes; steps before and after refinement: ", original.steps.size(),
                  ", ", test.steps.size(), "\n");
  if (!plant.empty()) absl::StrAppend(&text, "  PLANTED FAULT from ", plant, "\n");
  return text;
}

}  // namespace reprise
