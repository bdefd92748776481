#include <ostream>

#include "analyzer/findings/fingerprint.h"
#include "analyzer/report/json_text.h"
#include "analyzer/report/place.h"
#include "analyzer/report/report.h"
#include "analyzer/report/visible.h"

namespace recipelint::report {
namespace {

std::string_view severity(findings::Level level) {
  switch (level) {
    case findings::Level::kError:
      return "critical";
    case findings::Level::kWarning:
      return "major";
    case findings::Level::kNote:
      return "info";
  }
  return "";
}

/// GitLab demands a place; what has none belongs to the root.
Json location_json(text::Span span, const std::string& path) {
  if (!span.valid()) {
    return {{"path", path.empty() ? "." : path}, {"lines", {{"begin", 1}, {"end", 1}}}};
  }
  const Place place = place_of(span);
  return {{"path", place.path}, {"lines", {{"begin", place.line}, {"end", place.end_line}}}};
}

Json issue(const findings::Finding& finding) {
  return {{"description", visible(finding.message)},
          {"check_name", finding.rule},
          {"fingerprint", finding.fingerprint},
          {"severity", severity(finding.level)},
          {"location", location_json(finding.primary, "")}};
}

Json issue(const findings::Notification& notification) {
  const std::string_view kind = to_string(notification.kind);
  return {{"description", visible(notification.message)},
          {"check_name", kind},
          {"fingerprint", findings::stable_hash({kind, notification.path, notification.message})},
          {"severity", severity(notification.level)},
          {"location", location_json(notification.where, notification.path)}};
}

}  // namespace

void write_gitlab(const Report& report, std::ostream& out) {
  Json issues = Json::array();
  for (const findings::Finding& finding : report.findings) issues.push_back(issue(finding));
  for (const findings::Notification& notification : report.notifications) {
    issues.push_back(issue(notification));
  }
  out << to_text(issues, kIndented) << "\n";
}

}  // namespace recipelint::report
