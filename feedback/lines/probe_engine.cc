// CPython 3.11: probes in rewritten code objects (probe.h).
#include "feedback/lines/line_engine.h"

#if PY_VERSION_HEX < 0x030C0000

#include "feedback/lines/probe.h"

namespace reprise {
namespace {

class ProbeEngine : public LineEngine {
 public:
  explicit ProbeEngine(SourceTable table) : LineEngine(std::move(table)) {
    current = this;
    SetProbeSink([](Probe* probe) {
      if (current != nullptr) current->Fired(probe);
    });
  }
  ~ProbeEngine() override {
    if (current == this) current = nullptr;
  }

  Ref Prepare(const std::string& path, Ref code) override {
    const SourceFile* file = Table().Find(path);
    if (file == nullptr || !code || !PyCode_Check(code.get())) return code;
    return Instrument(reinterpret_cast<PyCodeObject*>(code.get()), *file);
  }
  bool RewritesImports() const override { return true; }

 private:
  void Fired(Probe* probe) {
    Note(probe->slot);
    fired_.push_back(probe);
  }

  void Rearm() override {
    for (Probe* probe : fired_) Arm(probe);
    fired_.clear();
  }

  static ProbeEngine* current;
  std::vector<Probe*> fired_;  // switched off
};

ProbeEngine* ProbeEngine::current = nullptr;

}  // namespace

std::unique_ptr<LineEngine> MakeLineEngine(SourceTable table, std::string*) {
  return std::make_unique<ProbeEngine>(std::move(table));
}

}  // namespace reprise

#endif  // PY_VERSION_HEX
