// Makes any case resolved: caps kept, names legal and unique, every reference to something that
// exists, every attribute canonical, at least one tensor input, one return and one call.
// Idempotent, and total: parser and mutators may hand it anything whose row pointers are set.
#ifndef REPRISE_GRAMMAR_RESOLVE_H_
#define REPRISE_GRAMMAR_RESOLVE_H_

#include "grammar/test_case.h"

namespace reprise {

void Resolve(TestCase* test);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_RESOLVE_H_
