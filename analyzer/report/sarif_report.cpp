#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <utility>

#include "analyzer/findings/fingerprint.h"
#include "analyzer/report/escape.h"
#include "analyzer/report/json_text.h"
#include "analyzer/report/markdown_page.h"
#include "analyzer/report/place.h"
#include "analyzer/report/report.h"
#include "analyzer/text/utf8.h"

namespace recipelint::report {
namespace {

using findings::Finding;
using findings::Level;
using findings::Notification;
using findings::NotificationKind;
using findings::RuleDescription;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::string_view kSourceRoot = "SRCROOT";
/// Each rule has one message string, all of it the argument.
constexpr std::string_view kMessageId = "default";
/// The section of a rule's page that describes the rule.
constexpr std::string_view kDescriptionHeading = "## What it finds";
/// GitHub's limit for short and full descriptions is 1,024 characters.
constexpr std::size_t kLongestDescription = 1000;
/// A snippet of more bytes is left out: a hostile file can be one line of megabytes.
constexpr std::size_t kLongestSnippet = 2000;
constexpr std::uint32_t kContextLines = 2;
constexpr std::size_t kMostLogicalLocations = 20;

struct NotificationDescriptor {
  NotificationKind kind;
  std::string_view id;
  std::string_view text;
  std::string_view help;
};
/// In the order of NotificationKind.
constexpr std::array kNotificationDescriptors = {
    NotificationDescriptor{
        NotificationKind::kUnreadable, "RLN0001", "A file or folder could not be read.",
        "Nothing is reported about it. Give read permission, or leave it out of the run."},
    NotificationDescriptor{
        NotificationKind::kNotAnalysed, "RLN0002", "Something was read and could not be analysed.",
        "Findings that depend on it are missing. The message says what was in the way."},
    NotificationDescriptor{
        NotificationKind::kLimit, "RLN0003", "A budget ended an analysis early.",
        "Cells are partly analysed. Raise the budget, or simplify what the message names."},
};

std::string with_period(std::string text) {
  if (!text.ends_with('.')) text.push_back('.');
  return text;
}

/// "mutable-image-tag" -> "MutableImageTag".
std::string pascal_case(std::string_view name) {
  std::string out;
  bool at_word_start = true;
  for (const char c : name) {
    if (c == '-') {
      at_word_start = true;
      continue;
    }
    const bool lower = c >= 'a' && c <= 'z';
    out.push_back(at_word_start && lower ? static_cast<char>(c - 'a' + 'A') : c);
    at_word_start = false;
  }
  return out;
}

std::string_view problem_severity(Level level) {
  return level == Level::kNote ? "recommendation" : to_string(level);
}

Json rule_json(const Report& report, const RuleDescription& rule) {
  const std::string full =
      first_paragraph(below_heading(rule.page, kDescriptionHeading), kLongestDescription);
  const std::string& page = rule.page.empty() ? rule.summary : rule.page;
  Json object = {{"id", rule.id},
                 {"name", pascal_case(rule.name)},
                 {"shortDescription", {{"text", rule.summary}}},
                 {"fullDescription", {{"text", full.empty() ? rule.summary : full}}},
                 {"help", {{"text", page}, {"markdown", page}}}};
  if (!report.rule_page_base.empty()) {
    object["helpUri"] = report.rule_page_base + rule.id + report.rule_page_end;
  }
  object["messageStrings"] = {{kMessageId, {{"text", "{0}."}}}};
  object["defaultConfiguration"] = {{"enabled", true}, {"level", to_string(rule.level)}};
  Json tags = {"llm-inference"};
  if (!rule.group.empty()) tags.push_back(rule.group);
  object["properties"] = {{"tags", std::move(tags)},
                          {"precision", rule.precision},
                          {"problem.severity", problem_severity(rule.level)}};
  return object;
}

Json driver_json(const Report& report) {
  Json rules = Json::array();
  for (const RuleDescription& rule : report.rules) rules.push_back(rule_json(report, rule));
  Json notifications = Json::array();
  for (const NotificationDescriptor& descriptor : kNotificationDescriptors) {
    notifications.push_back({{"id", descriptor.id},
                             {"name", pascal_case(to_string(descriptor.kind))},
                             {"shortDescription", {{"text", descriptor.text}}},
                             {"fullDescription", {{"text", descriptor.text}}},
                             {"help", {{"text", descriptor.help}}}});
  }
  Json driver = {{"name", "recipelint"},
                 {"fullName", fmt::format("recipelint {}", report.version)},
                 {"organization", "recipelint"},
                 {"version", report.version},
                 {"semanticVersion", report.version}};
  if (!report.home_page.empty()) driver["informationUri"] = report.home_page;
  driver["rules"] = std::move(rules);
  driver["notifications"] = std::move(notifications);
  return driver;
}

/// Files are called relative to the root, and only those outside of it by an absolute path.
Json artifact_location(std::string_view path) {
  if (path.starts_with('/')) return {{"uri", "file://" + path_to_uri(path)}};
  return {{"uri", path_to_uri(path)}, {"uriBaseId", kSourceRoot}};
}

/// The region of exactly these bytes.
Json region_json(text::Span span) {
  const text::Position begin = span.file->position(span.begin, text::ColumnUnit::kUtf16);
  const text::Position end = span.file->position(span.end, text::ColumnUnit::kUtf16);
  return {{"startLine", begin.line},
          {"startColumn", begin.column},
          {"endLine", end.line},
          {"endColumn", end.column}};
}

void add_snippet(Json& region, text::Span span) {
  if (span.length() > kLongestSnippet) return;
  region["snippet"] = {{"text", text::to_valid_utf8(span.bytes())}};
}

/// Some whole lines around a place. Null if there are none to add, or they are too long.
Json context_region(text::Span span) {
  const text::SourceFile& file = *span.file;
  const std::uint32_t line = file.position(span.begin).line;
  const std::uint32_t first = line > kContextLines ? line - kContextLines : 1;
  const std::uint32_t last = std::min(line + kContextLines, file.line_count());
  const text::Span lines = file.line(first).joined_with(file.line(last));
  if (first == last || lines.length() > kLongestSnippet) return nullptr;
  Json region = {{"startLine", first}, {"endLine", last}};
  add_snippet(region, lines);
  return region;
}

Json physical_location(text::Span span) {
  const text::Span shown = trimmed(span);
  Json region = region_json(shown);
  add_snippet(region, shown);
  return {{"artifactLocation", artifact_location(span.file->path())}, {"region", region}};
}

/// GitHub demands a place; what has none belongs to the root.
Json root_location() {
  return {{"artifactLocation", artifact_location(".")}, {"region", {{"startLine", 1}}}};
}

Json primary_location(const Finding& finding) {
  if (!finding.primary.valid()) return {{"physicalLocation", root_location()}};
  const text::Span span = in_first_line(finding.primary);
  Json physical = physical_location(span);
  if (Json context = context_region(span); !context.is_null()) {
    physical["contextRegion"] = std::move(context);
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json location_json(const Finding& finding) {
  Json location = primary_location(finding);
  Json logical = Json::array();
  for (const std::string& cell : finding.cells) {
    if (logical.size() == kMostLogicalLocations) break;
    logical.push_back({{"fullyQualifiedName", cell}, {"kind", "resource"}});
  }
  if (!logical.empty()) location["logicalLocations"] = std::move(logical);
  return location;
}

/// The related places that can be shown; their ids are their numbers here, from 1.
std::vector<const findings::Related*> shown_related(const Finding& finding) {
  std::vector<const findings::Related*> shown;
  for (const findings::Related& related : finding.related) {
    if (related.span.valid()) shown.push_back(&related);
  }
  return shown;
}

std::string label_of(const findings::Related& related) {
  return related.label.empty() ? "related place" : related.label;
}

/// " See [label](1) and [label](2)." GitHub shows related places only if the message links them.
std::string links(const Finding& finding, std::string (*escape)(std::string_view)) {
  const auto related = shown_related(finding);
  std::string text;
  for (std::size_t i = 0; i < related.size(); ++i) {
    const char* separator = i == 0 ? " See " : i + 1 == related.size() ? " and " : ", ";
    text += fmt::format("{}[{}]({})", separator, escape(label_of(*related[i])), i + 1);
  }
  return text.empty() ? text : text + ".";
}

std::string message_text(const Finding& finding) {
  std::string text = with_period(sarif_text(finding.message)) + links(finding, sarif_link_text);
  for (const std::string& remedy : finding.remedies) {
    text += fmt::format("\nHelp: {}", with_period(sarif_text(remedy)));
  }
  return text;
}

void append_list(std::string& text, std::string_view title, std::string_view marker,
                 const std::vector<std::string>& items) {
  if (items.empty()) return;
  text += fmt::format("\n\n{}:\n\n", title);
  for (const std::string& item : items) text += fmt::format("{} {}\n", marker, markdown_text(item));
  text.pop_back();
}

std::string message_markdown(const Finding& finding) {
  std::string text = markdown_text(with_period(finding.message)) + links(finding, markdown_text);
  append_list(text, "Remedies, best first", "1.", finding.remedies);
  append_list(text, "Facts used", "-", finding.facts);
  return text;
}

/// The text, which GitHub demands, and the same by its id, as others prefer it.
Json message_json(const Finding& finding) {
  std::string text = message_text(finding);
  Json message = {{"text", text}, {"markdown", message_markdown(finding)}, {"id", kMessageId}};
  text.pop_back();  // the period that the message string has
  message["arguments"] = Json::array({std::move(text)});
  return message;
}

Json related_locations(const Finding& finding) {
  Json list = Json::array();
  for (const findings::Related* related : shown_related(finding)) {
    list.push_back({{"id", list.size() + 1},
                    {"physicalLocation", physical_location(related->span)},
                    {"message", {{"text", sarif_text(label_of(*related))}}}});
  }
  return list;
}

/// The steps of the flow as one thread; null if none can be shown.
Json code_flows(const Finding& finding) {
  Json steps = Json::array();
  for (const findings::FlowStep& step : finding.flow) {
    if (!step.span.valid()) continue;
    steps.push_back({{"location",
                      {{"physicalLocation", physical_location(step.span)},
                       {"message", {{"text", sarif_text(step.text)}}}}}});
  }
  if (steps.empty()) return nullptr;
  Json thread = {{"locations", std::move(steps)}};
  Json flow = {{"threadFlows", Json::array({std::move(thread)})}};
  return Json::array({std::move(flow)});
}

Json fix_json(const findings::Fix& fix) {
  Json replacement = {{"deletedRegion", region_json(fix.span)},
                      {"insertedContent", {{"text", fix.replacement}}}};
  Json change = {{"artifactLocation", artifact_location(fix.span.file->path())},
                 {"replacements", Json::array({std::move(replacement)})}};
  return {{"description", {{"text", sarif_text(fix.description)}}},
          {"artifactChanges", Json::array({std::move(change)})}};
}

Json fixes_json(const Finding& finding) {
  Json fixes = Json::array();
  for (const findings::Fix& fix : finding.fixes) {
    // JSON can only hold text, and an altered replacement would be a wrong one.
    const bool is_text = text::to_valid_utf8(fix.replacement) == fix.replacement;
    if (fix.span.valid() && is_text) fixes.push_back(fix_json(fix));
  }
  return fixes;
}

void add_unless_empty(Json& object, const char* key, Json value) {
  if (!value.empty()) object[key] = std::move(value);
}

Json properties_json(const Finding& finding) {
  Json properties = {{"cellCount", finding.cells.size()}, {"cells", finding.cells}};
  add_unless_empty(properties, "remedies", finding.remedies);
  add_unless_empty(properties, "facts", finding.facts);
  return properties;
}

class SarifWriter {
 public:
  explicit SarifWriter(const Report& report) : report_(report) {}

  Json log() {
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run()})}};
  }

 private:
  Json run() {
    Json object = {{"tool", {{"driver", driver_json(report_)}}},
                   {"invocations", Json::array({invocation()})}};
    if (report_.version_control) {
      object["versionControlProvenance"] = Json::array({provenance(*report_.version_control)});
    }
    const std::string_view separator = report_.category.empty() ? "" : "/";
    object["automationDetails"] = {
        {"id", fmt::format("recipelint/{}{}", report_.category, separator)}};
    object["originalUriBaseIds"] = {
        {kSourceRoot, {{"description", {{"text", "The root of the analysed files."}}}}}};
    object["columnKind"] = "utf16CodeUnits";
    Json results = Json::array();
    for (const Finding& finding : report_.findings) results.push_back(result(finding));
    for (const Suppressed& suppressed : report_.suppressed) {
      results.push_back(suppressed_result(suppressed));
    }
    object["results"] = std::move(results);
    return object;
  }

  static Json provenance(const VersionControl& version_control) {
    Json object = {{"repositoryUri", version_control.repository_uri},
                   {"revisionId", version_control.revision}};
    if (!version_control.branch.empty()) object["branch"] = version_control.branch;
    object["mappedTo"] = {{"uriBaseId", kSourceRoot}};
    return object;
  }

  Json invocation() const {
    bool successful = true;
    Json notifications = Json::array();
    for (const Notification& notification : report_.notifications) {
      successful = successful && notification.level != Level::kError;
      notifications.push_back(notification_json(notification));
    }
    Json object = {{"executionSuccessful", successful}};
    add_unless_empty(object, "toolExecutionNotifications", std::move(notifications));
    return object;
  }

  static Json notification_json(const Notification& notification) {
    const auto index = static_cast<std::size_t>(notification.kind);
    Json object = {{"descriptor", {{"id", kNotificationDescriptors[index].id}, {"index", index}}},
                   {"level", to_string(notification.level)},
                   {"message", {{"text", with_period(sarif_text(notification.message))}}}};
    Json physical;
    if (notification.where.valid()) {
      physical = physical_location(notification.where);
    } else if (!notification.path.empty()) {
      physical["artifactLocation"] = artifact_location(notification.path);
    }
    if (!physical.is_null()) {
      Json location = {{"physicalLocation", std::move(physical)}};
      object["locations"] = Json::array({std::move(location)});
    }
    return object;
  }

  Json result(const Finding& finding) {
    Json object = {{"ruleId", finding.rule}};
    if (const RuleDescription* rule = find_rule(report_, finding.rule)) {
      object["ruleIndex"] = rule - report_.rules.data();
    }
    object["level"] = to_string(finding.level);
    object["kind"] = "fail";
    object["message"] = message_json(finding);
    object["locations"] = Json::array({location_json(finding)});
    add_unless_empty(object, "relatedLocations", related_locations(finding));
    add_unless_empty(object, "codeFlows", code_flows(finding));
    object["partialFingerprints"] = fingerprints(finding);
    add_unless_empty(object, "fixes", fixes_json(finding));
    object["properties"] = properties_json(finding);
    return object;
  }

  Json suppressed_result(const Suppressed& suppressed) {
    Json object = result(suppressed.finding);
    const bool by_comment = suppressed.kind == Suppressed::Kind::kComment;
    Json suppression = {{"kind", by_comment ? "inSource" : "external"}, {"status", "accepted"}};
    if (!suppressed.reason.empty()) {
      suppression["justification"] = text::to_valid_utf8(suppressed.reason);
    }
    object["suppressions"] = Json::array({std::move(suppression)});
    return object;
  }

  Json fingerprints(const Finding& finding) {
    Json object = Json::object();
    if (finding.primary.valid()) object["primaryLocationLineHash"] = hashes_.at(finding.primary);
    object["recipelint/v1"] = finding.fingerprint;
    return object;
  }

  const Report& report_;
  findings::LineHashCache hashes_;
};

}  // namespace

void write_sarif(const Report& report, std::ostream& out) {
  out << to_text(SarifWriter(report).log(), kIndented) << "\n";
}

}  // namespace recipelint::report
