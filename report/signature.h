// Which bug an alarm belongs to. Made of kinds, never of shapes, sizes or counts, so that it
// survives minimisation: framework, verdict, symptom, backend, exception class with its deepest
// frames inside the framework, or else the kinds of the steps that remain after refinement.
#ifndef REPRISE_REPORT_SIGNATURE_H_
#define REPRISE_REPORT_SIGNATURE_H_

#include <string>

#include "grammar/test_case.h"
#include "oracle/verdict.h"

namespace reprise {

inline constexpr size_t kHashLetters = 8;

struct Signature {
  std::string text;  // for people: "pytorch stateful value of results after set(attr.module,dict)"
  std::string hash;  // kHashLetters lower-case letters; crash parsers rewrite digits
};

Signature SignatureOf(const std::string& framework, const TestCase& test,
                      const Judgement& judgement);

// Of a case on which the process dies at its last step; `how` as "signal 11".
Signature DeathSignature(const std::string& framework, const TestCase& test,
                         const std::string& how);

}  // namespace reprise

#endif  // REPRISE_REPORT_SIGNATURE_H_
