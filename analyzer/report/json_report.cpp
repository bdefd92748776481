#include <ostream>

#include "analyzer/findings/collect.h"
#include "analyzer/report/json_text.h"
#include "analyzer/report/place.h"
#include "analyzer/report/report.h"

namespace recipelint::report {
namespace {

Json summary_json(const Report& report) {
  const findings::LevelCounts counts = findings::count_levels(report.findings);
  const Summary& summary = report.summary;
  Json unevaluated = Json::array();
  for (const Unevaluated& entry : summary.unevaluated) {
    unevaluated.push_back({{"rule", entry.rule}, {"cause", entry.cause}, {"cells", entry.cells}});
  }
  return {{"files", summary.files},
          {"cells", summary.cells},
          {"cells_evaluated", summary.cells_evaluated},
          {"cells_partial", summary.cells_partial},
          {"errors", counts.errors},
          {"warnings", counts.warnings},
          {"notes", counts.notes},
          {"suppressed", summary.suppressed},
          {"unevaluated", std::move(unevaluated)}};
}

/// All null for a finding that has no place in a file.
void add_place(Json& object, text::Span span) {
  if (!span.valid()) {
    for (const char* key : {"file", "line", "column", "end_line", "end_column"}) {
      object[key] = nullptr;
    }
    return;
  }
  const Place place = place_of(span);
  object["file"] = place.path;
  object["line"] = place.line;
  object["column"] = place.column;
  object["end_line"] = place.end_line;
  object["end_column"] = place.end_column;
}

Json related_json(const std::vector<findings::Related>& related) {
  Json list = Json::array();
  for (const findings::Related& entry : related) {
    if (!entry.span.valid()) continue;
    const Place place = place_of(entry.span);
    list.push_back({{"label", entry.label},
                    {"file", place.path},
                    {"line", place.line},
                    {"column", place.column}});
  }
  return list;
}

Json finding_json(const Report& report, const findings::Finding& finding) {
  const findings::RuleDescription* rule = find_rule(report, finding.rule);
  Json object = {{"rule", finding.rule},
                 {"name", rule == nullptr ? "" : rule->name},
                 {"level", to_string(finding.level)},
                 {"message", finding.message}};
  add_place(object, finding.primary);
  object["cells"] = finding.cells;
  object["related"] = related_json(finding.related);
  object["remedies"] = finding.remedies;
  object["facts"] = finding.facts;
  object["fingerprint"] = finding.fingerprint;
  return object;
}

Json suppressed_json(const Report& report, const Suppressed& suppressed) {
  Json object = finding_json(report, suppressed.finding);
  const bool by_comment = suppressed.kind == Suppressed::Kind::kComment;
  object["suppression"] = {{"kind", by_comment ? "comment" : "baseline"},
                           {"reason", suppressed.reason}};
  return object;
}

Json notification_json(const findings::Notification& notification) {
  Json object = {{"kind", to_string(notification.kind)},
                 {"level", to_string(notification.level)},
                 {"message", notification.message},
                 {"file", nullptr},
                 {"line", nullptr}};
  if (!notification.path.empty()) object["file"] = notification.path;
  if (notification.where.valid()) {
    const Place place = place_of(notification.where);
    object["file"] = place.path;
    object["line"] = place.line;
  }
  return object;
}

/// One element a line: documents stay readable, and a difference between two shows whole findings.
template <typename T, typename ToJson>
void write_list(std::string_view key, const std::vector<T>& items, ToJson to_json,
                std::ostream& out) {
  out << ",\n\"" << key << "\":[";
  const char* separator = "\n";
  for (const T& item : items) {
    out << separator << to_text(to_json(item), kCompact);
    separator = ",\n";
  }
  out << (items.empty() ? "]" : "\n]");
}

}  // namespace

void write_json(const Report& report, std::ostream& out) {
  out << "{\"schema\":\"recipelint/1\",\"version\":" << to_text(report.version, kCompact)
      << ",\"root\":" << to_text(report.root, kCompact)
      << ",\n\"summary\":" << to_text(summary_json(report), kCompact);
  write_list(
      "findings", report.findings,
      [&report](const findings::Finding& finding) { return finding_json(report, finding); }, out);
  if (!report.suppressed.empty()) {
    write_list(
        "suppressed", report.suppressed,
        [&report](const Suppressed& suppressed) { return suppressed_json(report, suppressed); },
        out);
  }
  if (!report.notifications.empty()) {
    write_list("notifications", report.notifications, notification_json, out);
  }
  out << "}\n";
}

}  // namespace recipelint::report
