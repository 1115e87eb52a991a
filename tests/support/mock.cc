#include "tests/support/mock.h"

#include <pybind11/embed.h>

#include <cstdio>
#include <cstdlib>

#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/repair.h"

namespace reprise {

Runtime& MockRuntime() {
  static Runtime* runtime = [] {
    auto started = Runtime::StartFor("mock");
    if (started.ok()) return started->release();
    std::fprintf(stderr, "%s\n", std::string(started.status().message()).c_str());
    std::abort();
  }();
  return *runtime;
}

PlantedFault::PlantedFault(const std::string& name) {
  MockRuntime();
  pybind11::module_::import("mk").attr("faults").attr("add")(name);
}

PlantedFault::~PlantedFault() { pybind11::module_::import("mk").attr("faults").attr("clear")(); }

SpoiltFunction::SpoiltFunction(const std::string& name) : name_(name) {
  MockRuntime();
  pybind11::exec("import mk\nright = mk." + name + "\nmk." + name +
                 " = lambda x: right(x) + 2.0\n");
}

SpoiltFunction::~SpoiltFunction() { pybind11::exec("mk." + name_ + " = right\n"); }

Judgement JudgeOnMock(const std::string& text, ResetPolicy policy) {
  const Framework& mock = *FindFramework("mock");
  TestCase test = Parse(text);
  Repair(mock.capabilities(), &test);
  return Judge(mock, MockRuntime(), test, {policy});
}

}  // namespace reprise
