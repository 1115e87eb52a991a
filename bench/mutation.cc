// What a mutation costs, over the cases of corpus/architectures as the toy framework has them: it
// must never be what a campaign waits for. Google Benchmark's own flags apply.
//
//   mutation FOLDER [--benchmark_filter=REGEX]
#include <benchmark/benchmark.h>

#include <cstdio>

#include "bench/sequences.h"
#include "frameworks/framework.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "mutators/mutate.h"

namespace reprise {
namespace {

const Capabilities& Can() { return FindFramework("mock")->capabilities(); }

// The architectures with a sequence each, as a campaign's cases are.
std::vector<TestCase>& Cases() {
  static auto* cases = new std::vector<TestCase>;
  return *cases;
}

void BM_Repair(benchmark::State& state) {
  size_t i = 0;
  for (auto _ : state) {
    TestCase test = Cases()[i++ % Cases().size()];
    Repair(Can(), &test);
    benchmark::DoNotOptimize(test);
  }
}
BENCHMARK(BM_Repair)->Unit(benchmark::kMicrosecond);

void BM_ParseAndPrint(benchmark::State& state) {
  std::vector<std::string> texts;
  for (const TestCase& test : Cases()) texts.push_back(Print(test));
  size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(Print(Parse(texts[i++ % texts.size()])));
}
BENCHMARK(BM_ParseAndPrint)->Unit(benchmark::kMicrosecond);

void BM_Mutate(benchmark::State& state) {
  Random random(1);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Mutate(Can(), Cases()[i++ % Cases().size()], random));
  }
}
BENCHMARK(BM_Mutate)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: mutation FOLDER\n");
    return 2;
  }
  for (const std::string& file : reprise::CaseFiles(argv[1]))
    reprise::Cases().push_back(reprise::SequenceOn(reprise::Can(), file, 6, 1, 0));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
