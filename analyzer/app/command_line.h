#pragma once

#include <iosfwd>
#include <span>
#include <string>

namespace recipelint::app {

/// Exit codes; the same for every output format.
enum ExitCode : int {
  kClean = 0,       // nothing at or above --fail-on
  kFindings = 1,    // at least one finding at or above --fail-on
  kUsage = 2,       // wrong usage or configuration
  kUnreadable = 3,  // something could not be read or analysed at all
};

/// What the process gives to the command line.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
};

/// Runs one command (arguments without the program name) and gives its exit code.
int run(std::span<const std::string> arguments, const Streams& streams);

}  // namespace recipelint::app
