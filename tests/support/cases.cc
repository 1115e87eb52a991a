#include "tests/support/cases.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "grammar/parser.h"
#include "grammar/repair.h"
#include "mutators/mutate.h"

namespace reprise {
namespace {

// What operators need that do not do with x of f32 and [n,4]: declaration of x, its sizes in two
// calls, operands and attributes, slots.
struct OperatorSample {
  const char* name;
  const char* input;
  const char* first;
  const char* second;
  const char* operands = nullptr;
  const char* slots = "";
};
constexpr char kMatrix[] = "f32 [n,4]", kSignal[] = "f32 [n,4,w]", kImage[] = "f32 [n,2,h,w]",
               kTokens[] = "f32 [n,s,4]", kIds[] = "i64 [n,s]";
constexpr OperatorSample kOperatorSamples[] = {
    {"conv1d", kSignal, "[2,4,6]", "[3,4,6]"},
    {"conv2d", kImage, "[2,2,6,6]", "[3,2,6,6]"},
    {"conv_transpose2d", kImage, "[2,2,3,3]", "[3,2,3,3]"},
    {"depthwise_conv", kImage, "[2,2,6,6]", "[3,2,6,6]"},
    {"group_norm", kSignal, "[2,4,6]", "[3,4,6]"},
    {"instance_norm", kImage, "[2,2,6,6]", "[3,2,6,6]"},
    {"embedding", kIds, "[2,4]", "[3,4]"},
    {"lstm", kTokens, "[2,3,4]", "[3,3,4]"},
    {"gru", kTokens, "[2,3,4]", "[3,3,4]"},
    {"self_attention", kTokens, "[2,3,4]", "[3,3,4]"},
    {"attention", kTokens, "[2,3,4]", "[3,3,4]"},
    {"max_pool1d", kSignal, "[2,4,6]", "[3,4,6]"},
    {"max_pool2d", kImage, "[2,2,6,6]", "[3,2,6,6]"},
    {"avg_pool2d", kImage, "[2,2,6,6]", "[3,2,6,6]"},
    {"adaptive_avg_pool2d", kImage, "[2,2,6,6]", "[3,2,6,6]"},
    {"interpolate", kImage, "[2,2,3,3]", "[3,2,3,3]"},
    {"cross_entropy", "f32 [2,k]", "[2,4]", "[2,5]", "x ids", "slot ids attr tensor [2]:i64\n"},
    {"matmul", kMatrix, "[2,4]", "[4,4]", "x w", "slot w attr tensor [4,3]\n"},
    {"reshape", kMatrix, "[2,4]", "[4,4]", "x shape=[-1,2]"},
    {"view", kMatrix, "[2,4]", "[4,4]", "x shape=[-1,2]"},
    {"select", kMatrix, "[2,4]", "[4,4]", "x 1"},
    {"narrow", kMatrix, "[3,4]", "[4,4]", "x 1 2"},
    {"gather_rows", kMatrix, "[2,4]", "[4,4]", "x ids", "slot ids attr tensor [3]:i64\n"},
    {"checked_index", kMatrix, "[12,4]", "[4,4]", "x ids", "slot ids attr tensor [3]:i64\n"},
    {"gather", kMatrix, "[2,4]", "[4,4]", "x ids", "slot ids attr tensor [2,4]:i64\n"},
    {"scatter_add", kMatrix, "[2,4]", "[4,4]", "x ids src",
     "slot ids attr tensor [2,4]:i64\nslot src attr tensor [2,4]\n"},
    {"channels_last", kImage, "[2,2,3,4]", "[3,2,3,4]"},
    {"index_select", kMatrix, "[2,4]", "[4,4]", "x ids", "slot ids attr tensor [3]:i64\n"},
    {"take_along", "f32 [2,k]", "[2,4]", "[2,5]", "x ids", "slot ids attr tensor [2,3]:i64\n"},
    {"index_add", kMatrix, "[2,4]", "[4,4]", "x ids src",
     "slot ids attr tensor [3]:i64\nslot src attr tensor [3,4]\n"},
    {"one_hot", kIds, "[2,4]", "[3,4]"},
    {"where", kMatrix, "[2,4]", "[4,4]", "mask x x", "slot mask attr tensor [4]:bool\n"},
    {"masked_fill", kMatrix, "[2,4]", "[4,4]", "x mask 1.5", "slot mask attr tensor [4]:bool\n"},
    {"count", kMatrix, "[2,4]", "[4,4]", "x slot=n", "slot n attr int 2\n"},
    {"lazy", kMatrix, "[2,4]", "[2,4]", "x slot=kept", "slot kept attr optional none\n"},
    {"store", kMatrix, "[2,4]", "[2,4]", "x slot=kept", "slot kept attr tensor [2,4]\n"},
    {"copy_into", kMatrix, "[2,4]", "[2,4]", "x slot=kept", "slot kept buffer tensor [2,4]\n"},
    {"put_row", kMatrix, "[2,4]", "[4,4]", "x slot=kept", "slot kept buffer tensor [3,4]\n"},
    {"draw_generator", kMatrix, "[2,4]", "[4,4]", "x dice", "slot dice global generator 7\n"},
    {"draw_python", kMatrix, "[2,4]", "[4,4]", "x dice", "input dice random\n"},
    {"apply", kMatrix, "[2,4]", "[4,4]", "x fn=act", "slot act attr callable tanh\n"},
    {"reuse", kMatrix, "[2,4]", "[4,4]", "x of=first"},
};

std::string OperandText(char letter) {
  switch (letter) {
    case 'i':
      return "2";
    case 'f':
      return "1.5";
    case 'd':
      return "f64";
    case 'o':
      return "maybe_b";
    case 'c':
      return "items";
    default:
      return "x";
  }
}

// One model per operator, with what it needs around it.
std::string OperatorText(const OpRow& row) {
  OperatorSample sample{row.name, kMatrix, "[2,4]", "[4,4]"};
  for (const OperatorSample& other : kOperatorSamples) {
    if (other.name == std::string(row.name)) sample = other;
  }
  const std::string letters = row.operands;
  std::string operands, arguments;
  for (char letter : letters) absl::StrAppend(&operands, " ", OperandText(letter));
  if (sample.operands != nullptr) operands = absl::StrCat(" ", sample.operands);
  std::string text = absl::StrCat("reprise 1\n", sample.slots, "input x ", sample.input, "\n");
  if (letters.find('o') != std::string::npos) {
    text += "input maybe_b optional f32 [4]\n";
    arguments += " maybe_b=[4]";
  }
  if (letters.find('c') != std::string::npos) {
    text += "input items list f32 [n,4]\n";
    arguments += " items=([2,4],[2,4])";
  }
  if (row.name == std::string("reuse")) text += "op first linear x out=4\n";
  absl::StrAppend(&text, "op y ", row.name, operands);
  if (row.result != Type::kTensor) text += "\nop z mul x y\nreturn z";
  const std::string second = arguments.empty() ? sample.second : sample.first;
  return absl::StrCat(text, "\ncall x=", sample.first, arguments, "\ncall x=", second, arguments,
                      " seed=2\nagain 1\n");
}

std::string PredicateText(const PredicateRow& row) {
  std::string on = row.name;
  if (on == "truth") on = "flag";
  if (on == "less") on = "less(level,3)";
  if (on == "equals") on = "equals(mode,\"a\")";
  if (on == "size" || on == "divides") absl::StrAppend(&on, "(x,0,3)");
  if (on == "longer" || on == "same") absl::StrAppend(&on, "(x,z)");
  if (on == "dtype") on = "dtype(x,f64)";
  if (on == "requires_grad" || on == "contiguous" || on == "floating") absl::StrAppend(&on, "(x)");
  if (on == "rank") on = "rank(x,1)";
  if (on == "none") on = "none(b)";
  if (on == "contains") on = "contains(d,k)";
  if (on == "count") on = "count(p,1)";
  if (on == "has") on = "has(mode)";
  return absl::StrCat(
      "slot flag attr bool true\nslot level global int 2\nslot mode dict str \"a\" below=\"b\"\n"
      "input x f32 [n,4]\ninput z f32 [m,4]\ninput b optional f32 [4]\ninput d dict f32 [2]\n"
      "input p list f32 [2]\nop y branch x on=",
      on,
      " then=sin else=twice\nreturn y\ncall x=[2,4] z=[3,4]\nset flag false\nset level 5\n"
      "set mode \"b\"\ncall x=[4,4]:f64:transposed z=[3,4] b=[4] d=(k:[2],l:[2])\n"
      "call x=[3,4]:grad z=@x p=([2],[2])\neval\ndelete mode\n"
      "call x=[2,4] z=[3,4] under=no_grad d=(l:[2],k:[2])\n");
}

struct TypeSample {
  const char* literal;
  const char* other;
  const char* use;  // how a model reads it
};
constexpr TypeSample kTypeSamples[kTypeCount] = {
    {"2", "3", "op y mul x a"},
    {"1.5", "2.5", "op y mul x a"},
    {"true", "false", "op y branch x on=a then=sin else=twice"},
    {"\"a\"", "\"b\"", "op y branch x on=equals(a,\"a\") then=sin else=twice"},
    {"[4]:s5", "[4]:s6", "op y mul x a"},
    {"tanh:lambda", "sin", "op y apply x fn=a"},
    {"relu", "inc", "op y apply x fn=a"},
    {"#1", "#2", "op y branch x on=same(a,b) then=sin else=twice"},
    {"1", "true", "op y branch x on=equals(a,2) then=sin else=twice"},
    {"f64", "f32", "op y sin x"},
    {"1.5", "2.5", "op y mul x a"},
    {"none", "[4]:s6", "op y branch x on=none(a) then=sin else=twice"},
    {"7", "8", "op y branch x on=same(a,b) then=sin else=twice"},
    {"7", "8", "op y sin x"},
};

// A slot of one home and type, read by the model, and every verb on it that applies.
std::string SlotText(const HomeRow& home, Type type) {
  const TypeSample& sample = kTypeSamples[static_cast<size_t>(type)];
  const bool falls_back = home.can_fall_back && IsPlain(type);
  std::string text = absl::StrCat("slot a ", home.name, " ", Name(type), " ", sample.literal);
  if (falls_back) absl::StrAppend(&text, " below=", sample.other);
  absl::StrAppend(&text, "\nslot b ", home.name, " ", Name(type), " ", sample.other,
                  "\ninput x f32 [n,4]\n", sample.use, "\nreturn y\n");
  Slot slot{"a", &home, type, sample.literal, falls_back ? sample.other : ""};
  std::string before, after;
  for (const StepRow& row : Steps()) {
    if (row.fits == nullptr || !row.fits(slot)) continue;
    const std::string word = row.name;
    std::string step = word + " a";
    if (word == "set")
      absl::StrAppend(&step, " ", sample.other, type == Type::kModule ? "" : " via=dict");
    if (word == "swap" || word == "tie" || word == "row") step += " b";
    if (word == "rebind") step += " 3";
    if (word == "recode") step += " neg";
    // What real compilers are known to miss comes before the first call; tests/data has the rest.
    const bool identity = type == Type::kObject || type == Type::kRandom;
    const bool missed =
        (identity && word == "tie") || home.name == std::string("method") || word == "recode";
    absl::StrAppend(missed ? &before : &after, step, "\n", missed ? "" : "again 1\n");
  }
  return absl::StrCat(text, before, "call x=[2,4]\n", after, "again 1\n");
}

std::string LayoutText(const LayoutRow& row) {
  return absl::StrCat(
      "input x f32 [n,2,4,4]\nop y sin x\nop z mul y 2.0\nreturn z\ncall x=[2,2,4,4]\ncall "
      "x=[2,2,4,4]:",
      row.name, "\nagain 1\n");
}

std::string FormText(const CallableFormRow& row) {
  // From one descriptor to another function is a known fault: pytorch 197811, in tests/data.
  const char* set = row.name == std::string("descriptor") ? "" : "set act abs\nagain 1\n";
  return absl::StrCat("model function\nslot act global callable tanh:", row.name,
                      "\ninput x f32 [n]\ninput f callable\nop a apply x fn=act\nop y apply a "
                      "fn=f\nreturn y\ncall x=[3] f=sin:",
                      row.name, "\n", set, "call x=[2] f=sin:", row.name, "\n");
}

std::string MarkText(const MarkRow& row) {
  return absl::StrCat("input x f32 [n,4]\nop y sin x\nreturn y\ncall x=[3,4]:", row.name,
                      "0\ncall x=[5,4]:", row.name, "0\ncall x=[6,4]\n");
}

std::string ContextText(const ContextRow& row) {
  const bool around = (row.flags & kAround) != 0, inside = (row.flags & kInside) != 0;
  return absl::StrCat("compile backend=aot_eager\ninput x f32 [n,4]\nop w mul x 1.5\nop h sin w",
                      inside ? absl::StrCat(" in=", row.name) : "", "\nop m mul h w",
                      inside ? absl::StrCat(" in=", row.name) : "",
                      "\nop y add m w\nreturn y\ncall x=[2,4]:grad\nbackward 1\ncall x=[2,4]",
                      around ? absl::StrCat(" under=", row.name) : "", "\nagain 1\n");
}

std::string FlagText(const FlagRow& row) {
  std::string text = "input x f32 [n,4]\nop h linear x out=4\nop y sin h\nreturn y\ncall x=[2,4]\n";
  const std::vector<std::string> values = absl::StrSplit(row.values, '|');
  for (size_t i = 1; i < values.size(); ++i) {
    absl::StrAppend(&text, "flag ", row.name, " ", values[i], "\nagain 1\nflag ", row.name, " ",
                    values[0], "\nagain 1\n");
  }
  return text;
}

// A container, its items read and tested, of more, fewer and other items, and shared ones.
std::string ContainerText(Type type) {
  const bool keyed = type == Type::kDict || type == Type::kData;
  const auto items = [&](const char* a, const char* b) {
    return keyed ? absl::StrCat("(a:", a, ",b:", b, ")") : absl::StrCat("(", a, ",", b, ")");
  };
  return absl::StrCat("model function\ninput x f32 [3]\ninput p ", Name(type),
                      " f32 [3]\nop y sin x\nreturn y\ncall x=[3] p=", items("[3]", "[3]"),
                      "\ncall x=[3] p=", items("@x", "view(0,1,[3])"),
                      "\ncall x=[3] p=", keyed ? "(b:[3]:grad)" : "([3]:grad)",
                      "\ncall x=out(1) p=@p\nagain 1\n");
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
      "again 1\nbackward 2\nunhook\neval h\nagain 1\ntrain\nflag grad off\nagain 1\nflag grad on\n"
      "call x=[2,3] under=inference_mode\n",
      "input x f32 [n,3]\nop h linear x out=3\nop s sin h\nop y linear s out=2\nreturn y s\n"
      "call x=[2,3]:derived\nbackward 1 of=2 retain=yes\nbackward 1\nhook kind=backward fn=twice\n"
      "hook h kind=backward_pre fn=twice\ncall x=[2,3]:grad\nbackward 2\nunhook\nunhook\noptimizer "
      "momentum "
      "schedule=yes\noptimize\nagain 1\nwrite 3 of=2\ndrop 3\nload by=0.5\nagain 1\n"
      "requires_grad off h\nagain 1\n",
      "input x f32 [n,3]\nop h linear x out=3\nop y softmax h dim=1\nreturn y\ncall "
      "x=[2,3]\nbackward 1\noptimizer adam compiled=yes\noptimize\nagain 1\nwrap "
      "dynamic=on\nagain 1\ninstance 2\nagain 1\ninstance 1\nagain 1\ndeepcopy\nagain 1\npickle\n"
      "again 1\nvariant y dim 0\nagain 1\nforget\nagain 1\nload by=2.0 assign=yes\nagain 1\n"
      "cast f64\ncall x=[2,3]:f64\n",
      "input x f32 [n]\nop c custom x\nreturn c\ncall x=[3]:grad\nbackward 1\nretune c "
      "30.0\nforget\n"
      "again 1\n",
      "slot rows buffer tensor [4,3]\nslot now attr tensor [1,3]\ninput x f32 [1,3]\nop y "
      "copy_into x "
      "slot=now\nreturn y\ncall\nrow now rows 1\nagain 1\nrow now rows 2\nagain 1\n",
      "compile limit=2\nslot gain closure float 1.5\nslot act closure callable tanh:closure\n"
      "input x f32 [n]\nop a mul x gain\nop y apply a fn=act\nreturn y\ncall x=[3]\nset gain 2.5 "
      "via=factory\nagain 1\nset act sin:descriptor via=factory\nagain 1\nset gain 0.5\nagain 1\n",
      "compile backend=eager dynamic=on fullgraph=yes\ninput i i64 [n]\ninput m bool [n]\nop a add "
      "i 2\n"
      "op b sum a\nop y neg a\nreturn y b\ncall i=[3] m=[3]\ncall i=[4] m=[4]\n",
      "compile dynamic=off\ninput x f32 [n]\nop a graph_break x\nop y clamp a\nreturn y\ncall "
      "x=[4]\ncall x=[1]\n",
  };
  for (const OpRow& row : Operators()) texts.push_back(OperatorText(row));
  for (const PredicateRow& row : Predicates()) texts.push_back(PredicateText(row));
  for (const LayoutRow& row : Layouts()) texts.push_back(LayoutText(row));
  for (const CallableFormRow& row : CallableForms()) texts.push_back(FormText(row));
  for (const MarkRow& row : Marks()) texts.push_back(MarkText(row));
  for (const ContextRow& row : Contexts()) texts.push_back(ContextText(row));
  for (const FlagRow& row : ProcessFlags()) texts.push_back(FlagText(row));
  for (Type type : {Type::kList, Type::kTuple, Type::kDict, Type::kData})
    texts.push_back(ContainerText(type));
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
