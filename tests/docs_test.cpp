// Runs the examples of README.md and docs/: an indented or fenced block whose first line is
// "$ recipelint ARGUMENTS" holds exactly what that command prints in the root of the source tree.
// Pages that work in a repository of their own are executed by tests/product/test_docs.py.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;

const std::string kPrompt = "$ recipelint ";
const std::string kPageOfItsOwn = "first-hour.md";

struct Example {
  std::string file;
  std::vector<std::string> arguments;
  std::string expected;
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<Example> examples_in(const fs::path& file) {
  std::vector<Example> examples;
  std::ifstream in(file);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    const bool fence = line.starts_with("```");
    if (fence) inside = false;
    if (inside) examples.back().expected += line + '\n';
    if (line.starts_with(kPrompt)) {
      examples.push_back({file.filename().string(), words_of(line.substr(kPrompt.size())), ""});
      inside = true;
    }
  }
  return examples;
}

std::vector<Example> all_examples() {
  const fs::path root = testing::source_dir();
  std::vector<Example> examples = examples_in(root / "README.md");
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() != ".md" || entry.path().filename() == kPageOfItsOwn) continue;
    const auto more = examples_in(entry.path());
    examples.insert(examples.end(), more.begin(), more.end());
  }
  return examples;
}

TEST(Docs, ExamplesPrintWhatTheyShow) {
  const auto examples = all_examples();
  EXPECT_FALSE(examples.empty());
  const fs::path before = fs::current_path();
  fs::current_path(testing::source_dir());
  for (const Example& example : examples) {
    EXPECT_EQ(testing::run_command(example.arguments).out, example.expected) << example.file;
  }
  fs::current_path(before);
}

}  // namespace
}  // namespace recipelint
