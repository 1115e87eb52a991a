#include "frameworks/runtime.h"

#include <pybind11/embed.h>
#include <pybind11/stl.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "frameworks/interpreter.h"

namespace py = pybind11;

namespace reprise {
namespace {

py::list Watches(const std::vector<Watch>& watches) {
  py::list list;
  for (const Watch& watch : watches) list.append(py::make_tuple(watch.label, watch.expression));
  return list;
}

py::tuple ToPython(const Binding& binding) {
  return py::make_tuple(binding.name, binding.compiled, binding.uncompiled);
}

py::dict ToPython(const Program& program) {
  py::dict d;
  d["text"] = Text(program);
  d["setup"] = program.setup;
  d["binding"] = ToPython(program.binding);
  d["state"] = Watches(program.state);
  d["object"] = program.object;
  py::list steps;
  for (const ProgramStep& step : program.steps) {
    py::dict s;
    s["prepare"] = step.prepare;
    s["source"] = step.source;
    s["call"] = step.call == static_cast<int>(steps.size());
    if (step.binding) {
      s["binding"] = ToPython(*step.binding);
    } else {
      s["binding"] = py::none();
    }
    s["results"] = Watches(step.results);
    s["arguments"] = Watches(step.arguments);
    s["gradients"] = Watches(step.gradients);
    steps.append(s);
  }
  d["steps"] = steps;
  return d;
}

Leaf ToLeaf(const py::tuple& t) {
  Leaf leaf;
  leaf.section = t[0].cast<std::string>();
  leaf.path = t[1].cast<std::string>();
  leaf.kind = t[2].cast<std::string>();
  leaf.dtype = t[3].cast<std::string>();
  leaf.shape = t[4].cast<std::vector<int64_t>>();
  leaf.order = t[5].cast<std::vector<int>>();
  leaf.requires_grad = t[6].cast<bool>();
  leaf.alias = t[7].cast<int>();
  leaf.data = t[8].cast<std::string>();
  return leaf;
}

CallSignals ToSignals(const py::tuple& t) {
  CallSignals signals;
  AddEvent(t[0].cast<std::string>(), &signals);
  signals.graph_breaks = t[1].cast<int>();
  signals.backward = t[2].cast<bool>();
  for (const py::handle fact : t[3]) {
    const auto words = fact.cast<std::array<std::string, 3>>();
    AddGuard(words[0], words[1], words[2], &signals);
  }
  return signals;
}

Outcome ToOutcome(const py::tuple& t) {
  Outcome outcome;
  if (!t[0].is_none()) {
    const py::tuple raised = t[0];
    outcome.raised =
        Raised{raised[0].cast<std::string>(), raised[1].cast<std::string>(),
               raised[2].cast<std::vector<std::string>>(), raised[3].cast<std::string>()};
  }
  for (const py::handle leaf : t[1]) outcome.leaves.push_back(ToLeaf(leaf.cast<py::tuple>()));
  outcome.signals = ToSignals(t[2]);
  return outcome;
}

// What went wrong on the Python side, as an outcome: the program could not even be set up.
Outcome Failure(const py::error_already_set& error) {
  Outcome outcome;
  const std::string type = py::str(error.type().attr("__name__"));
  outcome.raised = Raised{type, type, {}, py::str(error.value())};
  return outcome;
}

class PythonInstance : public Runtime::Instance {
 public:
  explicit PythonInstance(py::object instance) : instance_(std::move(instance)) {}
  ~PythonInstance() override {
    try {
      instance_.attr("close")();
    } catch (...) {  // NOLINT(bugprone-empty-catch): a destructor has nobody to tell
    }
  }

  void Bind(bool compiled) override {
    if (failure_) return;
    try {
      instance_.attr("bind")(compiled);
    } catch (py::error_already_set& error) {
      failure_ = Failure(error);
    }
  }

  Outcome Step(int index, bool observe) override {
    if (failure_) return *failure_;
    try {
      return ToOutcome(instance_.attr("step")(index, observe));
    } catch (py::error_already_set& error) {
      return Failure(error);
    }
  }

 private:
  py::object instance_;
  std::optional<Outcome> failure_;
};

// A program whose set-up raised: every step of it does.
class FailedInstance : public Runtime::Instance {
 public:
  explicit FailedInstance(Outcome outcome) : outcome_(std::move(outcome)) {}
  void Bind(bool) override {}
  Outcome Step(int, bool) override { return outcome_; }

 private:
  const Outcome outcome_;
};

class PythonRuntime : public Runtime {
 public:
  PythonRuntime(py::object host, py::object runtime, std::string plant)
      : host_(std::move(host)), runtime_(std::move(runtime)), plant_(std::move(plant)) {}

  std::string Banner() override {
    const py::object version = py::module_::import("platform").attr("python_version")();
    std::string text = absl::StrCat(runtime_.attr("banner")().cast<std::string>(), ", Python ",
                                    version.cast<std::string>());
    if (!plant_.empty()) absl::StrAppend(&text, ", PLANTED FAULT from ", plant_);
    return text;
  }
  void BeginCase() override { runtime_.attr("begin_case")(); }
  void Settle() override { runtime_.attr("settle")(); }
  void BeginMode() override { runtime_.attr("begin_mode")(); }
  void Suspend() override { runtime_.attr("suspend")(); }
  void Resume() override { runtime_.attr("resume")(); }
  void Reset(int tier) override {
    const auto start = std::chrono::steady_clock::now();
    runtime_.attr("reset")(tier);
    resets_ += std::chrono::steady_clock::now() - start;
  }
  Meter Read() override {
    const py::tuple meter = runtime_.attr("meter")();
    return {host_.attr("inside").cast<double>() + resets_.count(), meter[1].cast<double>(),
            meter[0].cast<int64_t>()};
  }
  std::vector<std::string> Shortcuts() override {
    return runtime_.attr("shortcuts")().cast<std::vector<std::string>>();
  }
  void TurnOff(const std::vector<std::string>& shortcuts) override {
    runtime_.attr("turn_off")(shortcuts);
  }

  std::unique_ptr<Instance> Load(const Program& program, const std::string& tag) override {
    const std::string filename = absl::StrCat("<reprise ", ++loaded_, " ", tag, ">");
    try {
      return std::make_unique<PythonInstance>(
          host_.attr("Instance")(runtime_, ToPython(program), filename));
    } catch (py::error_already_set& error) {
      return std::make_unique<FailedInstance>(Failure(error));
    }
  }

 private:
  py::object host_, runtime_;
  std::string plant_;
  int64_t loaded_ = 0;
  std::chrono::duration<double> resets_{0};
};

absl::Status Plant(const std::string& file) {
  try {
    // Plants may share code that lies beside them.
    const std::string folder = std::filesystem::path(file).parent_path();
    py::module_::import("sys").attr("path").attr("insert")(0, folder);
    const py::object spec =
        py::module_::import("importlib.util").attr("spec_from_file_location")("plant", file);
    const py::object module = py::module_::import("importlib.util").attr("module_from_spec")(spec);
    spec.attr("loader").attr("exec_module")(module);
    module.attr("plant")();
  } catch (py::error_already_set& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("--plant=", file, ": ", std::string(py::str(error.value()))));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Runtime>> Runtime::StartFor(
    const std::string& framework, const std::string& plant,
    const std::function<void()>& before_import) {
  absl::StatusOr<RuntimeOptions> options = LocateRuntime(framework);
  if (!options.ok()) return options.status();
  options->plant = plant;
  options->before_import = before_import;
  return Start(*options);
}

absl::StatusOr<std::unique_ptr<Runtime>> Runtime::Start(const RuntimeOptions& options) {
  if (absl::Status status = StartInterpreter(options.python); !status.ok()) return status;
  py::object host, runtime;
  try {
    const py::list path = py::module_::import("sys").attr("path");
    path.attr("insert")(0, options.directory);
    path.attr("insert")(0, absl::StrCat(options.directory, "/", options.framework));
    if (options.before_import) options.before_import();
    runtime = py::module_::import("runtime").attr("Runtime")();
    host = py::module_::import("host");
  } catch (py::error_already_set& error) {
    return absl::FailedPreconditionError(absl::StrCat(
        options.framework, " cannot be imported: ", std::string(py::str(error.value()))));
  }
  if (!options.plant.empty()) {
    if (absl::Status status = Plant(options.plant); !status.ok()) return status;
  }
  return std::make_unique<PythonRuntime>(host, runtime, options.plant);
}

}  // namespace reprise
