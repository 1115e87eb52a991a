#include "report/clusterfuzz.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace reprise {
namespace {

std::string Title(const Judgement& j) {
  switch (j.verdict) {
    case Verdict::kStateful:
      return j.documented ? "DocumentedShortcut" : "StatefulBug";
    case Verdict::kStateless:
      return "StatelessBug";
    case Verdict::kColdOnly:
      return "ColdOnlyBug";
    case Verdict::kUncompiled:
      return "UncompiledBug";
    case Verdict::kUnsorted:
      return "WrongResult";
    default:
      return "UnstableResult";
  }
}

}  // namespace

std::string ClusterFuzzReport(const std::string& framework, const std::string& backend,
                              const Judgement& j, const Signature& signature,
                              const std::string& plant) {
  const std::string symptom = absl::StrCat("wrong_", j.difference.attribute);
  const std::string place = absl::StrCat(framework, "_", backend);
  const std::string text = absl::StrReplaceAll(WithoutTraceback(j.difference.text), {{"\n", " "}});
  const std::string planted = plant.empty() ? "" : absl::StrCat("; PLANTED FAULT from ", plant);
  return absl::StrCat("DEDUP_TOKEN: ", symptom, "--", place, "--", signature.hash, "\n",
                      " === Uncaught Python exception: ===\n", Title(j), ": ", signature.text, "; ",
                      text, planted, "; oracle ", Name(j.level), "\n",
                      "Traceback (most recent call last):\n", "  File \"oracle.py\", line 1, in ",
                      symptom, "\n", "  File \"backend.py\", line 1, in ", place, "\n",
                      "  File \"signature.py\", line 1, in FuzzerHash=", signature.hash, "\n");
}

std::string WithoutTraceback(const std::string& text) {
  return absl::StrReplaceAll(
      text, {{".py\", line", ".py line"}, {"=== Uncaught Python exception: ===", "an exception:"}});
}

}  // namespace reprise
