// The store of findings, which several processes share and each may be killed at any moment: whole
// or not at all, counted once each, bounded. And the file of known issues.
#include "report/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "report/known_issues.h"
#include "tests/support/process.h"

namespace reprise {
namespace {

using testing::HasSubstr;

size_t Files(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::directory_iterator files(folder, ignored);
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

TEST(Findings, AreWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const FindingsStore store(folder.path() + "/findings");
  EXPECT_FALSE(store.Knows("stateful-abcdefgh"));
  EXPECT_TRUE(store.Add("stateful-abcdefgh", {{"case.reprise", "reprise 1\n"}}).ok());
  EXPECT_TRUE(store.Knows("stateful-abcdefgh"));
  const std::string kept = store.PathOf("stateful-abcdefgh") + "/case.reprise";
  EXPECT_EQ(ReadFile(kept), "reprise 1\n");
  EXPECT_EQ(store.Add("stateful-abcdefgh", {{"case.reprise", "other\n"}}).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReadFile(kept), "reprise 1\n");
  EXPECT_EQ(Files(store.folder()), 1u);
}

TEST(Findings, AFullDiskLeavesNothingBehind) {
  const FindingsStore store("/dev/full/findings");
  const absl::Status status = store.Add("stateful-abcdefgh", {{"case.reprise", "x"}});
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot write the finding"));
  EXPECT_FALSE(store.Quarantine("x").ok());
  store.Count("stateful-abcdefgh");
  EXPECT_EQ(store.KeepApart(kUnconfirmed, "x", "reason"), "");
}

TEST(Findings, WhatTheDeadLeftHalfWrittenGoes) {
  const TemporaryFolder folder;
  // Process 1 is alive, and no process has the other number.
  for (const char* name : {"/.partial-stateful-abcdefgh-1", "/.partial-crash-abcdefgh-2147483646",
                           "/quarantine/.partial-x.reprise-2147483646"})
    std::filesystem::create_directories(folder.path() + name);
  const FindingsStore store(folder.path());
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/.partial-stateful-abcdefgh-1"));
  EXPECT_EQ(Files(folder.path()), 2u);
  EXPECT_EQ(Files(folder.path() + "/quarantine"), 0u);
}

TEST(Findings, ManyProcessesCountTogether) {
  const TemporaryFolder folder;
  const FindingsStore store(folder.path());
  EXPECT_EQ(store.Counted("known-abcdefgh"), 0);
  constexpr int kProcesses = 4, kEach = 50;
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() != 0) continue;
    for (int k = 0; k < kEach; ++k) FindingsStore(folder.path()).Count("known-abcdefgh");
    _exit(0);
  }
  for (int i = 0; i < kProcesses; ++i) wait(nullptr);
  EXPECT_EQ(store.Counted("known-abcdefgh"), kProcesses * kEach);
}

TEST(Findings, UnconfirmedCasesAreKeptUpToABoundAndCountedBeyond) {
  const TemporaryFolder folder;
  const FindingsStore store(folder.path());
  for (int i = 0; i < kMaxKeptApart + 3; ++i)
    store.KeepApart(kUnconfirmed, absl::StrCat("case ", i), "replay 1 says pass");
  EXPECT_EQ(Files(folder.path() + "/unconfirmed"), static_cast<size_t>(kMaxKeptApart));
  EXPECT_EQ(store.Counted(kUnconfirmed), kMaxKeptApart + 3);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() + "/unconfirmed"))
    EXPECT_THAT(ReadFile(entry.path()), testing::StartsWith("# replay 1 says pass\ncase "));
}

TEST(Findings, QuarantineAndMemoryOutliveTheProcess) {
  const TemporaryFolder folder;
  EXPECT_TRUE(FindingsStore(folder.path()).Quarantine("case 1").ok());
  EXPECT_TRUE(FindingsStore(folder.path()).IsQuarantined("case 1"));
  EXPECT_FALSE(FindingsStore(folder.path()).IsQuarantined("case 2"));
  EXPECT_EQ(FindingsStore(folder.path()).Recall("abcdefgh"), "");
  FindingsStore(folder.path()).Remember("abcdefgh", "crash-hgfedcba");
  EXPECT_EQ(FindingsStore(folder.path()).Recall("abcdefgh"), "crash-hgfedcba");
}

TEST(KnownIssues, AreSignaturesWithComments) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/known";
  WriteFile(path, "# fixed upstream\nabcdefgh   # seen in May\n\n  zyxwvuts\r\n");
  const auto known = ReadKnownIssues(path);
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_THAT(*known, testing::ElementsAre("abcdefgh", "zyxwvuts"));
}

TEST(KnownIssues, AnErrorNamesTheLine) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/known";
  WriteFile(path, "abcdefgh\nstateful-abcdefgh\n");
  EXPECT_THAT(std::string(ReadKnownIssues(path).status().message()),
              HasSubstr("known, line 2: not a signature of 8 lower-case letters: stateful-abc"));
  EXPECT_THAT(std::string(ReadKnownIssues("/no/such/file").status().message()),
              HasSubstr("cannot read the known issues in /no/such/file: No such file"));
  EXPECT_THAT(std::string(ReadKnownIssues(folder.path()).status().message()),
              HasSubstr("it is a directory"));
}

}  // namespace
}  // namespace reprise
