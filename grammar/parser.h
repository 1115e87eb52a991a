// Text to case. Total and linear: whatever the bytes, the result is a resolved case. A line that
// cannot be read is skipped, what is missing has a default, what is beyond the caps is cut; so
// every prefix of a file is a case as well.
#ifndef REPRISE_GRAMMAR_PARSER_H_
#define REPRISE_GRAMMAR_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "grammar/test_case.h"

namespace reprise {

// Bytes beyond this are not read.
inline constexpr size_t kMaxFileBytes = 64 << 10;

TestCase Parse(const uint8_t* data, size_t size);
TestCase Parse(const std::string& text);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_PARSER_H_
