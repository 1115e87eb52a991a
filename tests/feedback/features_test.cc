// Features: in range, hit or not, in domains that do not overlap.
#include "feedback/features.h"

#include <gtest/gtest.h>

#include "feedback/keys.h"
#include "grammar/parser.h"

namespace reprise {
namespace {

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

TEST(Features, DomainsFollowEachOther) {
  size_t end = 0;
  for (const Domain domain : {Domain::kAlive, Domain::kPath, Domain::kInput, Domain::kGuard,
                              Domain::kHistory, Domain::kWords, Domain::kLines}) {
    EXPECT_GE(DomainBase(domain), end);
    end = DomainBase(domain) + DomainSize(domain);
  }
  EXPECT_EQ(end, kCounters);
}

TEST(Features, AnyJudgedCaseIsAlive) {
  ClearFeatures();
  EmitBehaviour(Parse("input x f32 [n,4]\ncall\n"), {{}});
  EXPECT_TRUE(HasFeature(Domain::kAlive, 0));
}

TEST(Features, AreTheKeysOfTheCase) {
  const TestCase test = Parse("input x f32 [n,4]\ncall x=[2,4]\nagain 1\n");
  const std::vector<CallSignals> signals = {{"cold"}, {"reused"}};
  ClearFeatures();
  EmitBehaviour(test, signals);
  const auto keys = KeysOf(test, signals);
  EXPECT_GT(keys.size(), 30u);
  size_t set = 0;
  for (const Family* family : Families()) {
    for (size_t cell = 0; cell < family->cells(); ++cell) set += HasFeature(family->domain, cell);
  }
  EXPECT_EQ(set, keys.size());
}

}  // namespace
}  // namespace reprise
