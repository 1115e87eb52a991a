// Case to canonical text. Parse(Print(c)) == c for every resolved case c.
#ifndef REPRISE_GRAMMAR_PRINTER_H_
#define REPRISE_GRAMMAR_PRINTER_H_

#include <string>

#include "grammar/test_case.h"

namespace reprise {

std::string Print(const TestCase& test);

// One step as its line, without the newline.
std::string PrintStep(const TestCase& test, const Step& step);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_PRINTER_H_
