// Names in force at one place of a case, and the rule for references: a name that means nothing
// there is taken modulo what exists.
#ifndef REPRISE_GRAMMAR_SCOPE_H_
#define REPRISE_GRAMMAR_SCOPE_H_

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/test_case.h"

namespace reprise {

class Scope {
 public:
  struct Entry {
    std::string name;
    Type type;
    bool operator_result;   // else a slot or an input
    bool can_lack = false;  // a slot that can be deleted
    bool hidden = false;
  };

  // Adds a name, made legal and unique first. Returns it as it is in force from here on.
  std::string Declare(const std::string& wanted, const std::string& fallback, Type type,
                      bool operator_result, bool can_lack = false);

  const Entry* Find(const std::string& name) const;

  // The entry that `text` names if it satisfies `accept`; else one of those that do, chosen by the
  // text's hash (the latest for an empty text). Empty if none does.
  std::string Refer(const std::string& text, const std::function<bool(const Entry&)>& accept) const;

  std::string Tensor(const std::string& text) const;
  std::string Function(const std::string& text) const;
  // What an operand letter of a row (OpRow) takes. Empty if there is nothing of the kind.
  std::string Operand(char letter, const std::string& text) const;

  // Forgets the names that were declared after the first `count`, but for the last one: what a
  // function transform computes inside is not seen outside.
  size_t count() const { return entries_.size(); }
  void HideAllButLast(size_t count);

  // Canonical predicate over what is in scope; `object` says whether the model is an object.
  std::string Predicate(const std::string& text, bool object) const;

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string, size_t> index_;
};

// A predicate taken apart: its row and its canonical arguments.
struct ParsedPredicate {
  const PredicateRow* row;
  std::vector<std::string> args;
};
ParsedPredicate ParsePredicate(const std::string& canonical);

}  // namespace reprise

#endif  // REPRISE_GRAMMAR_SCOPE_H_
