#pragma once

#include <cstdint>
#include <string>

namespace recipelint::yaml {

/// Thrown to get out of yaml-cpp, and caught by Document::parse() only.
struct Failure {
  std::string message;
  /// Bytes of the file.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

}  // namespace recipelint::yaml
