#include "report/findings.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "grammar/types.h"

namespace reprise {

namespace fs = std::filesystem;

namespace {

constexpr char kPartial[] = ".partial-";

// What is being written has a name that tells who writes it.
std::string PartialName(const std::string& folder, const std::string& name) {
  return absl::StrCat(folder, "/", kPartial, name, "-", getpid());
}

// Removes what dead processes left half written.
void Sweep(const std::string& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename();
    const size_t dash = name.rfind('-');
    if (!absl::StartsWith(name, kPartial)) continue;
    const pid_t writer = std::atoi(name.c_str() + dash + 1);
    if (writer <= 0 || (kill(writer, 0) != 0 && errno == ESRCH)) fs::remove_all(entry, ignored);
  }
}

std::error_code Write(const std::string& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  return out ? std::error_code() : std::error_code(errno, std::generic_category());
}

// A file that is there whole or not at all.
std::error_code WriteWhole(const std::string& folder, const std::string& name,
                           const std::string& content) {
  std::error_code error, ignored;
  fs::create_directories(folder, error);
  const std::string partial = PartialName(folder, name);
  if (!error) error = Write(partial, content);
  if (!error) fs::rename(partial, absl::StrCat(folder, "/", name), error);
  if (error) fs::remove(partial, ignored);
  return error;
}

// File name of a case in the folders that are asked for its text.
std::string CaseName(const std::string& text) {
  char name[32];
  std::snprintf(name, sizeof name, "%016llx.reprise",
                static_cast<unsigned long long>(StableHash(text)));
  return name;
}

}  // namespace

std::string FindingName(const Judgement& judgement, const Signature& signature) {
  return absl::StrCat(Name(judgement.verdict), judgement.documented ? "-documented" : "", "-",
                      signature.hash);
}

FindingsStore::FindingsStore(std::string folder) : folder_(std::move(folder)) {
  std::error_code ignored;  // Add() reports what cannot be written
  fs::create_directories(folder_, ignored);
  for (const char* part : {"", "/unconfirmed", "/unstable", "/quarantine", "/deaths"})
    Sweep(folder_ + part);
}

std::string FindingsStore::PathOf(const std::string& name) const {
  return absl::StrCat(folder_, "/", name);
}

bool FindingsStore::Knows(const std::string& name) const {
  std::error_code ignored;
  return fs::exists(PathOf(name), ignored);
}

absl::Status FindingsStore::Add(const std::string& name,
                                const std::map<std::string, std::string>& files) const {
  const std::string final_path = PathOf(name), partial = PartialName(folder_, name);
  std::error_code error, ignored;
  fs::create_directories(partial, error);
  for (const auto& [file, content] : files) {
    if (!error) error = Write(absl::StrCat(partial, "/", file), content);
  }
  if (!error) fs::rename(partial, final_path, error);
  if (!error) return absl::OkStatus();
  fs::remove_all(partial, ignored);
  if (fs::exists(final_path, ignored)) return absl::AlreadyExistsError(final_path);
  return absl::InternalError(
      absl::StrCat("cannot write the finding ", final_path, ": ", error.message()));
}

void FindingsStore::Count(const std::string& name) const {
  std::error_code ignored;
  fs::create_directories(folder_ + "/seen", ignored);
  const std::string path = absl::StrCat(folder_, "/seen/", name);
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return;
  flock(fd, LOCK_EX);
  char text[32] = "";
  const ssize_t got = pread(fd, text, sizeof text - 1, 0);
  const long long count = got > 0 ? std::atoll(text) : 0;
  // One write of a fixed width: whoever reads sees the old number or the new one.
  const int width = std::snprintf(text, sizeof text, "%12lld\n", count + 1);
  [[maybe_unused]] const ssize_t written = pwrite(fd, text, static_cast<size_t>(width), 0);
  close(fd);
}

int64_t FindingsStore::Counted(const std::string& name) const {
  int64_t count = 0;
  std::ifstream(absl::StrCat(folder_, "/seen/", name)) >> count;
  return count;
}

std::string FindingsStore::KeepApart(const std::string& kind, const std::string& text,
                                     const std::string& reason) const {
  Count(kind);
  const std::string folder = PathOf(kind), name = CaseName(text);
  int64_t kept = 0;
  std::error_code ignored;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder, ignored)) ++kept;
  if (kept >= kMaxKeptApart) return "";
  // The parser skips what it cannot read, so the reason may stand in the case.
  const std::error_code error = WriteWhole(folder, name, absl::StrCat("# ", reason, "\n", text));
  return error ? "" : absl::StrCat(folder, "/", name);
}

std::string FindingsStore::ScratchPath(const std::string& name) const {
  return PartialName(folder_, name);
}

void FindingsStore::Remember(const std::string& key, const std::string& name) const {
  // What cannot be written is found out once more.
  [[maybe_unused]] const std::error_code error = WriteWhole(folder_ + "/deaths", key, name + "\n");
}

std::string FindingsStore::Recall(const std::string& key) const {
  std::string name;
  std::ifstream(absl::StrCat(folder_, "/deaths/", key)) >> name;
  return name;
}

absl::Status FindingsStore::Quarantine(const std::string& text) const {
  const std::error_code error = WriteWhole(folder_ + "/quarantine", CaseName(text), text);
  if (!error) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("cannot write to ", folder_, "/quarantine: ", error.message()));
}

bool FindingsStore::IsQuarantined(const std::string& text) const {
  return access(absl::StrCat(folder_, "/quarantine/", CaseName(text)).c_str(), F_OK) == 0;
}

}  // namespace reprise
