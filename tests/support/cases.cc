#include "tests/support/cases.h"

#include "absl/strings/str_cat.h"
#include "grammar/parser.h"
#include "grammar/repair.h"
#include "mutators/mutate.h"

namespace reprise {
namespace {

// One model per operator, with what it needs around it.
std::string OperatorText(const OpRow& row) {
  const std::string name = row.name;
  std::string text = "reprise 1\n";
  if (name == "apply") text += "slot act attr callable tanh\n";
  const bool image = name == "conv2d" || name == "max_pool2d";
  text += image ? "input x f32 [n,2,h,w]\n" : "input x f32 [n,4]\n";
  if (name == "reuse") text += "op first linear x out=4\n";
  absl::StrAppend(&text, "op y ", name, " x");
  if (std::string(row.operands).size() == 2) text += name == "matmul" ? " w" : " x";
  if (name == "matmul") text.insert(text.find("input"), "slot w attr tensor [4,3]\n");
  if (name == "apply") text += " fn=act";
  if (name == "reuse") text += " of=first";
  if (name == "reshape") text += " shape=[-1,2]";
  if (name == "size") text += "\nop z mul x y\nreturn z";
  absl::StrAppend(&text, "\ncall x=", image ? "[2,2,6,6]" : "[2,4]",
                  "\ncall x=", image ? "[3,2,6,6]" : "[4,4]", "\nagain 1\n");
  return text;
}

std::string PredicateText(const PredicateRow& row) {
  std::string on = row.name;
  if (on == "truth") on = "flag";
  if (on == "less") on = "less(level,3)";
  if (on == "equals") on = "equals(mode,\"a\")";
  if (on == "size" || on == "divides") absl::StrAppend(&on, "(x,0,3)");
  if (on == "longer" || on == "same") absl::StrAppend(&on, "(x,z)");
  if (on == "dtype") on = "dtype(x,f64)";
  if (on == "requires_grad" || on == "contiguous") absl::StrAppend(&on, "(x)");
  return absl::StrCat(
      "slot flag attr bool true\nslot level global int 2\nslot mode dict str \"a\" below=\"b\"\n"
      "input x f32 [n,4]\ninput z f32 [m,4]\nop y branch x on=",
      on,
      " then=sin else=twice\nreturn y\ncall x=[2,4] z=[3,4]\nset flag false\nset level 5\n"
      "set mode \"b\"\ncall x=[4,4]:f64:transposed z=[3,4]\ncall x=[3,4]:grad z=@x\n"
      "eval\ncall x=[2,4] z=[3,4] under=no_grad\n");
}

// A slot of one home and type, read by the model, and every verb on it that applies.
std::string SlotText(const HomeRow& home, Type type) {
  static const auto* literals =
      new std::vector<std::string>{"2", "1.5", "true", "\"a\"", "[4]:s5", "tanh", "relu", "#1"};
  static const auto* others =
      new std::vector<std::string>{"3", "2.5", "false", "\"b\"", "[4]:s6", "sin", "inc", "#2"};
  const auto t = static_cast<size_t>(type);
  const bool plain = type <= Type::kStr;
  std::string text = absl::StrCat("slot a ", home.name, " ", Name(type), " ", (*literals)[t]);
  if (home.can_fall_back && plain) absl::StrAppend(&text, " below=", (*others)[t]);
  absl::StrAppend(&text, "\nslot b ", home.name, " ", Name(type), " ", (*others)[t],
                  "\ninput x f32 [n,4]\n");
  std::string use = "op y branch x on=a then=sin else=twice\n";
  if (type == Type::kInt || type == Type::kFloat || type == Type::kTensor) use = "op y mul x a\n";
  if (type == Type::kStr) use = "op y branch x on=equals(a,\"a\") then=sin else=twice\n";
  if (type == Type::kCallable || type == Type::kModule) use = "op y apply x fn=a\n";
  if (type == Type::kObject) use = "op y branch x on=same(a,b) then=sin else=twice\n";
  absl::StrAppend(&text, use, "return y\ncall x=[2,4]\n");
  for (const StepRow& row : Steps()) {
    Slot slot{"a", &home, type, (*literals)[t], home.can_fall_back && plain ? (*others)[t] : ""};
    if (row.fits == nullptr || !row.fits(slot)) continue;
    absl::StrAppend(&text, row.name, " a");
    if (row.name == std::string("set"))
      absl::StrAppend(&text, " ", (*others)[t], type == Type::kModule ? "" : " via=dict");
    if (row.name == std::string("swap")) text += " b";
    if (row.name == std::string("rebind")) text += " 3";
    text += "\nagain 1\n";
  }
  return text;
}

std::string LayoutText(const LayoutRow& row) {
  return absl::StrCat(
      "input x f32 [n,2,4,4]\nop y sin x\nop z mul y 2.0\nreturn z\ncall x=[2,2,4,4]\ncall "
      "x=[2,2,4,4]:",
      row.name, "\nagain 1\n");
}

std::vector<std::string> MakeSamples() {
  std::vector<std::string> texts{
      "",
      // Argument patterns, in-place writes, several results, function form.
      "model function\ninput a f32 [n]\ninput b f32 [n]\nop c add_ a 1.0\nop y mul c b\nreturn y "
      "c\n"
      "call a=[5] b=[5]\ncall a=view(0,0,[5]) b=view(0,9,[5]) seed=2\ncall a=[5] b=@a\nagain 2\n",
      "model function\nslot gain global tensor [2]:s7\ninput x f32 [2]\nop y mul x gain\nreturn y\n"
      "call x=[2]:x1000\ncall x=[2]:f64\ncall x=@gain\n",
      "input x f32 [n,4]\ninput k int\ninput f callable\ninput p object\ninput q object\nop a mul "
      "x k\n"
      "op b apply a fn=f\nop y branch b on=same(p,q) then=inc else=dec\nreturn y\n"
      "call x=[2,4] k=3 f=tanh p=#1 q=#2\ncall x=[2,4] k=4 f=twice p=#1 q=@p\n",
      // Gradients, hooks, modes.
      "input x f32 [n,3]\nop h linear x out=3\nop d dropout h\nop y linear d out=2\nreturn y\n"
      "call x=[2,3]:grad seed=4\nbackward 1\nzero_grad\nhook h kind=forward fn=twice\nagain "
      "1\nhook kind=pre fn=neg\n"
      "again 1\nbackward 2\nunhook\neval h\nagain 1\ntrain\ngrad off\nagain 1\ngrad on\n"
      "call x=[2,3] under=inference_mode\n",
      "compile backend=eager dynamic=on fullgraph=yes\ninput i i64 [n]\ninput m bool [n]\nop a add "
      "i 2\n"
      "op b sum a\nop y neg a\nreturn y b\ncall i=[3] m=[3]\ncall i=[4] m=[4]\n",
      "compile dynamic=off\ninput x f32 [n]\nop a graph_break x\nop y clamp a\nreturn y\ncall "
      "x=[4]\ncall x=[1]\n",
  };
  for (const OpRow& row : Operators()) texts.push_back(OperatorText(row));
  for (const PredicateRow& row : Predicates()) texts.push_back(PredicateText(row));
  for (const LayoutRow& row : Layouts()) texts.push_back(LayoutText(row));
  for (const HomeRow& home : Homes()) {
    for (Type type : home.types) texts.push_back(SlotText(home, type));
  }
  return texts;
}

}  // namespace

const std::vector<std::string>& SampleTexts() {
  static const auto* texts = new std::vector<std::string>(MakeSamples());
  return *texts;
}

TestCase RandomCase(const Capabilities& can, uint64_t seed, int distance) {
  Random random(seed);
  TestCase test = Parse(SampleTexts()[random() % SampleTexts().size()]);
  Repair(can, &test);
  for (int i = 0; i < distance; ++i) test = Mutate(can, test, random);
  return test;
}

}  // namespace reprise
