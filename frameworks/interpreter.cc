#include "frameworks/interpreter.h"

#include <Python.h>
#include <malloc.h>
#include <signal.h>

#include <new>

#include "absl/strings/str_cat.h"

namespace reprise {
namespace {

// CPython maps and unmaps its 16 KiB frame-stack chunks for ever at a chunk's edge, and malloc
// gives large blocks back to the system at once: together a third of a compiling process's time.
// Keeping both costs a few dozen MiB.
constexpr size_t kFrameChunk = 16 << 10;

struct FreeChunk {
  FreeChunk* next;
};

FreeChunk* free_chunks = nullptr;
PyObjectArenaAllocator system_arenas;

void* AllocateArena(void* context, size_t size) {
  if (size != kFrameChunk || free_chunks == nullptr) return system_arenas.alloc(context, size);
  FreeChunk* chunk = free_chunks;
  free_chunks = chunk->next;
  return chunk;
}

void FreeArena(void* context, void* arena, size_t size) {
  if (size != kFrameChunk) return system_arenas.free(context, arena, size);
  free_chunks = new (arena) FreeChunk{free_chunks};
}

void KeepMemory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
  PyObject_GetArenaAllocator(&system_arenas);
  PyObjectArenaAllocator keeping{system_arenas.ctx, AllocateArena, FreeArena};
  PyObject_SetArenaAllocator(&keeping);
}

}  // namespace

absl::Status StartInterpreter(const std::string& python) {
  PyPreConfig before;
  PyPreConfig_InitIsolatedConfig(&before);
  before.utf8_mode = 1;  // frameworks read their own sources, whatever the locale
  Py_PreInitialize(&before);
  KeepMemory();
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.install_signal_handlers = 0;  // libFuzzer wants its own
  config.use_hash_seed = 1;
  config.hash_seed = 0;
  config.write_bytecode = 0;
  PyConfig_SetBytesString(&config, &config.program_name, python.c_str());
  PyConfig_SetBytesString(&config, &config.executable, python.c_str());
  const PyStatus status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) {
    return absl::FailedPreconditionError(absl::StrCat("Python cannot be started from ", python,
                                                      ": ", status.err_msg ? status.err_msg : ""));
  }
  signal(SIGPIPE, SIG_IGN);  // a compile process that dies must not take us with it
  return absl::OkStatus();
}

}  // namespace reprise
