// Which bug an alarm belongs to. Made of kinds, never of shapes, sizes or counts, so that it
// survives minimisation: framework, verdict, symptom, backend, exception class with its deepest
// frames inside the framework, or else the kinds of the steps that remain after refinement.
#ifndef REPRISE_REPORT_SIGNATURE_H_
#define REPRISE_REPORT_SIGNATURE_H_

#include <string>

#include "grammar/test_case.h"
#include "oracle/verdict.h"

namespace reprise {

struct Signature {
  std::string text;  // for people: "pytorch stateful value of results after set(attr.module,dict)"
  std::string hash;  // eight lower-case letters; crash parsers rewrite digits
};

Signature SignatureOf(const std::string& framework, const TestCase& test,
                      const Judgement& judgement);

}  // namespace reprise

#endif  // REPRISE_REPORT_SIGNATURE_H_
