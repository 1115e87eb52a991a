// Fuzzes the toy compiler in frameworks/mock.
#include "fuzz_targets/target.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  return reprise::InitializeTarget("mock", argc, argv);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return reprise::RunTarget(data, size);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return reprise::MutateTarget(data, size, max_size, seed);
}
