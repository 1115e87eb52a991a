// A judged case for people: the table of calls x modes, and the verdict in a sentence.
#ifndef REPRISE_REPORT_RENDER_H_
#define REPRISE_REPORT_RENDER_H_

#include <string>

#include "grammar/test_case.h"
#include "oracle/verdict.h"

namespace reprise {

// One row per step: what it does, what the compiler did in mode S, how S and R compare with E.
std::string RenderTable(const TestCase& test, const Judgement& judgement);

// "VERDICT stateful: call 2 (step 3), value of result: differs by ..."
std::string RenderVerdict(const TestCase& test, const Judgement& judgement);

// How a finding was confirmed and shortened, and the file of a planted fault, if there is one.
std::string RenderOrigin(const TestCase& original, const TestCase& test, int confirmations,
                         const std::string& plant);

}  // namespace reprise

#endif  // REPRISE_REPORT_RENDER_H_
