// How a Python program spells each slot home: where it is defined, how the model reads it, how a
// step reads and writes it. One row per home.
#ifndef REPRISE_FRAMEWORKS_HOME_FORMS_H_
#define REPRISE_FRAMEWORKS_HOME_FORMS_H_

#include <string>

namespace reprise {

// Where the text that defines a slot stands.
enum class Place {
  kTop,        // before the model
  kClass,      // in the body of the model's class
  kInit,       // in its constructor
  kTable,      // entry of the dictionary or list that the home's slots share
  kCell,       // variable of the function that makes the model
  kParameter,  // parameter of the forward function
};

// Placeholders: {name} {Name} the slot; {value} its value; {fn} a function of x as an expression;
// {index} its position among the slots of its home; {self} and {model} what the model's own things
// are read through, inside and outside; {Model} its class; {forward} its forward function.
struct HomeForm {
  const char* home;
  Place place;
  const char* define;
  const char* inside;       // read by the forward function
  const char* outside;      // read by a step
  const char* assign = "";  // statement; empty: outside = value
  const char* report = "";  // read by the oracle; empty: as outside
  const char* call = "";    // applied to {0}; empty: inside({0})
  const char* exists = "";  // is there a value of its own?
  const char* code = "";    // its code object
};

const HomeForm& FormOf(const std::string& home);

// "ScaleBy" for the name "scale_by".
std::string ClassName(const std::string& name);

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_HOME_FORMS_H_
