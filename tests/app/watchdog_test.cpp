#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Ended {
  int code = 0;
  std::string out;
  std::string err;
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Runs the program on the demo as a process of its own: giving up ends the process.
Ended run_program(const testing::TemporaryFolder& folder, const std::string& options) {
  const std::string command = "'" + testing::program_path() + "' check '" + testing::source_dir() +
                              "/fixtures/demo' --format unix " + options + " >'" +
                              (folder / "out") + "' 2>'" + (folder / "err") + "'";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "out"),
          text_of(folder / "err")};
}

TEST(Watchdog, EndsARunThatIsOverABoundAndWritesNothing) {
  const testing::TemporaryFolder folder;
  const std::string document = folder / "out.json";
  for (const char* bound : {"--max-seconds 0.000000001", "--max-memory-mib 1"}) {
    const Ended ended =
        run_program(folder, std::string(bound) + " --format 'json=" + document + "'");
    EXPECT_EQ(ended.code, 3) << bound;
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, HasSubstr("recipelint: gave up: the "));
    EXPECT_FALSE(std::filesystem::exists(document));
  }
}

TEST(Watchdog, LeavesOtherRunsAlone) {
  const testing::TemporaryFolder folder;
  const Ended bounded = run_program(folder, "--max-seconds 600 --max-memory-mib 100000");
  EXPECT_EQ(bounded.code, 1);
  EXPECT_EQ(bounded.out, run_program(folder, "").out);
}

}  // namespace
}  // namespace recipelint
