#include "tests/support/golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "tests/support/paths.h"

namespace recipelint::testing {
namespace {

constexpr const char* kUpdate = "RECIPELINT_UPDATE_GOLDEN";

std::optional<std::string> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool wants_update() {
  const char* const value = std::getenv(kUpdate);
  return value != nullptr && std::string_view(value) == "1";
}

::testing::AssertionResult update(std::string_view actual, const std::filesystem::path& path) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << actual;
  file.close();
  if (!file) return ::testing::AssertionFailure() << "cannot write " << path;
  return ::testing::AssertionSuccess();
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string first_difference(std::string_view expected, std::string_view actual) {
  for (int number = 1; !expected.empty() || !actual.empty(); ++number) {
    const std::string_view expected_line = take_line(expected);
    const std::string_view actual_line = take_line(actual);
    if (expected_line == actual_line) continue;
    return "line " + std::to_string(number) +
           "\n  expected: " + ::testing::PrintToString(std::string(expected_line)) +
           "\n  actual:   " + ::testing::PrintToString(std::string(actual_line));
  }
  return "only the final line break";
}

}  // namespace

::testing::AssertionResult matches_golden(std::string_view actual, std::string_view name) {
  const auto path = std::filesystem::path(source_dir()) / "tests" / "golden" / name;
  if (wants_update()) return update(actual, path);
  const std::optional<std::string> expected = read(path);
  if (!expected) return ::testing::AssertionFailure() << path << " does not exist";
  if (*expected == actual) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << name << " differs in " << first_difference(*expected, actual) << "\n(set " << kUpdate
         << "=1 to accept)";
}

void expect_golden(const std::string& path, std::string_view actual) {
  EXPECT_TRUE(matches_golden(actual, path));
}

}  // namespace recipelint::testing
