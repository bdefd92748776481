#include <fmt/format.h>

#include <ostream>

#include "analyzer/findings/collect.h"
#include "analyzer/report/escape.h"
#include "analyzer/report/place.h"
#include "analyzer/report/report.h"
#include "analyzer/report/visible.h"

namespace recipelint::report {
namespace {

std::string path_or_root(text::Span span, std::string_view path) {
  if (span.valid()) return span.file->path();
  return std::string(path.empty() ? "." : path);
}

/// One line each; a line break inside one is made visible.
std::string details(const findings::Finding& finding) {
  std::string text;
  const auto add = [&text](std::string_view name, std::string_view value) {
    text += xml_text(without_leading_command(fmt::format("{}: {}", name, value))) + "\n";
  };
  if (finding.primary.valid()) add("at", location(finding.primary));
  for (const findings::Related& related : finding.related) {
    if (related.span.valid()) add(location(related.span), related.label);
  }
  for (const std::string& remedy : finding.remedies) add("help", remedy);
  for (const std::string& cell : finding.cells) add("cell", cell);
  return text;
}

void write_case(const findings::Finding& finding, std::ostream& out) {
  const std::string place = finding.primary.valid() ? location(finding.primary) : ".";
  out << fmt::format("    <testcase name=\"{}\" classname=\"{}\">\n",
                     xml_text(fmt::format("{} {}", finding.rule, place)),
                     xml_text(path_or_root(finding.primary, "")));
  if (finding.level == findings::Level::kNote) {
    out << fmt::format("      <skipped message=\"{}\"/>\n", xml_text(finding.message));
  } else {
    out << fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n",
                       xml_text(finding.message), to_string(finding.level), details(finding));
  }
  out << "    </testcase>\n";
}

void write_case(const findings::Notification& notification, std::ostream& out) {
  const std::string path = path_or_root(notification.where, notification.path);
  out << fmt::format(
      "    <testcase name=\"{0} {1}\" classname=\"{1}\">\n"
      "      <error message=\"{2}\" type=\"{0}\"/>\n"
      "    </testcase>\n",
      to_string(notification.kind), xml_text(path), xml_text(notification.message));
}

}  // namespace

void write_junit(const Report& report, std::ostream& out) {
  const findings::LevelCounts counts = findings::count_levels(report.findings);
  const std::size_t cases = report.findings.size() + report.notifications.size();
  // Readers of JUnit take a document without any test for a failed run.
  const std::string totals = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", cases == 0 ? 1 : cases,
      counts.errors + counts.warnings, report.notifications.size(), counts.notes);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      << fmt::format("<testsuites name=\"recipelint\" {}>\n", totals)
      << fmt::format("  <testsuite name=\"recipelint\" {}>\n", totals);
  for (const findings::Finding& finding : report.findings) write_case(finding, out);
  for (const findings::Notification& notification : report.notifications) {
    write_case(notification, out);
  }
  if (cases == 0) out << "    <testcase name=\"no findings\" classname=\"recipelint\"/>\n";
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace recipelint::report
