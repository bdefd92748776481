#pragma once

#include <string>
#include <vector>

namespace recipelint::testing {

/// What one run of the program gave, and what it took.
struct BoundedRun {
  /// Of the process; -1 if a signal ended it.
  int code = 0;
  std::string out;
  std::string err;
  double seconds = 0;    // of processor time
  double mebibytes = 0;  // the most that was resident
};

/// Runs the built program as a process of its own, which is stopped after a minute of processor
/// time. `redirection` is shell text behind the command: ">/dev/full".
BoundedRun run_bounded(const std::vector<std::string>& arguments,
                       const std::string& redirection = "");

/// Sanitizers take several times the memory and time: bounds for them say nothing.
constexpr bool measures_tell() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#else
  return true;
#endif
}

}  // namespace recipelint::testing
