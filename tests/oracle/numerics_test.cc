// The numeric rule on numbers worked out by hand.
#include "oracle/numerics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "grammar/parser.h"
#include "oracle/precision.h"

namespace reprise {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

template <typename T>
Leaf Tensor(const std::string& dtype, const std::vector<T>& values) {
  Leaf leaf;
  leaf.kind = "tensor";
  leaf.dtype = dtype;
  leaf.shape = {static_cast<int64_t>(values.size())};
  leaf.data.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return leaf;
}

Leaf F32(const std::vector<float>& values) { return Tensor("f32", values); }
Leaf F64(const std::vector<double>& values) { return Tensor("f64", values); }

TEST(Numerics, EqualBytesAreEqual) {
  EXPECT_EQ(CompareValues(F32({1, NAN}), F32({1, NAN}), nullptr, false), Agreement::kEqual);
}

TEST(Numerics, IntegersAndBooleansAreExact) {
  EXPECT_EQ(CompareValues(Tensor<int64_t>("i64", {1 << 30}),
                          Tensor<int64_t>("i64", {(1 << 30) + 1}), nullptr, true),
            Agreement::kDifferent);
  EXPECT_EQ(
      CompareValues(Tensor<uint8_t>("bool", {1}), Tensor<uint8_t>("bool", {0}), nullptr, true),
      Agreement::kDifferent);
}

TEST(Numerics, PatternsOfNanAndInfinityMustAgree) {
  EXPECT_EQ(CompareValues(F64({kNaN}), F64({1}), nullptr, true), Agreement::kDifferent);
  EXPECT_EQ(CompareValues(F64({kInf}), F64({-kInf}), nullptr, true), Agreement::kDifferent);
  EXPECT_EQ(CompareValues(F64({kInf, 1}), F64({kInf, std::nextafter(1.0, 2)}), nullptr, true),
            Agreement::kEqual);
}

TEST(Numerics, SignOfZeroIsNoDifference) {
  EXPECT_EQ(CompareValues(F32({0.0f, 0.0f}), F32({-0.0f, 0.0f}), nullptr, false),
            Agreement::kEqual);
}

TEST(Numerics, AFewUlpsAtTheTensorsMagnitudeNeedNoReference) {
  EXPECT_EQ(CompareValues(F32({100, 1e-9f}), F32({100, 2e-9f}), nullptr, false), Agreement::kEqual);
  EXPECT_EQ(CompareValues(F32({1, 1}), F32({1, 1.00001f}), nullptr, false),
            Agreement::kAskReference);
}

TEST(Numerics, ErrorMayBeASmallMultipleOfTheUncompiledOne) {
  const Leaf expected = F32({1.00001f}), reference = F64({1.0});
  EXPECT_EQ(CompareValues(expected, F32({0.99998f}), &reference, true), Agreement::kEqual);
  EXPECT_EQ(CompareValues(expected, F32({0.9998f}), &reference, true), Agreement::kDifferent);
}

TEST(Numerics, TheRuleIsScaleFree) {
  for (float scale : {1e-6f, 1.0f, 1e6f}) {
    const Leaf reference = F64({static_cast<double>(scale)});
    EXPECT_EQ(CompareValues(F32({scale}), F32({scale * 1.0001f}), &reference, true),
              Agreement::kDifferent)
        << scale;
  }
}

TEST(Numerics, AReferenceThatDidSomethingElseDoesNotExcuse) {
  const Leaf reference = F64({500.0});
  EXPECT_EQ(CompareValues(F32({1}), F32({2}), &reference, true), Agreement::kDifferent);
}

TEST(Numerics, WithoutAReferenceTheFrameworksTolerancesDecide) {
  EXPECT_EQ(CompareValues(F32({1}), F32({1.00001f}), nullptr, true), Agreement::kEqual);
  EXPECT_EQ(CompareValues(F32({1}), F32({1.0001f}), nullptr, true), Agreement::kDifferent);
}

TEST(Numerics, ACastToAFinerTypeBringsNoDigits) {
  const Leaf wide = F64({0.0386098}), off = F64({0.0386101});
  EXPECT_EQ(CompareValues(wide, off, nullptr, true, "f64"), Agreement::kDifferent);
  EXPECT_EQ(CompareValues(wide, off, nullptr, true, "f32"), Agreement::kEqual);
  EXPECT_EQ(CompareValues(F32({1}), F32({1.001f}), nullptr, true, "f64"), Agreement::kDifferent);
}

TEST(Numerics, TheCoarsestTypeIsFoundWhereverItIsNamed) {
  const auto coarsest = [](const std::string& line) {
    return Name(
        CoarsestFloat(Parse("reprise 1\ninput x f32 [n,4]\n" + line + "\nreturn h\ncall\n")));
  };
  EXPECT_STREQ(coarsest("op h relu x"), "f32");
  EXPECT_STREQ(coarsest("op h cast x f64"), "f32");
  EXPECT_STREQ(coarsest("op h cast x f16"), "f16");
  EXPECT_STREQ(coarsest("op h linear x out=4\nflag autocast bf16"), "bf16");
}

TEST(Numerics, WhatHangsOnTheLastDigitsIsNoDifference) {
  const Leaf e = F32({1, 2}), jumps = F32({1, 3}), still = F32({1.000001f, 2});
  EXPECT_TRUE(IllConditioned(e, jumps, &jumps));
  EXPECT_FALSE(IllConditioned(e, jumps, &still));
  EXPECT_FALSE(IllConditioned(e, jumps, &e));
  EXPECT_FALSE(IllConditioned(e, jumps, nullptr));
  EXPECT_FALSE(IllConditioned(e, F32({1, NAN}), &jumps));
  const Leaf nan = F32({1, NAN});
  EXPECT_TRUE(IllConditioned(e, nan, &nan));
  const auto index = [](int64_t i) { return Tensor<int64_t>("i64", {i}); };
  const Leaf two = index(2);
  EXPECT_TRUE(IllConditioned(index(1), index(3), &two));
  const Leaf one = index(1);
  EXPECT_FALSE(IllConditioned(index(1), index(3), &one));
}

TEST(Numerics, DecodesEveryDtype) {
  EXPECT_EQ(*Decode(Tensor<uint16_t>("f16", {0x3c00, 0xc000, 0x7c00, 0x0001})),
            (std::vector<double>{1, -2, kInf, std::ldexp(1, -24)}));
  EXPECT_EQ(*Decode(Tensor<uint16_t>("bf16", {0x3f80, 0xc000})), (std::vector<double>{1, -2}));
  EXPECT_EQ(*Decode(Tensor<int32_t>("i32", {-5})), (std::vector<double>{-5}));
  EXPECT_EQ(*Decode(Tensor<uint8_t>("f8e4m3", {0x38, 0xb8, 0x01, 0x7e})),
            (std::vector<double>{1, -1, std::ldexp(1, -9), 448}));
  EXPECT_TRUE(std::isnan((*Decode(Tensor<uint8_t>("f8e4m3", {0x7f})))[0]));
  EXPECT_EQ(*Decode(Tensor<uint8_t>("f8e5m2", {0x3c, 0xc0, 0x7c})),
            (std::vector<double>{1, -2, kInf}));
  EXPECT_EQ(*Decode(Tensor<float>("c64", {1, -2})), (std::vector<double>{1, -2}));
  EXPECT_EQ(*Decode(Tensor<double>("c128", {1, -2})), (std::vector<double>{1, -2}));
  EXPECT_EQ(Decode(Tensor<int32_t>("quaternion", {1})), std::nullopt);
}

TEST(Numerics, EachFloatTypeForgivesItsOwnRoundingAndNoMore) {
  const auto agree = [](const Leaf& a, const Leaf& b) {
    return CompareValues(a, b, nullptr, true, a.dtype) == Agreement::kEqual;
  };
  // One, and numbers a few and many ulps away.
  EXPECT_TRUE(agree(Tensor<uint16_t>("f16", {0x3c00}), Tensor<uint16_t>("f16", {0x3c01})));
  EXPECT_FALSE(agree(Tensor<uint16_t>("f16", {0x3c00}), Tensor<uint16_t>("f16", {0x3c20})));
  EXPECT_TRUE(agree(Tensor<uint16_t>("bf16", {0x3f80}), Tensor<uint16_t>("bf16", {0x3f81})));
  EXPECT_FALSE(agree(Tensor<uint16_t>("bf16", {0x3f80}), Tensor<uint16_t>("bf16", {0x3f90})));
  EXPECT_TRUE(agree(Tensor<uint8_t>("f8e4m3", {0x38}), Tensor<uint8_t>("f8e4m3", {0x39})));
  EXPECT_FALSE(agree(Tensor<uint8_t>("f8e4m3", {0x38}), Tensor<uint8_t>("f8e4m3", {0x40})));
  EXPECT_TRUE(agree(Tensor<float>("c64", {1, 1}), Tensor<float>("c64", {1, 1.000001F})));
  EXPECT_FALSE(agree(Tensor<float>("c64", {1, 1}), Tensor<float>("c64", {1, 1.001F})));
  EXPECT_FALSE(agree(Tensor<double>("c128", {1, 1}), Tensor<double>("c128", {1, 1.00001})));
}

// Which of the two runs is the uncompiled one matters to the reference's allowance alone.
TEST(Numerics, WithoutAReferenceTheRuleHasNoSides) {
  const float values[] = {0, 1e-38F, 1, 1.00001F, 1.0001F, 1e30F, -1, INFINITY, NAN};
  for (float a : values) {
    for (float b : values) {
      EXPECT_EQ(CompareValues(F32({a}), F32({b}), nullptr, true),
                CompareValues(F32({b}), F32({a}), nullptr, true))
          << a << " " << b;
    }
  }
}

TEST(Numerics, AComplexElementIsFoundAtItsPlace) {
  Leaf expected = Tensor<float>("c64", {1, 2, 3, 4}), actual = Tensor<float>("c64", {1, 2, 3, 9});
  expected.shape = actual.shape = {2};
  EXPECT_EQ(DescribeValues(expected, actual), "differs by 5 at [1]: expected 4, got 9");
}

TEST(Numerics, DescribesTheWorstElement) {
  Leaf expected = F32({1, 2, 3, 4}), actual = F32({1, 2.5f, 3, 9});
  expected.shape = actual.shape = {2, 2};
  EXPECT_EQ(DescribeValues(expected, actual), "differs by 5 at [1,1]: expected 4, got 9");
}

}  // namespace
}  // namespace reprise
