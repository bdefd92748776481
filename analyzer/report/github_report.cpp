#include <fmt/format.h>

#include <ostream>

#include "analyzer/report/escape.h"
#include "analyzer/report/place.h"
#include "analyzer/report/report.h"

namespace recipelint::report {
namespace {

std::string_view command(findings::Level level) {
  switch (level) {
    case findings::Level::kError:
      return "error";
    case findings::Level::kWarning:
      return "warning";
    case findings::Level::kNote:
      return "notice";
  }
  return "";
}

/// "file=...,line=...," of a place; without one the annotation belongs to the whole run.
std::string place_properties(text::Span span, std::string_view path) {
  if (!span.valid()) {
    return path.empty() ? "" : fmt::format("file={},", github_property(path));
  }
  const Place place = place_of(in_first_line(span));
  return fmt::format("file={},line={},endLine={},col={},endColumn={},", github_property(place.path),
                     place.line, place.end_line, place.column, place.end_column);
}

std::string title(const Report& report, const findings::Finding& finding) {
  const findings::RuleDescription* rule = find_rule(report, finding.rule);
  return rule == nullptr ? finding.rule : fmt::format("{} {}", rule->id, rule->name);
}

std::string body(const findings::Finding& finding) {
  std::string text = finding.message;
  for (const std::string& remedy : finding.remedies) text += fmt::format("\nhelp: {}", remedy);
  return text;
}

}  // namespace

void write_github(const Report& report, std::ostream& out) {
  for (const findings::Finding& finding : report.findings) {
    out << fmt::format("::{} {}title={}::{}\n", command(finding.level),
                       place_properties(finding.primary, ""),
                       github_property(title(report, finding)), github_message(body(finding)));
  }
  for (const findings::Notification& notification : report.notifications) {
    out << fmt::format("::{} {}title={}::{}\n", command(notification.level),
                       place_properties(notification.where, notification.path),
                       to_string(notification.kind), github_message(notification.message));
  }
}

}  // namespace recipelint::report
