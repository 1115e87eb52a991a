#include "feedback/lines/code_lines.h"

#include <cstdint>

namespace reprise {
namespace {

// Forms of an entry of the location table (CPython Objects/locations.md).
enum Form { kShort = 0, kOneLine = 10, kNoColumns = 13, kLong = 14, kNone = 15 };

constexpr int kUnitsPerEntry = 8;

class Reader {
 public:
  explicit Reader(PyObject* bytes)
      : at_(reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(bytes))),
        end_(at_ + PyBytes_GET_SIZE(bytes)) {}

  bool more() const { return at_ < end_; }
  uint8_t Byte() { return at_ < end_ ? *at_++ : 0; }

  int Number() {
    uint8_t byte = Byte();
    unsigned value = byte & 63;
    for (unsigned shift = 6; byte & 64; shift += 6) {
      byte = Byte();
      value |= (byte & 63U) << shift;
    }
    return static_cast<int>(value);
  }

  int SignedNumber() {
    const auto value = static_cast<unsigned>(Number());
    return (value & 1) ? -static_cast<int>(value >> 1) : static_cast<int>(value >> 1);
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

void PutNumber(unsigned value, std::string* table) {
  for (; value >= 64; value >>= 6) table->push_back(static_cast<char>(64 | (value & 63)));
  table->push_back(static_cast<char>(value));
}

void PutSignedNumber(int value, std::string* table) {
  PutNumber(
      value < 0 ? (static_cast<unsigned>(-value) << 1) | 1 : static_cast<unsigned>(value) << 1,
      table);
}

void PutEntry(const Location& at, int units, int* line, std::string* table) {
  const auto head = [&](int form) {
    table->push_back(static_cast<char>(128 | (form << 3) | (units - 1)));
  };
  if (at.line < 0) {
    head(kNone);
    return;
  }
  const int delta = at.line - *line;
  *line = at.line;
  const bool one_line = at.end_line == at.line;
  if (at.column < 0 || at.end_column < 0) {
    if (one_line || at.end_line < 0) {
      head(kNoColumns);
      PutSignedNumber(delta, table);
      return;
    }
  } else if (one_line) {
    const int width = at.end_column - at.column;
    if (delta == 0 && at.column < 80 && width >= 0 && width < 16) {
      head(kShort + at.column / 8);
      table->push_back(static_cast<char>(((at.column % 8) << 4) | width));
      return;
    }
    if (delta >= 0 && delta < 3 && at.column < 128 && at.end_column < 128) {
      head(kOneLine + delta);
      table->push_back(static_cast<char>(at.column));
      table->push_back(static_cast<char>(at.end_column));
      return;
    }
  }
  head(kLong);
  PutSignedNumber(delta, table);
  PutNumber(static_cast<unsigned>(at.end_line - at.line), table);
  PutNumber(static_cast<unsigned>(at.column + 1), table);
  PutNumber(static_cast<unsigned>(at.end_column + 1), table);
}

}  // namespace

std::vector<Location> DecodeLocations(PyCodeObject* code) {
  std::vector<Location> locations;
  Reader reader(code->co_linetable);
  int line = code->co_firstlineno;
  while (reader.more()) {
    const uint8_t head = reader.Byte();
    const int form = (head >> 3) & 15;
    Location at;
    if (form == kLong) {
      line += reader.SignedNumber();
      at.end_line = line + reader.Number();
      at.column = reader.Number() - 1;
      at.end_column = reader.Number() - 1;
    } else if (form == kNoColumns) {
      line += reader.SignedNumber();
      at.end_line = line;
    } else if (form >= kOneLine && form < kNoColumns) {
      line += form - kOneLine;
      at.end_line = line;
      at.column = reader.Byte();
      at.end_column = reader.Byte();
    } else if (form < kOneLine) {
      const uint8_t columns = reader.Byte();
      at.end_line = line;
      at.column = form * 8 + (columns >> 4);
      at.end_column = at.column + (columns & 15);
    }
    if (form != kNone) at.line = line;
    locations.insert(locations.end(), (static_cast<size_t>(head) & 7) + 1, at);
  }
  return locations;
}

void EncodeLocation(const Location& location, int units, int* line, std::string* table) {
  for (; units > kUnitsPerEntry; units -= kUnitsPerEntry)
    PutEntry(location, kUnitsPerEntry, line, table);
  if (units > 0) PutEntry(location, units, line, table);
}

bool IsFunction(PyCodeObject* code) {
  constexpr int kFunction = CO_OPTIMIZED | CO_NEWLOCALS;
  return (code->co_flags & kFunction) == kFunction;
}

void ForEachNested(PyCodeObject* code, const std::function<void(PyCodeObject*)>& visit) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); ++i) {
    PyObject* constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCode_Check(constant)) visit(reinterpret_cast<PyCodeObject*>(constant));
  }
}

}  // namespace reprise
