#pragma once

#include <string>
#include <vector>

namespace recipelint::testing {

/// What one run of the command line gave.
struct CommandResult {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs recipelint in this process, with the given standard input.
CommandResult run_command(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace recipelint::testing
