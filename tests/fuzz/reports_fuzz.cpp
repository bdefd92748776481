// Reports about made-up names, messages and places: the input, between lines "%", is a path, the
// file with that path, a message and a cell. Every format stays what it is.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "analyzer/findings/collect.h"
#include "analyzer/report/report.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/utf8.h"
#include "tests/fuzz/targets.h"
#include "tests/support/xml.h"

namespace recipelint::fuzz {
namespace {

/// What stands in one line of a terminal or a log: no control character, nothing that is no text.
void demand_plain(const std::string& document) {
  demand(text::to_valid_utf8(document) == document, "a document is UTF-8");
  for (const char c : document) {
    const auto byte = static_cast<unsigned char>(c);
    demand(c == '\n' || (byte >= 0x20 && byte != 0x7F), "no control characters");
  }
  for (const char* command : {"##[error]", "##[group]", "##[add-mask]", "##[add-matcher]"}) {
    demand(document.find(command) == std::string::npos, "no old workflow command");
  }
}

void demand_annotations(const std::string& document) {
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    const bool is_ours = line.starts_with("::error ") || line.starts_with("::warning ") ||
                         line.starts_with("::notice ");
    demand(is_ours, "every line is an annotation");
  }
}

void demand_well_formed(std::string_view format, const std::string& document) {
  if (format == "json" || format == "sarif" || format == "gitlab") {
    demand(nlohmann::json::accept(document), "JSON parses");
    return;
  }
  demand_plain(document);
  if (format == "junit") demand(testing::xml_error(document).empty(), "XML parses");
  if (format == "github") demand_annotations(document);
}

}  // namespace

void reports(std::string_view input) {
  const auto parts = parts_of(input, 4);
  const text::SourceFile file{std::string(parts[0]), std::string(parts[1])};
  const auto size = static_cast<std::uint32_t>(file.bytes().size());
  findings::Finding finding;
  finding.rule = "RL3001";
  finding.message = parts[2];
  finding.primary = file.span(size / 3, size / 2);
  finding.related = {{file.whole(), std::string(parts[3])}};
  finding.flow = {{file.span(0, size / 4), std::string(parts[2])}};
  finding.fixes = {{file.span(size / 2, size), std::string(parts[1]), std::string(parts[3])}};
  finding.cells = {std::string(parts[3])};
  finding.remedies = {std::string(parts[2])};
  finding.facts = {std::string(parts[3])};
  finding.identity = parts[3];
  findings::Collector collector;
  collector.report(finding);
  report::Report report;
  report.root = parts[0];
  report.findings = collector.take();
  report.notifications = {{findings::NotificationKind::kLimit, findings::Level::kError,
                           std::string(parts[2]), std::string(parts[0]), file.span(0, size)}};
  for (const report::Format& format : report::formats()) {
    std::ostringstream out;
    format.write(report, {}, out);
    demand_well_formed(format.name, out.str());
  }
}

}  // namespace recipelint::fuzz
