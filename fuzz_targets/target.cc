#include "fuzz_targets/target.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "feedback/features.h"
#include "feedback/keys.h"
#include "frameworks/framework.h"
#include "fuzz_targets/alarm.h"
#include "fuzz_targets/bury.h"
#include "fuzz_targets/in_flight.h"
#include "fuzz_targets/leave.h"
#include "fuzz_targets/minimise.h"
#include "fuzz_targets/options.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "mutators/mutate.h"
#include "observe/observer.h"
#include "oracle/judgement_json.h"
#include "report/render.h"
#include "tools/flags.h"

namespace reprise {
namespace {

// Everything that a target keeps between inputs. Never destroyed: see frameworks/runtime.h.
struct Target {
  const Framework* framework = nullptr;
  Capabilities capabilities;  // the framework's, narrowed by --backend
  TargetOptions options;
  std::unique_ptr<Observer> observer;
  std::unique_ptr<InFlight> in_flight;
  std::unique_ptr<AlarmHandler> alarms;
  std::unique_ptr<Minimiser> minimiser;
};

Target& TheTarget() {
  static auto* target = new Target;
  return *target;
}

[[noreturn]] void Fail(int code, const std::string& message) {
  std::fprintf(stderr, "reprise: %s\n", message.c_str());
  std::fflush(nullptr);
  _exit(code);
}

// Imports the framework, at the first input.
void StartFramework(Target& target, bool lines) {
  auto observer =
      Observer::Start(*target.framework, target.capabilities, {target.options.plant, lines});
  if (!observer.ok()) {
    // That is not the input's fault.
    if (target.options.merging) HandBackInput(target.options.control_file);
    Fail(CodeOf(observer.status()), std::string(observer.status().message()));
  }
  target.observer = *std::move(observer);
}

TestCase LegalCase(const Target& target, const uint8_t* data, size_t size) {
  TestCase test = Parse(data, size);
  Repair(target.capabilities, &test);
  return test;
}

// A named file is run as it is or not at all; what comes from a corpus is repaired instead.
bool SkipUnsupported(const Target& target, const TestCase& test) {
  const std::vector<std::string> lacking = Lacking(target.framework->capabilities(), test);
  if (lacking.empty()) return false;
  target.alarms->Say(absl::StrCat("reprise: skipped, ", target.capabilities.framework,
                                  " lacks: ", lacking[0], "\n"));
  return true;
}

// --judge=FILE: an empty line when the framework has been imported, then one line of JSON, for the
// process that asked. Whoever dies here dies as the case wants it, with no handler in between.
[[noreturn]] void JudgeAndLeave(Target& target) {
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(number, SIG_DFL);
  const auto text = ReadCaseFile(target.options.judge);
  if (!text.ok()) Fail(kExitUsage, std::string(text.status().message()));
  StartFramework(target, /*lines=*/false);
  TestCase test = Parse(*text);
  Repair(target.capabilities, &test);
  std::printf("\n");
  std::fflush(stdout);
  const Judgement judgement = target.observer->Judge(
      test, {.level = target.options.judging.level, .alone = target.options.alone});
  std::printf("%s\n", ToJson(judgement).c_str());
  std::fflush(nullptr);
  _exit(judgement.alarm() ? kExitAlarm : kExitPass);
}

// The command that judges a file just as this process would.
std::vector<std::string> ConfirmCommand(const TargetOptions& options) {
  std::vector<std::string> command{SelfPath()};
  command.push_back(absl::StrCat("--oracle=", Name(options.judging.level)));
  if (!options.plant.empty()) command.push_back(absl::StrCat("--plant=", options.plant));
  return command;
}

// --bury=FILE: see fuzz_targets/bury.h.
[[noreturn]] void BuryAndLeave(Target& target) {
  const int code = Bury({*target.framework, target.capabilities, target.options,
                         ConfirmCommand(target.options), *target.alarms->store(),
                         [&target](const std::string& text) { target.alarms->Say(text); }});
  std::fflush(nullptr);
  _exit(code);
}

// A case on which a process of this campaign has died.
bool IsQuarantined(const Target& target, const TestCase& test) {
  const FindingsStore* store = target.alarms->store();
  return store != nullptr && !target.options.reproducing && store->IsQuarantined(Print(test));
}

// A step of -minimize_crash: leaves if nothing is smaller and fails. libFuzzer hands over the same
// file each time (and, beyond the first time, with the end of it under the last offer), so it is
// read once.
TestCase Minimised(Target& target, const uint8_t* data, size_t size, size_t max_size,
                   Random& random) {
  if (target.minimiser == nullptr) {
    target.minimiser = std::make_unique<Minimiser>(
        target.capabilities, target.options, LegalCase(target, data, size),
        ConfirmCommand(target.options), [&target](const TestCase& test) {
          if (target.observer == nullptr) StartFramework(target, target.options.lines);
          return target.observer->Judge(test, target.options.judging);
        });
  }
  const auto offer = target.minimiser->Offer(max_size, random);
  if (offer) return *offer;
  target.alarms->Say("reprise: nothing more can go from this case while it fails like that\n");
  std::fflush(nullptr);
  _exit(kExitPass);
}

// libFuzzer reads its flags after us: defaults of ours go where the user gave none.
void CompleteArguments(const std::vector<std::string>& arguments, int* argc, char*** argv) {
  static auto* words = new std::vector<char*>((*argv), (*argv) + *argc);
  for (const std::string& flag : MissingLibFuzzerFlags(arguments))
    words->push_back(strdup(flag.c_str()));
  *argc = static_cast<int>(words->size());
  words->push_back(nullptr);
  *argv = words->data();
}

}  // namespace

int InitializeTarget(const char* framework, int* argc, char*** argv) {
  Target& target = TheTarget();
  target.framework = FindFramework(framework);
  target.capabilities = target.framework->capabilities();
  const std::vector<std::string> arguments(*argv + 1, *argv + *argc);
  const auto options = ReadTargetOptions(arguments);
  if (!options.ok()) Fail(kExitUsage, std::string(options.status().message()));
  target.options = *options;
  if (!options->backend.empty()) {
    const auto& known = target.capabilities.backends;
    if (std::find(known.begin(), known.end(), options->backend) == known.end()) {
      Fail(kExitUsage,
           absl::StrCat("--backend=", options->backend, ": ", framework, " has none of that name"));
    }
    target.capabilities.backends = {options->backend};
  }
  target.in_flight = std::make_unique<InFlight>();
  if (!options->in_flight.empty()) {
    target.in_flight = std::make_unique<InFlight>(options->in_flight);
    if (!target.in_flight->ok())
      Fail(kExitUsage, absl::StrCat("--in-flight=", options->in_flight, ": cannot be written"));
    // libFuzzer ends by exit(); who leaves in the middle of a case does not come here.
    std::atexit([] { TheTarget().in_flight->Clear(); });
  }
  // libFuzzer may close standard error: reports go to a copy.
  target.alarms = std::make_unique<AlarmHandler>(*target.framework, target.capabilities,
                                                 target.options, ConfirmCommand(target.options),
                                                 *target.in_flight, dup(STDERR_FILENO));
  if (!options->judge.empty()) JudgeAndLeave(target);
  if (!options->bury.empty()) BuryAndLeave(target);
  if (!options->features.empty() && !std::ofstream(options->features, std::ios::app)) {
    Fail(kExitUsage, absl::StrCat("--features=", options->features, ": cannot be written"));
  }
  CompleteArguments(arguments, argc, argv);
  RegisterFeatures();
  return 0;
}

int RunTarget(const uint8_t* data, size_t size) {
  if (size == 0) return 0;  // libFuzzer's own first input
  Target& target = TheTarget();
  if (target.options.merging) LeaveMergeIfLarge(target.options);
  if (target.options.reproducing && SkipUnsupported(target, Parse(data, size))) return 0;
  if (target.observer == nullptr) {
    StartFramework(target, target.options.lines);
    target.alarms->Say(absl::StrCat("reprise: fuzzing ", target.observer->Banner(), "\n"));
  }
  const TestCase test = LegalCase(target, data, size);
  if (IsQuarantined(target, test)) return -1;
  target.in_flight->Note(data, size);
  const Judgement judgement =
      target.observer->Judge(test, target.options.judging, target.options.merging);
  EmitBehaviour(test, Signals(judgement));
  target.observer->lines().Emit();
  if (!target.options.features.empty()) AppendFeatures(target.options.features);
  if (target.options.merging) return 0;
  if (target.minimiser != nullptr && !target.minimiser->IsWanted(test, judgement)) return 0;
  if (target.options.reproducing) target.alarms->Explain(test, judgement);
  if (judgement.alarm()) {
    target.alarms->Handle(target.observer->runtime(), test, judgement);
    target.in_flight->Note(data, size);
  }
  LeaveIfLarge(target.options);
  return 0;
}

size_t MutateTarget(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  Target& target = TheTarget();
  Random random(seed);
  const TestCase test = LegalCase(target, data, size);
  TestCase mutant = !target.options.minimising.empty()
                        ? Minimised(target, data, size, max_size, random)
                        : Mutate(target.capabilities, test, random);
  std::string text = Print(mutant);
  if (text.size() > max_size) text = Print(Shrink(target.capabilities, mutant, max_size));
  const size_t length = std::min(text.size(), max_size);  // every prefix of a case is a case
  std::memcpy(data, text.data(), length);
  return length;
}

}  // namespace reprise
