#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/text/span.h"

namespace recipelint::findings {

enum class NotificationKind : std::uint8_t {
  /// A file or folder could not be read.
  kUnreadable,
  /// Something was read and could not be analysed.
  kNotAnalysed,
  /// A budget ended an analysis early.
  kLimit,
};

/// "unreadable-input", "not-analysed" or "analysis-limit".
std::string_view to_string(NotificationKind kind);

/// Something about the run itself, not about a recipe. At Level::kError the result is incomplete in
/// a way that the exit code must tell.
struct Notification {
  NotificationKind kind = NotificationKind::kNotAnalysed;
  Level level = Level::kWarning;
  std::string message;
  /// The file concerned, relative to the root; empty for none.
  std::string path;
  /// The place in it, if there is one.
  text::Span where;
};

/// Sorts by path, place, kind, level and message, and drops repetitions.
void normalize(std::vector<Notification>& notifications);

}  // namespace recipelint::findings
