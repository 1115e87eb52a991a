// A judgement as JSON: what `reprise run --json` prints, and what a fresh process that confirms an
// alarm tells the one that asked.
#ifndef REPRISE_ORACLE_JUDGEMENT_JSON_H_
#define REPRISE_ORACLE_JUDGEMENT_JSON_H_

#include <optional>
#include <string>

#include "oracle/verdict.h"

namespace reprise {

// One line. Text that is not UTF-8 is replaced.
std::string ToJson(const Judgement& judgement);

// nullopt for anything that ToJson did not write.
std::optional<Judgement> FromJson(const std::string& text);

}  // namespace reprise

#endif  // REPRISE_ORACLE_JUDGEMENT_JSON_H_
