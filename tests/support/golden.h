#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace recipelint::testing {

/// Compares text with a file, `name` below tests/golden or an absolute path, and names the first
/// line that differs. With RECIPELINT_UPDATE_GOLDEN=1 in the environment the file is written
/// instead, to be reviewed as a difference of the repository.
::testing::AssertionResult matches_golden(std::string_view actual, std::string_view name);

/// The same as an expectation: the test fails unless the file at `path` holds `actual`.
void expect_golden(const std::string& path, std::string_view actual);

}  // namespace recipelint::testing
