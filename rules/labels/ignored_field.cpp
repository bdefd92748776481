#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/layout/field_trials.h"
#include "rules/cell_diagnostics.h"
#include "rules/labels/labels.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using layout::EvaluatedCell;
using layout::FieldTrial;

constexpr std::string_view kId = "RL4003";

/// The cells of one entry that run the same script.
using Cells = std::vector<const EvaluatedCell*>;

std::vector<Cells> groups(const RuleContext& context) {
  std::vector<Cells> result;
  std::map<std::tuple<const layout::Site*, const space::Entry*, std::string>, std::size_t> index;
  for (const EvaluatedCell& cell : context.cells.all()) {
    const space::MatrixRow* row = cell.row();
    if (row == nullptr || cell.cell.mode == layout::Mode::kEval) continue;
    const layout::Target& target = cell.target();
    if (target.kind != layout::Target::Kind::kScript || !target.script_exists) continue;
    const auto [found, added] =
        index.emplace(std::tuple{cell.site, row->entry, target.script}, result.size());
    if (added) result.emplace_back();
    result[found->second].push_back(&cell);
  }
  return result;
}

/// The values of a field in rows that have it, and where the first that differs from the first one
/// stands.
struct Variation {
  std::vector<std::string> values;
  text::Span span;
};

Variation variation(const Cells& cells, std::string_view field) {
  Variation variation;
  for (const EvaluatedCell* cell : cells) {
    const auto found = cell->field(field);
    if (!found) continue;
    auto& values = variation.values;
    if (std::ranges::find(values, found->text) != values.end()) continue;
    values.push_back(found->text);
    if (values.size() > 1 && !variation.span.valid()) variation.span = found->span;
  }
  if (variation.values.size() > 1 && !variation.span.valid()) {
    // The other value is a default: then the first one is written.
    const auto first = std::ranges::find_if(
        cells, [&](const EvaluatedCell* cell) { return cell->field(field)->span.valid(); });
    if (first != cells.end()) variation.span = (*first)->field(field)->span;
  }
  return variation;
}

/// The field without the role of a worker: "tp" of "decode.tp".
std::string_view without_role(std::string_view field) {
  const bool has_role = field.starts_with("prefill.") || field.starts_with("decode.");
  return has_role ? field.substr(field.find('.') + 1) : field;
}

/// The rule that tells whether a field says what is launched.
Rule rule_of_truth(std::string_view field) {
  if (field == "spec-decoding") return speculation_label();
  if (field == "kv-offloading") return kv_offload_label();
  return parallelism_label();
}

/// Which fields of which cells are not true, asked once and only if a field is ignored.
class Truth final : public findings::FindingSink {
 public:
  explicit Truth(const RuleContext& context) : context_(context) {}

  /// Whether all of the cells are what their rows say there, so that the field is of no use but
  /// tells no lie: another one decides both.
  bool holds(std::string_view field, const Cells& cells) {
    // Of a backend the name alone is known; as many workers cannot be both.
    if (field == "kv-offload-backend.name" || field.ends_with(".num-worker")) return false;
    ask(rule_of_truth(field));
    const std::string name(without_role(field));
    return std::ranges::none_of(cells, [&](const EvaluatedCell* cell) {
      return untrue_.contains({name, cell->name()});
    });
  }

  void report(Finding finding) override {
    const bool by_field = finding.rule == parallelism_label().id;
    const std::string_view field =
        finding.rule == speculation_label().id ? "spec-decoding" : "kv-offloading";
    for (std::string& cell : finding.cells) {
      untrue_.emplace(by_field ? finding.identity : std::string(field), std::move(cell));
    }
  }

 private:
  void ask(const Rule& rule) {
    if (asked_.insert(rule.id).second) rule.run(context_, *this);
  }

  const RuleContext& context_;
  std::set<std::string_view> asked_;
  std::set<std::pair<std::string, std::string>> untrue_;
};

Finding finding_about(std::string_view field, const Cells& cells, const Variation& variation,
                      const FieldTrial& trial, bool true_all_the_same) {
  const std::string& script = cells.front()->target().script;
  const bool is_of_worker = without_role(field) != field;
  const std::string name(is_of_worker ? field : field.substr(0, field.find('.')));
  Finding finding;
  finding.rule = kId;
  finding.level = true_all_the_same ? findings::Level::kNote : findings::Level::kWarning;
  finding.primary = variation.span;
  finding.message = fmt::format(
      "Rows of '{}' have {} {}, but '{}' launches the same whatever it is: the field is ignored.",
      cells.front()->row()->entry->key, name, fmt::join(variation.values, " and "), script);
  if (true_all_the_same) finding.message += " It is true all the same: other fields decide both.";
  if (trial.variables.empty()) {
    finding.remedies.push_back("Let the launcher hand the field on to the script.");
  } else {
    finding.remedies.push_back(
        fmt::format("Let '{}' follow '${}'.", script, *trial.variables.begin()));
  }
  finding.remedies.push_back(
      fmt::format("Give all of these rows the one value of '{}' that holds.", name));
  for (const EvaluatedCell* cell : cells) finding.cells.push_back(cell->name());
  make_set(finding.cells);
  finding.identity = fmt::format("{} {} {}", cells.front()->row()->entry->key, name, script);
  return finding;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  layout::FieldTrials trials(context.workspace, context.facts.models());
  Truth truth(context);
  for (const Cells& cells : groups(context)) {
    const bool multi_node = cells.front()->row()->multi_node();
    const std::span<const std::string_view> fields =
        multi_node ? std::span<const std::string_view>(layout::kTriedWorkerFields)
                   : layout::kTriedFields;
    for (const std::string_view field : fields) {
      const Variation varied = variation(cells, field);
      if (varied.values.size() < 2 || !varied.span.valid()) continue;
      const FieldTrial trial = trials.run(field, cells);
      if (trial.verdict == FieldTrial::Verdict::kIgnored) {
        sink.report(finding_about(field, cells, varied, trial, truth.holds(field, cells)));
      }
      if (trial.verdict != FieldTrial::Verdict::kOpen) continue;
      for (const EvaluatedCell* cell : cells) {
        sink.report_unevaluated({std::string(kId), trial.cause, cell->name()});
      }
    }
  }
}

}  // namespace

Rule ignored_field() {
  return {kId,
          "ignored-field",
          findings::Level::kWarning,
          Precision::kHigh,
          "Rows of an entry differ in a field that changes nothing of what is launched.",
          embedded_pages("ignored_field.md"),
          run};
}

}  // namespace recipelint::rules
