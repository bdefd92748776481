#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace recipelint::testing {

/// Compares text with the file `name` below tests/golden and names the first line that differs.
/// With RECIPELINT_UPDATE_GOLDEN=1 in the environment the file is written instead, to be reviewed
/// as a difference of the repository.
::testing::AssertionResult matches_golden(std::string_view actual, std::string_view name);

}  // namespace recipelint::testing
