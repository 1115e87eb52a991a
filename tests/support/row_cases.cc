#include "tests/support/row_cases.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/support/cases.h"

namespace reprise {
namespace {

struct Written {
  const char* input;
  const char* ops;
  const char* first;
  const char* second;
  Flow flow;
  size_t axis = 0;
};
constexpr Written kWritten[] = {
    // Along the first dimension.
    {"[n,4]", "op y linear x", "[2,4]", "[3,4]", Flow::kRows},
    {"[n,4]", "op h linear x\nop y softmax h dim=0", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op a sin x\nop y mul a x", "[2,4]", "[3,4]", Flow::kRows},
    {"[n,4]", "op m mean x dim=[0] keep=yes\nop y sub x m", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op m mean x dim=[1] keep=yes\nop y sub x m", "[2,4]", "[3,4]", Flow::kRows},
    {"[n,4]", "op k size x dim=0\nop y div x k", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op y branch x on=size(x,0,2) then=relu else=tanh", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op y branch x on=training then=relu else=tanh", "[2,4]", "[3,4]", Flow::kRows},
    {"[n,4]", "op y floor x", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op y cumsum x dim=0", "[2,4]", "[3,4]", Flow::kPrefix},
    {"[n,4]", "op a cumsum x dim=0\nop y flip a dim=0", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op a t x\nop y relu a", "[2,4]", "[3,4]", Flow::kRows, 1},
    {"[n,4]", "op a t x\nop b matmul x a\nop y relu b", "[2,4]", "[3,4]", Flow::kMixed},
    {"[n,4]", "op a unsqueeze x dim=0\nop y sin a", "[2,4]", "[3,4]", Flow::kRows, 1},
    {"[n,2,4]", "op y flatten x start=1", "[2,2,4]", "[3,2,4]", Flow::kRows},
    {"[n,2,4]", "op y reshape x shape=[-1]", "[2,2,4]", "[3,2,4]", Flow::kMixed},
    {"[n,2,4]", "op y sum x dim=[1]", "[2,2,4]", "[3,2,4]", Flow::kRows},
    {"[n,2,4]", "op p permute x dims=[2,0,1]\nop y sum p dim=[0]", "[2,2,4]", "[3,2,4]",
     Flow::kRows},
    {"[n,2,4]", "op a max x dim=-1\nop y cat a a dim=1", "[2,2,4]", "[3,2,4]", Flow::kRows},
    {"[n,2,4]", "op y cat x x dim=0", "[2,2,4]", "[3,2,4]", Flow::kMixed},
    {"[n,2,4]", "op y stack x x dim=0", "[2,2,4]", "[3,2,4]", Flow::kRows, 1},
    {"[n,3,4]", "op y attention x x x", "[2,3,4]", "[3,3,4]", Flow::kRows},
    {"[n,3,4]", "op a transpose x a=1 b=2\nop y matmul x a", "[2,3,4]", "[3,3,4]", Flow::kRows},
    // Along time, in a batch of one.
    {"[1,s,4]", "op y linear x", "[1,3,4]", "[1,5,4]", Flow::kRows, 1},
    {"[1,s,4]", "op y lstm x", "[1,3,4]", "[1,5,4]", Flow::kPrefix, 1},
    {"[1,s,4]", "op y gru x", "[1,3,4]", "[1,5,4]", Flow::kPrefix, 1},
    {"[1,s,4]", "op y self_attention x", "[1,3,4]", "[1,5,4]", Flow::kMixed},
    {"[1,s,4]", "op y attention x x x", "[1,3,4]", "[1,5,4]", Flow::kMixed},
    {"[1,s,4]", "op a attention x x x causal=yes\nop y layer_norm a", "[1,3,4]", "[1,5,4]",
     Flow::kPrefix, 1},
    {"[1,s,4]", "op a attention x x x causal=yes\nop y mean a dim=[1]", "[1,3,4]", "[1,5,4]",
     Flow::kMixed},
};

// Where the sample of an operator mixes the rows, or moves them to another dimension.
struct Adjusted {
  const char* name;
  const char* attributes;
  Flow flow = Flow::kRows;
  size_t axis = 0;
};
constexpr Adjusted kAdjusted[] = {
    {"reshape", " shape=[-1,4]"},
    {"view", " shape=[-1,4]"},
    {"sum", " dim=[-1]"},
    {"mean", " dim=[-1]"},
    {"amax", " dim=[-1]"},
    {"amin", " dim=[-1]"},
    {"roll", " dim=1"},
    {"flip", " dim=1"},
    {"t", "", Flow::kRows, 1},
    {"transpose", "", Flow::kRows, 1},
    {"permute", "", Flow::kRows, 1},
    {"unsqueeze", "", Flow::kRows, 1},
    {"stack", "", Flow::kRows, 1},
    {"slice", "", Flow::kMixed},
};

// The samples of operators that keep rows, in evaluation mode and with one seed for all calls.
void AddSamples(std::vector<RowCase>* cases) {
  for (const std::string& name : OperatorsThatKeepRows()) {
    Adjusted adjusted{name.c_str(), ""};
    for (const Adjusted& other : kAdjusted) {
      if (name == other.name) adjusted = other;
    }
    for (const std::string& sample : SampleTexts()) {
      const size_t op = sample.find(absl::StrCat("\nop y ", name, " x"));
      const size_t call = sample.find("\ncall x="), second = sample.find(" seed=2\nagain 1\n");
      if (op == std::string::npos || !absl::StartsWith(sample, "reprise 1\n") ||
          second == std::string::npos)
        continue;
      const std::string model =
          absl::StrReplaceAll(sample.substr(0, call), {{" shape=[-1,2]", ""}});
      cases->push_back({absl::StrCat(model, adjusted.attributes, "\neval",
                                     sample.substr(call, second - call), "\nagain 1\n"),
                        0,
                        {adjusted.flow, adjusted.axis}});
      break;
    }
  }
}

std::vector<RowCase> MakeCases() {
  std::vector<RowCase> cases;
  for (const Written& w : kWritten) {
    cases.push_back(
        {absl::StrCat("reprise 1\ninput x f32 ", w.input, "\n", w.ops,
                      "\nreturn y\neval\ncall x=", w.first, "\ncall x=", w.second, "\n"),
         w.input[1] == '1' ? 1U : 0U,
         {w.flow, w.axis}});
  }
  AddSamples(&cases);
  return cases;
}

}  // namespace

const std::vector<RowCase>& RowCases() {
  static const auto* cases = new std::vector<RowCase>(MakeCases());
  return *cases;
}

}  // namespace reprise
