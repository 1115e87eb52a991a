// The part of repair that is about words: those that a framework lacks are replaced or dropped.
#ifndef REPRISE_GRAMMAR_REPAIR_WORDS_H_
#define REPRISE_GRAMMAR_REPAIR_WORDS_H_

#include "grammar/capabilities.h"
#include "grammar/test_case.h"

namespace reprise {

// Replaces every word that the framework lacks. The case is resolved again by whoever calls.
void DropUnsupported(const Capabilities& capabilities, TestCase* test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_REPAIR_WORDS_H_
