#include "oracle/precision.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "grammar/printer.h"

namespace reprise {
namespace {

// From coarse to fine; what is not here is exact.
int Fineness(Dtype dtype) {
  constexpr Dtype kOrder[] = {Dtype::kBF16, Dtype::kF16, Dtype::kF32, Dtype::kF64};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), dtype) - kOrder);
}

}  // namespace

Dtype CoarsestFloat(const TestCase& test) {
  Dtype coarsest = Dtype::kF32;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const std::string text = Print(test);
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), is_word);
    const auto end = std::find_if_not(begin, text.end(), is_word);
    const auto dtype = ParseDtype(std::string(begin, end));
    if (dtype && Fineness(*dtype) < Fineness(coarsest)) coarsest = *dtype;
    begin = end;
  }
  return coarsest;
}

}  // namespace reprise
