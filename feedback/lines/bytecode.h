// Bytecode of CPython 3.11 taken apart and put together again, with probes in it.
//
// Formats: Objects/locations.md, Objects/exception_handling_notes.txt and Lib/dis.py of
// CPython 3.11. All jumps are relative there.
#ifndef REPRISE_FEEDBACK_LINES_BYTECODE_H_
#define REPRISE_FEEDBACK_LINES_BYTECODE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "feedback/lines/code_lines.h"

namespace reprise {

struct Instruction {
  uint8_t opcode = 0;
  uint8_t caches = 0;     // inline cache units that follow
  uint32_t argument = 0;  // its EXTENDED_ARG prefixes folded in
  int target = -1;        // of a jump: position of an instruction
  bool backward = false;  // of a jump
  int probe = -1;         // the probe that stands before it: position in co_consts
  Location location;
};

// A row of the exception table, in positions of instructions; `end` is exclusive.
struct Handler {
  int start = 0, end = 0, target = 0;
  uint32_t depth_and_lasti = 0;
};

struct Bytecode {
  std::vector<Instruction> instructions;
  std::vector<Handler> handlers;
  int first_line = 0;
};

// Where a probe lies in the assembled code.
struct ProbeSite {
  int unit = 0;      // its first code unit, which is flipped between NOP and JUMP_FORWARD
  int constant = 0;  // position of the probe in co_consts
  int units = 0;     // its length
};

struct Assembled {
  std::string code;  // NOPs where probes are: what everybody may see
  std::string locations, handlers;
  std::vector<ProbeSite> probes;
};

// False with the reason for what is not understood.
bool Disassemble(PyCodeObject* code, Bytecode* bytecode, std::string* why_not);

Assembled Assemble(const Bytecode& bytecode);

// The units of a probe as they are executed while it is armed.
std::vector<uint16_t> ProbeUnits(const ProbeSite& site);
// The unit that replaces the first of them once the probe has fired, and back.
uint16_t DisarmedUnit(const ProbeSite& site);
uint16_t ArmedUnit();

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_LINES_BYTECODE_H_
