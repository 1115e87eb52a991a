#include "feedback/lines/probe_plan.h"

#if PY_VERSION_HEX < 0x030C0000

#include <opcode.h>

namespace reprise {
namespace {

// RESUME has to follow YIELD_VALUE (a generator's state is read off the code), CALL its PRECALL,
// and that its KW_NAMES.
bool MayFollowProbe(int opcode) {
  return opcode != RESUME && opcode != CALL && opcode != PRECALL && opcode != KW_NAMES;
}

}  // namespace

std::vector<PlannedProbe> PlanProbes(const Bytecode& bytecode) {
  const std::vector<Instruction>& all = bytecode.instructions;
  const size_t count = all.size();
  size_t begin = 0;  // nothing before the first RESUME: cells and generators are not made yet
  while (begin < count && all[begin].opcode != RESUME) ++begin;

  std::vector<bool> entered(count + 1, false);  // control comes from another line, or from a raise
  for (const Instruction& instruction : all) {
    if (instruction.target < 0) continue;
    const auto target = static_cast<size_t>(instruction.target);
    if (target < count && instruction.location.line != all[target].location.line)
      entered[target] = true;
  }
  for (const Handler& handler : bytecode.handlers)
    entered[static_cast<size_t>(handler.target)] = true;

  std::vector<PlannedProbe> probes;
  int last = -1;
  bool due = false;
  for (size_t i = begin + 1; i < count; ++i) {
    const int line = all[i].location.line;
    if (line < 0) continue;  // what the compiler made up
    due = line != last || entered[i] || due;
    last = line;
    if (!due || !MayFollowProbe(all[i].opcode)) continue;
    probes.push_back({static_cast<int>(i), line});
    due = false;
  }
  return probes;
}

std::vector<int> TellableLines(PyCodeObject* code) {
  Bytecode bytecode;
  std::string why_not;
  std::vector<int> lines;
  if (!Disassemble(code, &bytecode, &why_not)) return lines;
  for (const PlannedProbe& probe : PlanProbes(bytecode)) lines.push_back(probe.line);
  return lines;
}

}  // namespace reprise

#endif  // PY_VERSION_HEX
