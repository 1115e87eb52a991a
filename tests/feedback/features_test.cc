// Features: in range, hit or not, the same for the same behaviour.
#include "feedback/features.h"

#include <gtest/gtest.h>

#include "feedback/behaviour.h"
#include "grammar/parser.h"

namespace reprise {
namespace {

std::vector<size_t> FeaturesOf(const std::string& text, const std::vector<StepBehaviour>& steps) {
  ClearFeatures();
  EmitBehaviour(Parse("input x f32 [n,4]\n" + text), steps);
  std::vector<size_t> set;
  for (size_t id = 0; id < DomainSize(Domain::kPath); ++id) {
    if (HasFeature(Domain::kPath, id)) set.push_back(id);
  }
  return set;
}

TEST(Features, AreSetOnceAndCleared) {
  ClearFeatures();
  EmitFeature(Domain::kPath, 7);
  EmitFeature(Domain::kPath, 7);
  EXPECT_TRUE(HasFeature(Domain::kPath, 7));
  EXPECT_FALSE(HasFeature(Domain::kWords, 7));
  ClearFeatures();
  EXPECT_FALSE(HasFeature(Domain::kPath, 7));
}

TEST(Features, BeyondTheDomainAreIgnored) {
  ClearFeatures();
  EmitFeature(Domain::kPath, DomainSize(Domain::kPath));
  EmitFeature(Domain::kAlive, 1);
  EXPECT_FALSE(HasFeature(Domain::kPath, DomainSize(Domain::kPath)));
  EXPECT_FALSE(HasFeature(Domain::kAlive, 0));
}

TEST(Behaviour, AnyJudgedCaseIsAlive) {
  FeaturesOf("call\n", {{"", 0}});
  EXPECT_TRUE(HasFeature(Domain::kAlive, 0));
}

TEST(Behaviour, DependsOnWhatTheCompilerDidAndOnWhatCameBefore) {
  const std::string plain = "call x=[2,4]\nagain 1\n";
  const auto reuse = FeaturesOf(plain, {{"compiled", 0}, {"reused", 0}});
  EXPECT_EQ(reuse.size(), 2u);
  EXPECT_NE(reuse, FeaturesOf(plain, {{"compiled", 0}, {"compiled", 0}}));
  EXPECT_NE(reuse, FeaturesOf("call x=[2,4]\ncall x=[3,4]\n", {{"compiled", 0}, {"reused", 0}}));
  EXPECT_NE(reuse,
            FeaturesOf("call x=[2,4]\neval\nagain 1\n", {{"compiled", 0}, {"", 0}, {"reused", 0}}));
  EXPECT_EQ(reuse, FeaturesOf("call x=[5,4]\nagain 1\n", {{"compiled", 0}, {"reused", 0}}));
}

TEST(Behaviour, EveryWordFitsItsDomain) {
  // The largest id of each family, from the tables as they are today.
  const size_t steps = Steps().size() + 1;
  EXPECT_LE(Operators().size() * 4, 1024u);
  EXPECT_LE(1024 + (Homes().size() + kTypeCount) * steps * 4, DomainSize(Domain::kWords));
  EXPECT_LE(steps * 5 * 4 * 2, DomainSize(Domain::kPath));
}

}  // namespace
}  // namespace reprise
