// A judged case for people: the table of calls x modes, and the verdict in a sentence.
#ifndef REPRISE_REPORT_RENDER_H_
#define REPRISE_REPORT_RENDER_H_

#include <string>

#include "grammar/test_case.h"
#include "oracle/verdict.h"
#include "report/signature.h"

namespace reprise {

// One row per step: what it does, what the compiler did in mode S, how S and R compare with E.
std::string RenderTable(const TestCase& test, const Judgement& judgement);

// "VERDICT stateful: call 2 (step 3), value of result: differs by ..."
std::string RenderVerdict(const TestCase& test, const Judgement& judgement);

// How a finding was confirmed, shortened and moved to an earlier backend, and the file of a planted
// fault, if there is one.
std::string RenderOrigin(const TestCase& original, const TestCase& test, const std::string& plant);

// A confirmed alarm: case, table, verdict and origin.
std::string RenderFinding(const Signature& signature, const TestCase& original,
                          const TestCase& test, const Judgement& judgement,
                          const std::string& plant);

}  // namespace reprise

#endif  // REPRISE_REPORT_RENDER_H_
