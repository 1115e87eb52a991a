#include "frameworks/dialect.h"

namespace reprise {

std::string Perturbed(const std::string& rand) {
  const size_t line = rand.find('\n', rand.find("    values = ")) + 1;
  return rand.substr(0, line) +
         "    values *= 1 + 2.0**-20 * np.random.default_rng(seed + 1).choice([-1, 1], shape)\n" +
         rand.substr(line);
}

std::string Fill(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string result;
  size_t at = 0;
  while (at < text.size()) {
    const size_t open = text.find('{', at);
    if (open == std::string::npos) break;
    const size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    result.append(text, at, open - at);
    const auto it = values.find(text.substr(open + 1, close - open - 1));
    if (it != values.end()) {
      result += it->second;
    } else {
      result.append(text, open, close - open + 1);
    }
    at = close + 1;
  }
  return result.append(text, at);
}

}  // namespace reprise
