#include "feedback/lines/line_engine.h"

#include "feedback/lines/import_hook.h"
#include "feedback/lines/self_check.h"

namespace reprise {

LineEngine::LineEngine(SourceTable table) : table_(std::move(table)), seen_(table_.size(), false) {}

void LineEngine::BeginInput() {
  counting_ = false;
  for (const uint32_t slot : hits_) seen_[slot] = false;
  hits_.clear();
  Rearm();
}

void LineEngine::Count(bool on) {
  // What ran uncounted has switched itself off just the same.
  if (on && !counting_) Rearm();
  counting_ = on;
}

bool LineEngine::Note(uint32_t slot) {
  if (!counting_ || slot >= seen_.size()) return false;
  if (!seen_[slot]) hits_.push_back(slot);
  seen_[slot] = true;
  return true;
}

LineEngine* StartLineEngine(const CompilerSources& sources, std::string* why_not) {
  if (!CheckLineEngine(why_not)) return nullptr;
  SourceTable table;
  if (!table.Build(sources, why_not)) return nullptr;
  LineEngine* engine = MakeLineEngine(std::move(table), why_not).release();
  if (engine != nullptr && engine->RewritesImports() && !HookImports(engine, why_not))
    return nullptr;
  return engine;
}

}  // namespace reprise
