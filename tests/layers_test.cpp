// Reads the #include lines of the sources and fails on one that goes against the direction of flow
// in docs/architecture.md: a stage sees the stages before it and the facts, never the ones behind
// it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace recipelint {
namespace {

using Folders = std::set<std::string>;

// For each folder, the folders whose headers it may include besides its own.
const std::map<std::string, Folders>& allowed_includes() {
  static const std::map<std::string, Folders> table = {
      {"analyzer/text", {}},
      {"analyzer/git", {"analyzer/text"}},
      {"analyzer/yaml", {"analyzer/text"}},
      {"analyzer/shell", {"analyzer/text"}},
      {"analyzer/facts", {"analyzer/text", "analyzer/yaml"}},
      {"analyzer/space", {"analyzer/text", "analyzer/yaml", "analyzer/facts"}},
      {"analyzer/launch", {"analyzer/text", "analyzer/yaml", "analyzer/shell", "analyzer/facts"}},
      {"analyzer/layout",
       {"analyzer/text", "analyzer/yaml", "analyzer/shell", "analyzer/facts", "analyzer/space",
        "analyzer/launch"}},
      {"analyzer/serving",
       {"analyzer/text", "analyzer/yaml", "analyzer/facts", "analyzer/shell", "analyzer/space",
        "analyzer/launch", "analyzer/layout"}},
      {"analyzer/findings", {"analyzer/text"}},
      {"analyzer/report", {"analyzer/text", "analyzer/findings"}},
      {"rules",
       {"analyzer/text", "analyzer/facts", "analyzer/space", "analyzer/layout", "analyzer/launch",
        "analyzer/serving", "analyzer/findings"}},
      {"analyzer/app",
       {"analyzer/text", "analyzer/git", "analyzer/yaml", "analyzer/shell", "analyzer/facts",
        "analyzer/space", "analyzer/layout", "analyzer/launch", "analyzer/serving",
        "analyzer/findings", "analyzer/report", "rules"}},
  };
  return table;
}

// "analyzer/yaml/document.h" -> "analyzer/yaml"; "rules/images/x.h" -> "rules"; else "".
std::string folder_of(const std::string& path) {
  if (path.starts_with("rules/")) return "rules";
  if (!path.starts_with("analyzer/")) return {};
  return path.substr(0, path.find('/', std::string("analyzer/").size()));
}

std::vector<std::string> included_headers(const std::filesystem::path& file) {
  std::vector<std::string> headers;
  std::ifstream in(file);
  const std::string prefix = "#include \"";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(prefix)) {
      headers.push_back(line.substr(prefix.size(), line.rfind('"') - prefix.size()));
    }
  }
  return headers;
}

std::vector<std::string> violations_in(const std::filesystem::path& root, const std::string& file) {
  std::vector<std::string> violations;
  const std::string from = folder_of(file);
  const auto allowed = allowed_includes().find(from);
  if (allowed == allowed_includes().end()) return {file + " lies in a folder without a rule"};
  for (const std::string& header : included_headers(root / file)) {
    const std::string to = folder_of(header);
    if (to != from && !allowed->second.contains(to)) violations.push_back(file + " -> " + header);
  }
  return violations;
}

TEST(Layers, IncludesFollowTheDirectionOfFlow) {
  const std::filesystem::path root = testing::source_dir();
  std::vector<std::string> violations;
  int files = 0;
  for (const char* top : {"analyzer", "rules"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      ++files;
      const std::string name = std::filesystem::relative(entry.path(), root).string();
      const auto found = violations_in(root, name);
      violations.insert(violations.end(), found.begin(), found.end());
    }
  }
  EXPECT_GT(files, 10);
  EXPECT_THAT(violations, ::testing::IsEmpty());
}

}  // namespace
}  // namespace recipelint
