#include <fmt/format.h>

#include <ostream>

#include "analyzer/report/place.h"
#include "analyzer/report/report.h"
#include "analyzer/report/visible.h"

namespace recipelint::report {
namespace {

/// Every line has a place, so that one pattern matches all of them.
std::string place_or_root(text::Span span, std::string_view path) {
  if (span.valid()) return location(span);
  return visible(fmt::format("{}:1:1", path.empty() ? "." : path));
}

void write_line(std::string_view place, findings::Level level, std::string_view id,
                std::string_view message, std::ostream& out) {
  out << without_leading_command(
      fmt::format("{}: {}[{}]: {}\n", place, to_string(level), id, visible(message)));
}

}  // namespace

void write_unix(const Report& report, std::ostream& out) {
  for (const findings::Finding& finding : report.findings) {
    write_line(place_or_root(finding.primary, ""), finding.level, finding.rule, finding.message,
               out);
  }
  for (const findings::Notification& notification : report.notifications) {
    write_line(place_or_root(notification.where, notification.path), notification.level,
               to_string(notification.kind), notification.message, out);
  }
}

}  // namespace recipelint::report
