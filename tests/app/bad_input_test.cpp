// Wrong usage ends with exit code 2, nothing on standard output, and one line that says what to do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

using ::testing::HasSubstr;
using testing::run_command;
using testing::TemporaryFolder;

struct Case {
  std::vector<std::string> arguments;
  std::string what_to_do;
};

TEST(BadInput, SaysInOneLineWhatToDo) {
  const TemporaryFolder folder;
  const std::string broken = folder.write("broken.json", "{");
  const std::string configuration = folder.write("broken.yaml", "rules: {mutable-imgae-tag: {}}\n");
  const std::vector<Case> cases = {
      {{"--select", "mutable-imgae-tag"}, "mutable-image-tag"},
      {{"--ignore", "qqqqqqqq"}, "see: recipelint rules"},
      {{"--config", configuration}, "did you mean 'mutable-image-tag'?"},
      {{"--config", folder / "none.yaml"}, "none.yaml"},
      {{"--baseline", folder / "none.json"}, "--write-baseline makes a baseline"},
      {{"--baseline", broken}, "--write-baseline writes one"},
      {{"--baseline", folder.path().string()}, "--write-baseline makes a baseline"},
      {{"--write-baseline", broken}, "--write-baseline writes one"},
      {{"--write-baseline", folder / "no/folder.json"},
       "name a file in a folder that you can write"},
      {{"--format", "sarif=" + (folder / "no/folder.sarif")},
       "name a file in a folder that you can"},
      {{"--format", "xml"}, "choose one of: text, unix"},
      {{"--format", "json", "--format", "sarif"}, "give the others a =FILE"},
      {{"--stdin-file", "no/such.yaml"}, "names no file below the root"},
      {{"--no-such-option"}, "see recipelint --help"},
      {{"--fail-on", "fatal"}, "warning"},
      {{"--as-of", "yesterday"}, "write YYYY-MM-DD"},
      {{"no/such/path"}, "no command or path is called"},
  };
  for (const Case& bad : cases) {
    std::vector<std::string> arguments = {"check", "--root",
                                          testing::source_dir() + "/fixtures/demo"};
    arguments.insert(arguments.end(), bad.arguments.begin(), bad.arguments.end());
    const auto result = run_command(arguments);
    EXPECT_EQ(result.code, 2) << bad.what_to_do << result.err;
    EXPECT_THAT(result.err, HasSubstr(bad.what_to_do));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.starts_with("recipelint: ")) << result.err;
  }
  // Nothing but what was there.
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("broken.json", "broken.yaml"));
}

}  // namespace
}  // namespace recipelint
