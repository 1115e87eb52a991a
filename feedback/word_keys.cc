// Word keys: the words of the language x what the compiler did. Operators of the model; and slots,
// by home and by type, with what was done to each since the last call.
#include <set>

#include "absl/strings/str_cat.h"
#include "feedback/families.h"

namespace reprise {
namespace {

enum LatticeOfWords : size_t { kHomes, kTypes, kOperators };

// What can be done to a slot, in the order of the axis.
const std::vector<std::string>& Verbs() {
  static const auto* verbs = [] {
    auto* made = new std::vector<std::string>{"untouched", "set via dict", "set via factory"};
    for (const StepRow& row : Steps()) {
      if (row.fits != nullptr) made->push_back(row.name);
    }
    return made;
  }();
  return *verbs;
}

size_t PositionOf(const std::string& verb) {
  for (size_t i = 0; i < Verbs().size(); ++i) {
    if (Verbs()[i] == verb) return i;
  }
  return 0;
}

// Homes, types and operators share words.
std::string InHome(const HomeRow& home) { return absl::StrCat("in ", home.name); }
std::string OfType(Type type) { return absl::StrCat("a ", Name(type)); }

std::string VerbOf(const Step& step) {
  const std::string via = Attr(step, "via");
  return via.empty() ? step.row->name : absl::StrCat("set via ", via);
}

// Does the step act on the slot? Only `swap` acts on the second that it names.
bool ActsOn(const Step& step, const Slot& slot) {
  if (step.row->fits == nullptr) return false;
  return step.attrs[0] == slot.name || (step.row == FindStep("swap") && step.attrs[1] == slot.name);
}

bool CanBeDone(const std::string& verb, const HomeRow& home, Type type) {
  const std::string word = verb.substr(0, verb.find(' '));
  if (word == "untouched") return true;
  if (word == "delete" && !home.can_fall_back) return false;
  Slot slot{"s", &home, type, "[1,2]:f32:s1", "1"};
  return FindStep(word)->fits(slot);
}

// A slot of this home or of this type, whichever the point has, that accepts the verb.
bool NoSlotAccepts(const Point& p) {
  const std::string verb = p.On("verb"), home_name = p.On("home"), type_name = p.On("type");
  if (verb.empty()) return false;
  for (const HomeRow& home : Homes()) {
    if (!home_name.empty() && home_name != InHome(home)) continue;
    for (const Type type : home.types) {
      if (!type_name.empty() && type_name != OfType(type)) continue;
      if (CanBeDone(verb, home, type)) return false;
    }
  }
  return true;
}

}  // namespace

const Family& WordFamily() {
  static const auto* family = [] {
    const Axis verbs{"verb", Verbs()};
    Axis homes{"home", {}}, types{"type", {}}, operators{"operator", {}};
    for (const HomeRow& row : Homes()) homes.values.push_back(InHome(row));
    for (int i = 0; i < kTypeCount; ++i) types.values.push_back(OfType(static_cast<Type>(i)));
    for (const OpRow& row : Operators()) operators.values.push_back(absl::StrCat("op ", row.name));
    return new Family{
        "words",
        Domain::kWords,
        {Lattice({homes, verbs, EventAxis()}), Lattice({types, verbs, EventAxis()}),
         Lattice({operators, EventAxis()})},
        {{"no slot of this kind accepts the verb, or there is none of this kind", NoSlotAccepts}}};
  }();
  return *family;
}

void AddWordCells(const SeenStep& seen, Cells* cells) {
  // A compiled optimizer runs nothing of the model.
  if (!IsJudged(seen.step())) return;
  const Family& family = WordFamily();
  for (const Op& op : seen.test.ops) {
    cells->push_back(
        family.Cell(kOperators, {static_cast<size_t>(op.row - Operators().data()), seen.event}));
  }
  const auto between = seen.Between();
  for (const Slot& slot : seen.test.slots) {
    std::set<size_t> verbs;
    for (const Step* step : between) {
      if (ActsOn(*step, slot)) verbs.insert(PositionOf(VerbOf(*step)));
    }
    if (verbs.empty()) verbs.insert(0);
    for (const size_t verb : verbs) {
      cells->push_back(
          family.Cell(kHomes, {static_cast<size_t>(slot.home - Homes().data()), verb, seen.event}));
      cells->push_back(family.Cell(kTypes, {static_cast<size_t>(slot.type), verb, seen.event}));
    }
  }
}

}  // namespace reprise
