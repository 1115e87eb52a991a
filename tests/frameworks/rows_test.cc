// Every word, executed: each sample runs in all three modes on a framework and passes, up to calls
// that raise without the compiler; few do. Built once per
// framework, which REPRISE_TEST_FRAMEWORK names.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "absl/strings/str_join.h"
#include "frameworks/framework.h"
#include "frameworks/runtime.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/repair.h"
#include "oracle/judge.h"
#include "report/render.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

std::vector<std::pair<std::string, std::string>> FrameworkAndBackend() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& backend :
       FindFramework(REPRISE_TEST_FRAMEWORK)->capabilities().backends) {
    // Native compilation takes seconds a case; architectures cover it elsewhere.
    if (backend != "inductor") pairs.push_back({REPRISE_TEST_FRAMEWORK, backend});
  }
  return pairs;
}

Runtime& TheRuntime() {
  static Runtime* runtime = [] {
    auto started = Runtime::StartFor(REPRISE_TEST_FRAMEWORK);
    if (started.ok()) return started->release();
    std::fprintf(stderr, "%s\n", std::string(started.status().message()).c_str());
    std::abort();
  }();
  return *runtime;
}

class Rows : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(Rows, EverySamplePasses) {
  const auto& [name, backend] = GetParam();
  const Framework& framework = *FindFramework(name);
  Capabilities can = framework.capabilities();
  can.backends = {backend};
  std::set<std::string> raised;
  for (const std::string& text : SampleTexts()) {
    TestCase test = Parse(text);
    Repair(can, &test);
    const Judgement judgement = Judge(framework, TheRuntime(), test, {ResetPolicy::kDemand, true});
    EXPECT_FALSE(judgement.alarm())
        << Print(test) << RenderTable(test, judgement) << RenderVerdict(test, judgement);
    // A sample that cannot run at all shows nothing.
    EXPECT_GT(judgement.legal_steps, 0) << Print(test) << judgement.illegal;
    if (!judgement.illegal.empty()) raised.insert(Print(test) + judgement.illegal + "\n");
  }
  // Deleting twice, and the like.
  EXPECT_LE(raised.size(), 3u) << absl::StrJoin(raised, "\n");
}

INSTANTIATE_TEST_SUITE_P(All, Rows, testing::ValuesIn(FrameworkAndBackend()), [](const auto& info) {
  return info.param.first + "_" + info.param.second;
});

}  // namespace
}  // namespace reprise
