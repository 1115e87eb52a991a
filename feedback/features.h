// Features: what libFuzzer steers by. EmitFeature is the one door.
//
// Behind it lies one region of one-byte counters, registered once, of fixed size, without PC tables
// (libFuzzer's feature ids are positional: 8 per counter in the order of registration; more than
// 262,144 counters alias). A feature sets its counter to 1 and never adds, so that a loop does not
// multiply the corpus. Domains have fixed bases and ids are positions in tables, so that ids agree
// between processes and machines, which -merge and -fork need.
#ifndef REPRISE_FEEDBACK_FEATURES_H_
#define REPRISE_FEEDBACK_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace reprise {

inline constexpr size_t kCounters = 262'144;

enum class Domain : uint8_t {
  kAlive,    // always on: a corpus without any feature is refused by libFuzzer
  kPath,     // what the compiler did; this and the next four: feedback/keys.h
  kInput,    // what calls passed
  kGuard,    // which guards held and failed
  kHistory,  // how calls relate to the past, and what the compiler did
  kWords,    // words of the language x what the compiler did
  kLines,    // lines of the compiler: feedback/line_feedback.h
};

// Number of ids that a domain has, and the counter of its first.
size_t DomainSize(Domain domain);
size_t DomainBase(Domain domain);

// Tells libFuzzer about the region. Call once, from LLVMFuzzerInitialize.
void RegisterFeatures();

// Sets a feature of the current input. Ids beyond the domain are ignored.
void EmitFeature(Domain domain, size_t id);

// Appends a line to a file: the numbers of the current input's counters, in order. Lines of several
// processes do not mix. The same line means the same features, whatever the input was called.
void AppendFeatures(const std::string& file);

// For tests: is the feature set, and forget all.
bool HasFeature(Domain domain, size_t id);
void ClearFeatures();

}  // namespace reprise

#endif  // REPRISE_FEEDBACK_FEATURES_H_
