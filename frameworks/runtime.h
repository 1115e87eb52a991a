// The embedded Python interpreter with one framework in it. One per process; it is never finalised
// (torch's threads and exit handlers do not survive that). Single-threaded.
#ifndef REPRISE_FRAMEWORKS_RUNTIME_H_
#define REPRISE_FRAMEWORKS_RUNTIME_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "frameworks/observation.h"
#include "frameworks/program.h"

namespace reprise {

struct RuntimeOptions {
  std::string framework;
  std::string directory;  // holds host.py and <framework>/runtime.py
  std::string python;     // interpreter of the framework's virtual environment
  std::string plant;      // Python file whose plant() is called after the import; or empty
  // Called when Python runs and before the framework is imported; or empty.
  std::function<void()> before_import;
};

// Where a binary of this project finds its Python side: beside itself, or where the build puts it.
// Error: kNotFound, with the one thing that is missing.
absl::StatusOr<RuntimeOptions> LocateRuntime(const std::string& framework);

// How much a reset of the compiler forgets. (The next tier, R2, is another process.)
enum ResetTier : int {
  kMemoryOnly,   // R0: the framework's own reset, and caches in memory that are known to survive it
  kFreshCaches,  // R1: that, and the caches on disk
};

class Runtime {
 public:
  // A loaded program; its names live until the handle goes.
  class Instance {
   public:
    virtual ~Instance() = default;
    // Lets `compiled` in the program stand for the compiled model or for the model itself.
    virtual void Bind(bool compiled) = 0;
    virtual Outcome Step(int index, bool observe) = 0;
  };

  virtual ~Runtime() = default;

  // Starts Python and imports the framework. Errors: kFailedPrecondition (interpreter or framework
  // cannot be loaded), kInvalidArgument (the plant file).
  static absl::StatusOr<std::unique_ptr<Runtime>> Start(const RuntimeOptions& options);

  // Start() with what LocateRuntime() finds.
  static absl::StatusOr<std::unique_ptr<Runtime>> StartFor(
      const std::string& framework, const std::string& plant = "",
      const std::function<void()>& before_import = nullptr);

  // "torch 2.13.0+cpu, Python 3.11.2", and the plant if there is one.
  virtual std::string Banner() = 0;
  virtual void BeginCase() = 0;
  // The warm-up is over: what is alive now stays for ever.
  virtual void Settle() = 0;
  virtual void BeginMode() = 0;
  // Keeps the process's flags, generators and options, and whether things are compiled, while
  // another program runs in between.
  virtual void Suspend() = 0;
  virtual void Resume() = 0;
  virtual void Reset(int tier) = 0;
  // The framework's options that its documentation calls unsound shortcuts, by their full names.
  virtual std::vector<std::string> Shortcuts() = 0;
  // These are off, and the others as shipped.
  virtual void TurnOff(const std::vector<std::string>& shortcuts) = 0;
  // Since the start: seconds inside the programs and the resets, seconds of garbage collection
  // between cases (Python would do that inside, if it were let), and how often the compiler
  // compiled. For benchmarks.
  struct Meter {
    double seconds = 0;
    double collecting = 0;
    int64_t compiles = 0;
  };
  virtual Meter Read() = 0;
  // `tag` becomes part of the program's file name; equal tags never share code.
  virtual std::unique_ptr<Instance> Load(const Program& program, const std::string& tag) = 0;
};

}  // namespace reprise

#endif  // REPRISE_FRAMEWORKS_RUNTIME_H_
