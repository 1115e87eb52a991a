// How closely the oracle looks. Each level includes the one before; the paper's Table 6 counts
// alarms by level.
#ifndef REPRISE_ORACLE_LEVEL_H_
#define REPRISE_ORACLE_LEVEL_H_

#include <optional>
#include <string>

namespace reprise {

enum class Level {
  kCrash,       // S raises, or dies, where E does not
  kTwoMode,     // results and gradients of E and S as numbers
  kThreeMode,   // and R tells what is stateful
  kStructured,  // everything that can be observed: tree, dtype, layout, aliasing, state, process
                // flags
  kFull,        // and the declared invariants (invariants.h)
};

const char* Name(Level level);
std::optional<Level> ParseLevel(const std::string& name);
// "crash, two-mode, ...", for messages.
std::string LevelNames();

}  // namespace reprise

#endif  // REPRISE_ORACLE_LEVEL_H_
