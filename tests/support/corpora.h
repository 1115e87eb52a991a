// Corpora in tests: what a folder holds, and which features its files reach on a real target.
#ifndef REPRISE_TESTS_SUPPORT_CORPORA_H_
#define REPRISE_TESTS_SUPPORT_CORPORA_H_

#include <map>
#include <set>
#include <string>
#include <vector>

namespace reprise {

// {name: content} of the files of a folder.
std::map<std::string, std::string> Contents(const std::string& folder);

// Writes each text as a file 0.reprise, 1.reprise, ... of a new folder.
void WriteCorpus(const std::string& folder, const std::vector<std::string>& texts);

// Union of the features of a folder's files, each run once on fuzz_FRAMEWORK. Extra flags may be
// given.
std::set<std::string> FeaturesOf(const std::string& framework, const std::string& folder,
                                 const std::string& flags = "");

}  // namespace reprise

#endif  // REPRISE_TESTS_SUPPORT_CORPORA_H_
