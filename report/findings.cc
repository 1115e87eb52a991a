#include "report/findings.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace reprise {

namespace fs = std::filesystem;

FindingsStore::FindingsStore(std::string folder) : folder_(std::move(folder)) {
  std::error_code ignored;  // Add() reports what cannot be written
  fs::create_directories(folder_, ignored);
}

std::string FindingsStore::PathOf(const Judgement& judgement, const Signature& signature) const {
  return absl::StrCat(folder_, "/", Name(judgement.verdict),
                      judgement.documented ? "-documented" : "", "-", signature.hash);
}

bool FindingsStore::Knows(const Judgement& judgement, const Signature& signature) const {
  std::error_code ignored;
  return fs::exists(PathOf(judgement, signature), ignored);
}

absl::Status FindingsStore::Add(const Judgement& judgement, const Signature& signature,
                                const std::map<std::string, std::string>& files) const {
  const std::string final_path = PathOf(judgement, signature);
  const std::string partial = absl::StrCat(folder_, "/.partial-", signature.hash, "-", getpid());
  std::error_code error, ignored;
  fs::create_directories(partial, error);
  for (const auto& [name, content] : files) {
    if (error) break;
    std::ofstream out(absl::StrCat(partial, "/", name), std::ios::binary);
    out << content;
    out.close();
    if (!out) error = std::error_code(errno, std::generic_category());
  }
  if (!error) fs::rename(partial, final_path, error);
  if (!error) return absl::OkStatus();
  fs::remove_all(partial, ignored);
  if (fs::exists(final_path, ignored)) return absl::AlreadyExistsError(final_path);
  return absl::InternalError(
      absl::StrCat("cannot write the finding ", final_path, ": ", error.message()));
}

}  // namespace reprise
