#include "analyzer/findings/collect.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <utility>

#include "analyzer/findings/fingerprint.h"

namespace recipelint::findings {
namespace {

/// Like compare(Span), with the text that belongs to the place as the tie-breaker.
template <typename T>
std::strong_ordering order_places(const std::vector<T>& a, const std::vector<T>& b,
                                  std::string T::*label) {
  return std::lexicographical_compare_three_way(
      a.begin(), a.end(), b.begin(), b.end(), [label](const T& left, const T& right) {
        const auto by_place = text::compare(left.span, right.span);
        return by_place != 0 ? by_place : (left.*label).compare(right.*label) <=> 0;
      });
}

/// What tells two defects of one rule at one place apart.
const std::string& defect_key(const Finding& finding) {
  return finding.identity.empty() ? finding.message : finding.identity;
}

std::strong_ordering order_defects(const Finding& a, const Finding& b) {
  if (const auto by_place = text::compare(a.primary, b.primary); by_place != 0) return by_place;
  if (const auto by_rule = a.rule <=> b.rule; by_rule != 0) return by_rule;
  if (const auto by_kind = a.identity.empty() <=> b.identity.empty(); by_kind != 0) return by_kind;
  return defect_key(a) <=> defect_key(b);
}

/// A total order of content: what is merged into what must not depend on the order of arrival.
std::strong_ordering order_content(const Finding& a, const Finding& b) {
  if (const auto by_defect = order_defects(a, b); by_defect != 0) return by_defect;
  if (const auto by_level = b.level <=> a.level; by_level != 0) return by_level;
  if (const auto by_message = a.message <=> b.message; by_message != 0) return by_message;
  if (const auto by_cells = a.cells <=> b.cells; by_cells != 0) return by_cells;
  if (const auto by_remedies = a.remedies <=> b.remedies; by_remedies != 0) return by_remedies;
  if (const auto by_facts = a.facts <=> b.facts; by_facts != 0) return by_facts;
  if (const auto by_related = order_places(a.related, b.related, &Related::label);
      by_related != 0) {
    return by_related;
  }
  if (const auto by_flow = order_places(a.flow, b.flow, &FlowStep::text); by_flow != 0) {
    return by_flow;
  }
  return order_places(a.fixes, b.fixes, &Fix::replacement);
}

bool before_in_output(const Finding& a, const Finding& b) {
  if (const auto by_place = text::compare(a.primary, b.primary); by_place != 0) return by_place < 0;
  if (const auto by_rule = a.rule <=> b.rule; by_rule != 0) return by_rule < 0;
  return a.message < b.message;
}

bool same(const std::string& a, const std::string& b) {
  return a == b;
}

bool same(const Related& a, const Related& b) {
  return text::compare(a.span, b.span) == 0 && a.label == b.label;
}

bool same(const Fix& a, const Fix& b) {
  return text::compare(a.span, b.span) == 0 && a.replacement == b.replacement;
}

/// Appends what is not there yet, in its order. The lists are short.
template <typename T>
void unite(std::vector<T>& into, std::vector<T> from) {
  for (T& item : from) {
    const bool known =
        std::ranges::any_of(into, [&item](const T& existing) { return same(existing, item); });
    if (!known) into.push_back(std::move(item));
  }
}

void merge(Finding& into, Finding from) {
  into.cells.insert(into.cells.end(), std::move_iterator(from.cells.begin()),
                    std::move_iterator(from.cells.end()));
  unite(into.related, std::move(from.related));
  unite(into.remedies, std::move(from.remedies));
  unite(into.fixes, std::move(from.fixes));
  unite(into.facts, std::move(from.facts));
}

void sort_cells(Finding& finding) {
  std::ranges::sort(finding.cells);
  finding.cells.erase(std::unique(finding.cells.begin(), finding.cells.end()), finding.cells.end());
}

/// What stands in a file becomes part of a message, and can be of any length.
void shorten(std::string& text) {
  constexpr std::size_t kLongest = 2000;
  if (text.size() <= kLongest) return;
  std::size_t end = kLongest;
  constexpr unsigned kContinues = 0x80;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == kContinues) --end;
  text.resize(end);
  text += "\u2026";
}

void shorten_texts(Finding& finding) {
  shorten(finding.message);
  for (Related& related : finding.related) shorten(related.label);
  for (FlowStep& step : finding.flow) shorten(step.text);
  for (std::string& remedy : finding.remedies) shorten(remedy);
  for (std::string& fact : finding.facts) shorten(fact);
}

}  // namespace

void Collector::add(Collector other) {
  findings_.insert(findings_.end(), std::move_iterator(other.findings_.begin()),
                   std::move_iterator(other.findings_.end()));
  unevaluated_.insert(unevaluated_.end(), std::move_iterator(other.unevaluated_.begin()),
                      std::move_iterator(other.unevaluated_.end()));
}

std::vector<Finding> Collector::take() {
  for (Finding& finding : findings_) sort_cells(finding);
  std::ranges::sort(findings_,
                    [](const auto& a, const auto& b) { return order_content(a, b) < 0; });
  std::vector<Finding> merged;
  for (Finding& finding : findings_) {
    if (!merged.empty() && order_defects(merged.back(), finding) == 0) {
      merge(merged.back(), std::move(finding));
    } else {
      merged.push_back(std::move(finding));
    }
  }
  findings_.clear();
  for (Finding& finding : merged) sort_cells(finding);
  std::ranges::stable_sort(merged, before_in_output);
  set_fingerprints(merged);
  for (Finding& finding : merged) shorten_texts(finding);
  return merged;
}

std::vector<Unevaluated> Collector::take_unevaluated() {
  std::ranges::sort(unevaluated_);
  unevaluated_.erase(std::unique(unevaluated_.begin(), unevaluated_.end()), unevaluated_.end());
  return std::exchange(unevaluated_, {});
}

LevelCounts count_levels(std::span<const Finding> findings) {
  LevelCounts counts;
  for (const Finding& finding : findings) {
    switch (finding.level) {
      case Level::kError:
        ++counts.errors;
        break;
      case Level::kWarning:
        ++counts.warnings;
        break;
      case Level::kNote:
        ++counts.notes;
        break;
    }
  }
  return counts;
}

}  // namespace recipelint::findings
