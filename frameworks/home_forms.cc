#include "frameworks/home_forms.h"

#include <vector>

#include "absl/strings/ascii.h"

namespace reprise {
namespace {

const std::vector<HomeForm>& Forms() {
  static const auto* forms = new std::vector<HomeForm>{
      {.home = "attr",
       .place = Place::kInit,
       .define = "self.{name} = {value}",
       .inside = "self.{name}",
       .outside = "model.{name}",
       .exists = "\"{name}\" in self.__dict__"},
      {.home = "submodule",
       .place = Place::kInit,
       .define = "self.inner.{name} = {value}",
       .inside = "self.inner.{name}",
       .outside = "model.inner.{name}"},
      {.home = "class",
       .place = Place::kClass,
       .define = "{name} = {value}",
       .inside = "self.{name}",
       .outside = "{Model}.{name}"},
      {.home = "global",
       .place = Place::kTop,
       .define = "{name} = {value}",
       .inside = "{name}",
       .outside = "{name}",
       .code = "{name}.__code__"},
      {.home = "closure",
       .place = Place::kCell,
       .define = "",
       .inside = "{name}",
       .outside = "get_{name}()",
       .assign = "set_{name}({value})",
       .report = "set_{name}.__closure__[0].cell_contents"},
      {.home = "default",
       .place = Place::kParameter,
       .define = "{name}={value}",
       .inside = "{name}",
       .outside = "{forward}.__defaults__[{index}]",
       .assign = "{forward}.__defaults__ = {forward}.__defaults__[:{index}] + ({value},) + "
                 "{forward}.__defaults__[{index} + 1 :]"},
      {.home = "dict",
       .place = Place::kTable,
       .define = "\"{name}\": {value}",
       .inside = "{self}table[\"{name}\"]",
       .outside = "{model}table[\"{name}\"]",
       .report = "{model}table.get(\"{name}\")",
       .exists = "\"{name}\" in {self}table"},
      {.home = "list",
       .place = Place::kTable,
       .define = "{value}",
       .inside = "{self}levels[{index}]",
       .outside = "{model}levels[{index}]"},
      {.home = "object",
       .place = Place::kTop,
       .define = "config.{name} = {value}",
       .inside = "config.{name}",
       .outside = "config.{name}",
       .exists = "\"{name}\" in config.__dict__"},
      {.home = "field",
       .place = Place::kTable,
       .define = "{name}: object = {value}",
       .inside = "settings.{name}",
       .outside = "settings.{name}"},
      {.home = "property",
       .place = Place::kClass,
       .define = "@property\ndef {name}(self):\n    return {value}\n",
       .inside = "self.{name}",
       .outside = "model.{name}",
       .assign = "{Model}.{name} = property(lambda self: {value})"},
      {.home = "method",
       .place = Place::kClass,
       .define = "def {name}(self, x):\n    return {fn}\n",
       .inside = "self.{name}",
       .outside = "{Model}.{name}",
       .assign = "{Model}.{name} = lambda self, x: {fn}",
       .code = "{Model}.{name}.__code__"},
      {.home = "special",
       .place = Place::kTop,
       .define = "\n\nclass {Name}:\n    def __call__(self, x):\n        return {fn}\n\n\n"
                 "{name} = {Name}()",
       .inside = "{name}",
       .outside = "{Name}.__call__",
       .assign = "{Name}.__call__ = lambda self, x: {fn}",
       .code = "{Name}.__call__.__code__"},
      {.home = "metaclass",
       .place = Place::kTop,
       .define = "\n\nclass {Name}Meta(type):\n    def __call__(cls, x):\n"
                 "        return super().__call__({fn})\n\n\n"
                 "class {Name}(metaclass={Name}Meta):\n    def __init__(self, x):\n"
                 "        self.value = x\n",
       .inside = "{Name}",
       .outside = "{Name}Meta.__call__",
       .assign = "{Name}Meta.__call__ = lambda cls, x: type.__call__(cls, {fn})",
       .call = "{Name}({0}).value"},
      {.home = "buffer",
       .place = Place::kInit,
       .define = "",  // the dialect registers it
       .inside = "self.{name}",
       .outside = "model.{name}"},
      {.home = "param",
       .place = Place::kInit,
       .define = "self.{name} = {value}",
       .inside = "self.{name}",
       .outside = "model.{name}"},
  };
  return *forms;
}

}  // namespace

const HomeForm& FormOf(const std::string& home) {
  for (const HomeForm& form : Forms()) {
    if (home == form.home) return form;
  }
  return Forms().front();  // not reached: a test compares this table with Homes()
}

std::string ClassName(const std::string& name) {
  std::string result;
  bool start = true;
  for (char c : name) {
    if (c != '_') result += start ? absl::ascii_toupper(c) : c;
    start = c == '_';
  }
  return result;
}

}  // namespace reprise
