#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "analyzer/findings/collect.h"
#include "analyzer/report/escape.h"
#include "analyzer/report/natural_order.h"
#include "analyzer/report/place.h"
#include "analyzer/report/report.h"
#include "analyzer/report/snippet.h"
#include "analyzer/report/style.h"
#include "analyzer/report/visible.h"

namespace recipelint::report {
namespace {

using findings::Finding;
using findings::Level;
using findings::Notification;

constexpr std::size_t kNarrowest = 40;
/// Places in one file that are at most so many lines apart share a snippet.
constexpr std::uint32_t kNearLines = 8;
/// Of what could not be evaluated so many entries are listed; the json format has all of them.
constexpr std::size_t kUnevaluatedShown = 8;

/// 1172 -> "1,172".
std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

/// "1 note", "2 notes".
std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += ", ";
    out += part;
  }
  return out;
}

std::uint32_t line_of(text::Span span) {
  return span.file->position(span.begin).line;
}

std::size_t digits_of(std::uint32_t number) {
  return std::to_string(number).size();
}

/// Annotations that are shown in one snippet.
struct Cluster {
  std::vector<Annotation> annotations;

  bool takes(text::Span span) const {
    return std::ranges::any_of(annotations, [span](const Annotation& annotation) {
      if (annotation.span.file->path() != span.file->path()) return false;
      const std::uint32_t a = line_of(annotation.span);
      const std::uint32_t b = line_of(span);
      return std::max(a, b) - std::min(a, b) <= kNearLines;
    });
  }
};

/// The primary place comes first, the others in the order of the finding.
std::vector<Cluster> clusters(const Finding& finding) {
  std::vector<Cluster> out;
  const auto add = [&out](Annotation annotation) {
    const auto near = std::ranges::find_if(
        out, [&annotation](const Cluster& cluster) { return cluster.takes(annotation.span); });
    Cluster& cluster = near == out.end() ? out.emplace_back() : *near;
    cluster.annotations.push_back(std::move(annotation));
  };
  if (finding.primary.valid()) add({finding.primary, "", '^', style_of(finding.level)});
  for (const findings::Related& related : finding.related) {
    if (related.span.valid()) add({related.span, related.label, '-', Style::kFrame});
  }
  return out;
}

/// The finding with what suppresses it behind its first sentence.
Finding with_remark(const Suppressed& suppressed) {
  Finding finding = suppressed.finding;
  const bool by_comment = suppressed.kind == Suppressed::Kind::kComment;
  std::string remark = by_comment ? "suppressed by a comment" : "suppressed by the baseline";
  if (!suppressed.reason.empty()) remark += fmt::format(": {}", suppressed.reason);
  finding.related.push_back({{}, std::move(remark)});
  return finding;
}

class TextWriter {
 public:
  TextWriter(const Report& report, const TextOptions& options, std::ostream& out)
      : report_(report),
        options_(options),
        width_(std::max(options.width, kNarrowest)),
        painter_(options.color),
        out_(out) {}

  void write() {
    for (const Level level : {Level::kError, Level::kWarning, Level::kNote}) {
      for (const Finding& finding : report_.findings) {
        if (finding.level == level) write_finding(finding);
      }
    }
    for (const Suppressed& suppressed : report_.suppressed) {
      write_finding(with_remark(suppressed));
    }
    for (const Notification& notification : report_.notifications) {
      write_notification(notification);
    }
    if (!options_.summary) return;
    write_unevaluated();
    write_summary();
  }

 private:
  void write_finding(const Finding& finding) {
    const Sentences message = split_first_sentence(finding.message);
    write_title(finding.level, finding.rule, rule_page(finding.rule), message.first);
    const std::size_t gutter = write_snippets(finding);
    const std::string indent(gutter, ' ');
    if (!message.rest.empty()) write_remark(indent, "note", message.rest);
    for (const findings::Related& related : finding.related) {
      if (!related.span.valid()) write_remark(indent, "note", related.label);
    }
    write_flow(indent, finding);
    write_cells(indent, finding);
    for (const std::string& remedy : finding.remedies) write_remark(indent, "help", remedy);
    for (const findings::Fix& fix : finding.fixes) write_remark(indent, "fix", fix.description);
    for (const std::string& fact : finding.facts) write_remark(indent, "fact", fact);
    out_ << "\n";
  }

  /// "warning[RL3001]: message", further lines below the message.
  void write_title(Level level, std::string_view id, std::string_view page,
                   std::string_view message) {
    const std::string shown_id = visible(id);
    const std::string tag = fmt::format("{}[{}]", to_string(level), shown_id);
    const std::size_t indent = columns_of(tag) + 2;
    const Style style = style_of(level);
    out_ << painter_.paint(style, fmt::format("{}[", to_string(level)))
         << painter_.link(painter_.paint(style, shown_id), page) << painter_.paint(style, "]")
         << painter_.paint(Style::kStrong, ": ");
    write_wrapped(indent, message, Style::kStrong);
  }

  /// Text in lines that start at a column, the first of which has been reached.
  void write_wrapped(std::size_t column, std::string_view text, Style style) {
    const std::string indent(column, ' ');
    const char* separator = "";
    for (const std::string& line : wrap(visible(text), width_ - std::min(column, width_ / 2))) {
      out_ << separator << (separator[0] == '\0' ? "" : indent) << painter_.paint(style, line);
      separator = "\n";
    }
    out_ << "\n";
  }

  /// Gives the width of the line numbers.
  std::size_t write_snippets(const Finding& finding) {
    const std::vector<Cluster> all = clusters(finding);
    const std::size_t shown =
        std::min(all.size(), std::max<std::size_t>(options_.snippets_shown, 1));
    std::size_t gutter = 1;
    for (const Cluster& cluster : std::span(all).first(shown)) {
      for (const Annotation& annotation : cluster.annotations) {
        gutter = std::max(gutter, digits_of(line_of(annotation.span)));
      }
    }
    const SnippetLayout layout{painter_, gutter, width_};
    const char* arrow = finding.primary.valid() ? "-->" : ":::";
    for (const Cluster& cluster : std::span(all).first(shown)) {
      write_location(gutter, arrow, location(cluster.annotations.front().span));
      out_ << framed("", layout) << render_snippet(cluster.annotations, layout)
           << framed("", layout);
      arrow = ":::";
    }
    name_places(gutter, std::span(all).subspan(shown));
    return gutter;
  }

  /// "::: path:line:column: label" for places without a snippet.
  void name_places(std::size_t gutter, std::span<const Cluster> clusters) {
    std::size_t named = 0;
    std::size_t left = 0;
    for (const Cluster& cluster : clusters) {
      for (const Annotation& annotation : cluster.annotations) {
        if (named == options_.places_named) {
          ++left;
          continue;
        }
        ++named;
        write_location(gutter, ":::", location(annotation.span));
        if (!annotation.label.empty()) write_label(gutter, annotation.label);
      }
    }
    if (left > 0) {
      write_location(gutter, ":::", fmt::format("and {} more place{}", left, left == 1 ? "" : "s"));
    }
  }

  void write_label(std::size_t gutter, std::string_view label) {
    const std::size_t column = gutter + 5;
    out_ << std::string(column, ' ');
    write_wrapped(column, label, Style::kPlain);
  }

  void write_location(std::size_t gutter, std::string_view arrow, std::string_view place) {
    out_ << std::string(gutter, ' ') << painter_.paint(Style::kFrame, arrow) << " " << place
         << "\n";
  }

  /// " = help: text".
  void write_remark(const std::string& indent, std::string_view name, std::string_view text) {
    out_ << indent << painter_.paint(Style::kFrame, " = ")
         << painter_.paint(Style::kStrong, fmt::format("{}:", name)) << " ";
    write_wrapped(indent.size() + name.size() + 5, text, Style::kPlain);
  }

  void write_flow(const std::string& indent, const Finding& finding) {
    constexpr std::string_view kName = "flow";
    std::size_t number = 0;
    for (const std::string& step : flow_lines(finding)) {
      const std::string text = fmt::format("{}. {}", ++number, step);
      if (number == 1) {
        write_remark(indent, kName, text);
        continue;
      }
      const std::size_t column = indent.size() + kName.size() + 5;
      out_ << std::string(column, ' ');
      write_wrapped(column, text, Style::kPlain);
    }
  }

  /// Steps at one place are one line.
  std::vector<std::string> flow_lines(const Finding& finding) const {
    std::vector<std::string> lines;
    text::Span before;
    for (const findings::FlowStep& step : finding.flow) {
      if (!lines.empty() && step.span.valid() && step.span == before) {
        lines.back() += ", " + step.text;
      } else {
        const std::string place = step.span.valid() ? location(step.span) + ": " : "";
        lines.push_back(place + step.text);
      }
      before = step.span;
    }
    return lines;
  }

  void write_cells(const std::string& indent, const Finding& finding) {
    if (finding.cells.empty()) return;
    const std::size_t all = finding.cells.size();
    // "and 1 more" would be no shorter than the name it stands for.
    const std::size_t shown = all <= options_.cells_shown + 1 ? all : options_.cells_shown;
    std::vector<std::string> cells = finding.cells;
    std::ranges::sort(cells, before_by_number);
    cells.resize(shown);
    std::string text = joined(cells);
    if (shown < all) text += fmt::format(" and {} more", grouped(all - shown));
    write_remark(indent, "cells", text);
  }

  void write_notification(const Notification& notification) {
    write_title(notification.level, to_string(notification.kind), "", notification.message);
    if (notification.where.valid()) {
      write_location(1, "-->", location(notification.where));
    } else if (!notification.path.empty()) {
      write_location(1, "-->", visible(notification.path));
    }
    out_ << "\n";
  }

  void write_unevaluated() {
    const auto& all = report_.summary.unevaluated;
    const std::size_t shown = std::min(all.size(), kUnevaluatedShown);
    for (std::size_t i = 0; i < shown; ++i) {
      constexpr std::string_view kTitle = "not evaluated: ";
      out_ << painter_.paint(Style::kStrong, kTitle);
      write_wrapped(
          kTitle.size(),
          fmt::format("{} in {}: {}", all[i].rule, counted(all[i].cells, "cell"), all[i].cause),
          Style::kPlain);
    }
    if (shown < all.size()) {
      out_ << fmt::format("and {} more (the json format lists all)\n", all.size() - shown);
    }
    if (!all.empty()) out_ << "\n";
  }

  void write_summary() {
    const findings::LevelCounts counts = findings::count_levels(report_.findings);
    std::vector<std::string> levels;
    if (counts.errors > 0) levels.push_back(counted(counts.errors, "error"));
    if (counts.warnings > 0) levels.push_back(counted(counts.warnings, "warning"));
    if (counts.notes > 0) levels.push_back(counted(counts.notes, "note"));
    const Summary& summary = report_.summary;
    std::vector<std::string> details = {counted(summary.cells, "cell")};
    if (summary.cells_partial > 0) {
      details.push_back(fmt::format("{} partly analysed", grouped(summary.cells_partial)));
    }
    if (summary.suppressed > 0) {
      details.push_back(fmt::format("{} suppressed", counted(summary.suppressed, "finding")));
    }
    out_ << painter_.paint(Style::kStrong, levels.empty() ? "no findings" : joined(levels))
         << fmt::format(" in {} ({})\n", counted(summary.files, "file"), joined(details));
  }

  std::string rule_page(std::string_view id) const {
    return report_.rule_page_base.empty()
               ? ""
               : report_.rule_page_base + path_to_uri(id) + report_.rule_page_end;
  }

  const Report& report_;
  const TextOptions& options_;
  std::size_t width_;
  Painter painter_;
  std::ostream& out_;
};

}  // namespace

void write_text(const Report& report, const TextOptions& options, std::ostream& out) {
  TextWriter(report, options, out).write();
}

}  // namespace recipelint::report
