#include "observe/warm_up.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "grammar/parser.h"
#include "grammar/repair.h"

namespace reprise {
namespace {

// What nearly every case does: another shape, a backward, a slot that changes, a graph break, a
// branch.
constexpr const char* kCases[] = {
    R"(slot scale attr float 1.5
input x f32 [n,8]
op h linear x out=4
op r relu h
op m mul r scale
return m
call x=[2,8]:grad
backward 1
set scale 2.5
call x=[5,8]
again 1
)",
    R"(slot flag global bool true
slot gain buffer tensor [1]:s5
input x f32 [n,3,8,8]
op c conv2d x out=4
op b batch_norm c
op k graph_break b
op y branch k on=flag then=relu else=tanh
op z mul y gain
return z
call x=[2,3,8,8]
set flag false
call x=[2,3,8,8]:transposed
eval
again 1
)",
    R"(input x f32 [n,6]
input y f32 [n,6]
op a add x y
op s softmax a dim=1
op u sum s dim=[0]
return s u
call x=[3,6] y=[3,6]
call x=[4,6] y=same(x)
flag grad off
again 1
)"};

}  // namespace

std::vector<TestCase> WarmUpCases(const Capabilities& capabilities) {
  std::vector<TestCase> cases;
  for (const std::string& backend : capabilities.backends) {
    const auto& slow = capabilities.slow_backends;
    if (std::find(slow.begin(), slow.end(), backend) != slow.end()) continue;
    for (const char* text : kCases) {
      TestCase test = Parse(absl::StrCat("reprise 1\ncompile backend=", backend, "\n", text));
      Repair(capabilities, &test);
      cases.push_back(std::move(test));
    }
  }
  return cases;
}

}  // namespace reprise
