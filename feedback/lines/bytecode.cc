#include "feedback/lines/bytecode.h"

#if PY_VERSION_HEX < 0x030C0000

#include <opcode.h>

#include <array>
#include <cstring>

namespace reprise {
namespace {

// What Lib/opcode.py of the running interpreter says.
struct OpcodeFacts {
  std::array<uint8_t, 256> caches{};
  std::array<bool, 256> jumps{}, backward{};
  bool known = false;
};

bool ReadFacts(OpcodeFacts* facts) {
  const Ref module(PyImport_ImportModule("opcode"));
  if (!module) return false;
  const Ref caches(PyObject_GetAttrString(module.get(), "_inline_cache_entries"));
  const Ref relative(PyObject_GetAttrString(module.get(), "hasjrel"));
  const Ref absolute(PyObject_GetAttrString(module.get(), "hasjabs"));
  const Ref names(PyObject_GetAttrString(module.get(), "opname"));
  if (!caches || !relative || !absolute || !names || PySequence_Size(absolute.get()) != 0)
    return false;
  for (Py_ssize_t i = 0; i < 256; ++i) {
    const Ref count(PySequence_GetItem(caches.get(), i));
    const Ref name(PySequence_GetItem(names.get(), i));
    if (!count || !name) return false;
    facts->caches[i] = static_cast<uint8_t>(PyLong_AsLong(count.get()));
    const char* text = PyUnicode_AsUTF8(name.get());
    facts->backward[i] = text != nullptr && std::strstr(text, "JUMP_BACKWARD") != nullptr;
  }
  for (Py_ssize_t i = 0; i < PySequence_Size(relative.get()); ++i) {
    const Ref opcode(PySequence_GetItem(relative.get(), i));
    facts->jumps[static_cast<size_t>(PyLong_AsLong(opcode.get())) & 255] = true;
  }
  return PyErr_Occurred() == nullptr;
}

const OpcodeFacts& Facts() {
  static const OpcodeFacts* facts = [] {
    auto* read = new OpcodeFacts;
    read->known = ReadFacts(read);
    PyErr_Clear();
    return read;
  }();
  return *facts;
}

int Prefixes(uint32_t argument) {
  return argument > 0xFFFFFF ? 3 : argument > 0xFFFF ? 2 : argument > 0xFF ? 1 : 0;
}

// NOP or JUMP_FORWARD, LOAD_CONST with its prefixes, UNARY_POSITIVE, POP_TOP.
int ProbeSize(int constant) { return 4 + Prefixes(static_cast<uint32_t>(constant)); }

uint16_t Unit(int opcode, uint32_t argument) {
  return static_cast<uint16_t>(opcode | ((argument & 255) << 8));
}

void PutUnit(int opcode, uint32_t argument, std::string* code) {
  code->push_back(static_cast<char>(opcode));
  code->push_back(static_cast<char>(argument & 255));
}

// Numbers of the exception table: six bits a byte, the highest first; the first of a row is marked.
void PutRowNumber(uint32_t value, int mark, std::string* table) {
  int shift = 0;
  while (shift < 30 && value >> (shift + 6)) shift += 6;
  for (; shift >= 0; shift -= 6, mark = 0) {
    table->push_back(static_cast<char>(((value >> shift) & 63) | (shift ? 64 : 0) | mark));
  }
}

std::vector<uint32_t> RowNumbers(PyObject* table) {
  std::vector<uint32_t> numbers;
  uint32_t value = 0;
  for (Py_ssize_t i = 0; i < PyBytes_GET_SIZE(table); ++i) {
    const auto byte = static_cast<uint8_t>(PyBytes_AS_STRING(table)[i]);
    value = value << 6 | (byte & 63);
    if (byte & 64) continue;
    numbers.push_back(value);
    value = 0;
  }
  return numbers;
}

}  // namespace

bool Disassemble(PyCodeObject* code, Bytecode* bytecode, std::string* why_not) {
  const auto fail = [&](const char* reason) {
    *why_not = reason;
    return false;
  };
  const OpcodeFacts& facts = Facts();
  if (!facts.known) return fail("the table of opcodes is not as expected");
  const Ref bytes(PyCode_GetCode(code));
  if (!bytes) return fail("no code");
  const auto* raw = reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(bytes.get()));
  const auto units = static_cast<int>(PyBytes_GET_SIZE(bytes.get()) / 2);
  const std::vector<Location> locations = DecodeLocations(code);
  if (static_cast<int>(locations.size()) != units) return fail("locations do not cover the code");
  bytecode->first_line = code->co_firstlineno;

  std::vector<int> at(static_cast<size_t>(units) + 1, -1);  // unit -> instruction
  std::vector<int> ends;                                    // instruction -> unit after its opcode
  for (int unit = 0; unit < units;) {
    Instruction instruction;
    at[unit] = static_cast<int>(bytecode->instructions.size());
    for (; raw[2 * unit] == EXTENDED_ARG && unit + 1 < units; ++unit)
      instruction.argument = (instruction.argument | raw[2 * unit + 1]) << 8;
    instruction.opcode = raw[2 * unit];
    instruction.argument |= raw[2 * unit + 1];
    instruction.caches = facts.caches[instruction.opcode];
    instruction.backward = facts.backward[instruction.opcode];
    instruction.location = locations[unit];
    ends.push_back(++unit);
    unit += instruction.caches;
    bytecode->instructions.push_back(instruction);
  }
  at[units] = static_cast<int>(bytecode->instructions.size());
  const auto position = [&](int64_t unit) { return unit < 0 || unit > units ? -1 : at[unit]; };

  for (size_t i = 0; i < bytecode->instructions.size(); ++i) {
    Instruction& instruction = bytecode->instructions[i];
    if (!facts.jumps[instruction.opcode]) continue;
    const int64_t distance = instruction.backward ? -static_cast<int64_t>(instruction.argument)
                                                  : static_cast<int64_t>(instruction.argument);
    instruction.target = position(ends[i] + distance);
    if (instruction.target < 0) return fail("a jump leads into an instruction");
  }
  const std::vector<uint32_t> numbers = RowNumbers(code->co_exceptiontable);
  if (numbers.size() % 4 != 0) return fail("the exception table is not understood");
  for (size_t i = 0; i < numbers.size(); i += 4) {
    const Handler handler{position(numbers[i]), position(numbers[i] + int64_t{numbers[i + 1]}),
                          position(numbers[i + 2]), numbers[i + 3]};
    if (handler.start < 0 || handler.end < 0 || handler.target < 0)
      return fail("the exception table leads into an instruction");
    bytecode->handlers.push_back(handler);
  }
  return true;
}

Assembled Assemble(const Bytecode& bytecode) {
  const std::vector<Instruction>& all = bytecode.instructions;
  std::vector<uint32_t> arguments;
  for (const Instruction& instruction : all) arguments.push_back(instruction.argument);
  // Offsets depend on the size of jumps' arguments, which depend on offsets: sizes only grow.
  std::vector<int> start(all.size() + 1), prefixes(all.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < all.size(); ++i) {
      prefixes[i] = std::max(prefixes[i], Prefixes(arguments[i]));
      const int probe = all[i].probe < 0 ? 0 : ProbeSize(all[i].probe);
      start[i + 1] = start[i] + probe + prefixes[i] + 1 + all[i].caches;
    }
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].target < 0) continue;
      const int end = start[i + 1] - all[i].caches;
      const int target = start[static_cast<size_t>(all[i].target)];
      const auto argument = static_cast<uint32_t>(all[i].backward ? end - target : target - end);
      changed |= argument != arguments[i];
      arguments[i] = argument;
    }
  }

  Assembled out;
  int line = bytecode.first_line;
  for (size_t i = 0; i < all.size(); ++i) {
    const Instruction& instruction = all[i];
    if (instruction.probe >= 0) {
      const int size = ProbeSize(instruction.probe);
      out.probes.push_back({start[i], instruction.probe, size});
      for (int k = 0; k < size; ++k) PutUnit(NOP, 0, &out.code);
      // No columns: a caret in a traceback never points at a probe, which cannot raise.
      const int at = instruction.location.line;
      EncodeLocation({at, at, -1, -1}, size, &line, &out.locations);
    }
    for (int k = prefixes[i]; k > 0; --k) PutUnit(EXTENDED_ARG, arguments[i] >> (8 * k), &out.code);
    PutUnit(instruction.opcode, arguments[i], &out.code);
    out.code.append(size_t{2} * instruction.caches, '\0');
    EncodeLocation(instruction.location, prefixes[i] + 1 + instruction.caches, &line,
                   &out.locations);
  }
  for (const Handler& handler : bytecode.handlers) {
    const int from = start[static_cast<size_t>(handler.start)];
    PutRowNumber(static_cast<uint32_t>(from), 128, &out.handlers);
    PutRowNumber(static_cast<uint32_t>(start[static_cast<size_t>(handler.end)] - from), 0,
                 &out.handlers);
    PutRowNumber(static_cast<uint32_t>(start[static_cast<size_t>(handler.target)]), 0,
                 &out.handlers);
    PutRowNumber(handler.depth_and_lasti, 0, &out.handlers);
  }
  return out;
}

uint16_t ArmedUnit() { return Unit(NOP, 0); }

uint16_t DisarmedUnit(const ProbeSite& site) {
  return Unit(JUMP_FORWARD, static_cast<uint32_t>(site.units - 1));
}

std::vector<uint16_t> ProbeUnits(const ProbeSite& site) {
  std::vector<uint16_t> units{ArmedUnit()};
  const auto constant = static_cast<uint32_t>(site.constant);
  for (int k = Prefixes(constant); k > 0; --k)
    units.push_back(Unit(EXTENDED_ARG, constant >> (8 * k)));
  units.push_back(Unit(LOAD_CONST, constant));
  units.push_back(Unit(UNARY_POSITIVE, 0));
  units.push_back(Unit(POP_TOP, 0));
  return units;
}

}  // namespace reprise

#endif  // PY_VERSION_HEX
