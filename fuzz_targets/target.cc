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
#include "frameworks/runtime.h"
#include "fuzz_targets/alarm.h"
#include "fuzz_targets/options.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "mutators/mutate.h"
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
  std::unique_ptr<Runtime> runtime;
  std::unique_ptr<AlarmHandler> alarms;
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
void StartRuntime(Target& target) {
  auto runtime = Runtime::StartFor(target.capabilities.framework, target.options.plant);
  if (!runtime.ok()) Fail(CodeOf(runtime.status()), std::string(runtime.status().message()));
  target.runtime = *std::move(runtime);
  target.alarms->Say(absl::StrCat("reprise: fuzzing ", target.runtime->Banner(), "\n"));
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

// --judge=FILE: one line of JSON for the process that asked.
[[noreturn]] void JudgeAndLeave(Target& target) {
  const auto text = ReadCaseFile(target.options.judge);
  if (!text.ok()) Fail(kExitUsage, std::string(text.status().message()));
  StartRuntime(target);
  TestCase test = Parse(*text);
  Repair(target.capabilities, &test);
  const Judgement judgement = Judge(*target.framework, *target.runtime, test, {});
  std::printf("%s\n", ToJson(judgement).c_str());
  std::fflush(nullptr);
  _exit(judgement.alarm() ? kExitAlarm : kExitPass);
}

bool recycling = false;

// Resident memory of this process in MiB.
int64_t ResidentMb() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE) >> 20;
}

// Asks libFuzzer to end after this input, so that nothing of it is lost.
void RecycleIfLarge(const TargetOptions& options) {
  if (options.recycle.empty() || recycling || ResidentMb() < options.recycle_mb) return;
  recycling = true;
  std::ofstream(options.recycle) << ResidentMb() << " MiB\n";
  raise(SIGUSR1);
}

// The command that judges a file just as this process would.
std::vector<std::string> ConfirmCommand(const TargetOptions& options) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  std::vector<std::string> command{
      std::string(self, static_cast<size_t>(std::max<ssize_t>(length, 0)))};
  if (!options.plant.empty()) command.push_back(absl::StrCat("--plant=", options.plant));
  return command;
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
  // libFuzzer may close standard error: reports go to a copy.
  target.alarms =
      std::make_unique<AlarmHandler>(*target.framework, target.capabilities, target.options,
                                     ConfirmCommand(target.options), dup(STDERR_FILENO));
  if (!options->judge.empty()) JudgeAndLeave(target);
  CompleteArguments(arguments, argc, argv);
  RegisterFeatures();
  return 0;
}

int RunTarget(const uint8_t* data, size_t size) {
  if (size == 0) return 0;  // libFuzzer's own first input
  Target& target = TheTarget();
  if (target.options.reproducing && SkipUnsupported(target, Parse(data, size))) return 0;
  if (target.runtime == nullptr) StartRuntime(target);
  const TestCase test = LegalCase(target, data, size);
  const Judgement judgement =
      Judge(*target.framework, *target.runtime, test, target.options.judging);
  EmitBehaviour(test, Signals(judgement));
  if (target.options.reproducing) target.alarms->Explain(test, judgement);
  if (judgement.alarm()) target.alarms->Handle(*target.runtime, test, judgement);
  RecycleIfLarge(target.options);
  return 0;
}

size_t MutateTarget(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  const Target& target = TheTarget();
  Random random(seed);
  const TestCase test = LegalCase(target, data, size);
  // -minimize_crash hands over more than it allows back.
  TestCase mutant = size > max_size ? Shrink(target.capabilities, test, max_size)
                                    : Mutate(target.capabilities, test, random);
  std::string text = Print(mutant);
  if (text.size() > max_size) text = Print(Shrink(target.capabilities, mutant, max_size));
  const size_t length = std::min(text.size(), max_size);  // every prefix of a case is a case
  std::memcpy(data, text.data(), length);
  return length;
}

}  // namespace reprise
