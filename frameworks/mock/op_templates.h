// How the mock writes the operators of grammar/op_table.cc, and why it lacks some.
#ifndef REPRISE_FRAMEWORKS_MOCK_OP_TEMPLATES_H_
#define REPRISE_FRAMEWORKS_MOCK_OP_TEMPLATES_H_

#include <map>
#include <string>
#include <vector>

#include "frameworks/dialect.h"

namespace reprise {

// `in_float64`: what makes f32 makes f64 instead.
std::map<std::string, OpTemplate> MockOperators(bool in_float64);

// Operators that the mock does not have, by the reason.
const std::map<std::string, std::vector<std::string>>& MockLacks();

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_MOCK_OP_TEMPLATES_H_
