#include "rules/unfilled_placeholders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/placeholders.h"
#include "analyzer/text/source_file.h"
#include "rules/cell_diagnostics.h"
#include "rules/origin_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::EvaluatedCell;

/// Variables by which an engine looks for models, and ones that keep it from fetching them.
constexpr std::array<std::string_view, 4> kCaches = {"HF_HOME", "HF_HUB_CACHE",
                                                     "HUGGINGFACE_HUB_CACHE", "TRANSFORMERS_CACHE"};
constexpr std::array<std::string_view, 2> kOfflineSwitches = {"HF_HUB_OFFLINE",
                                                              "TRANSFORMERS_OFFLINE"};

bool is_on(const shell::Value& value) {
  return value.is_known() && (value.text() == "1" || value.text() == "true");
}

bool is_offline(const launch::Launch& launch) {
  return std::ranges::any_of(launch.environment, [](const auto& variable) {
    return std::ranges::find(kOfflineSwitches, variable.first) != kOfflineSwitches.end() &&
           is_on(variable.second);
  });
}

class Search {
 public:
  Search(std::string_view rule, const RuleContext& context) : rule_(rule), context_(context) {}

  void look_at(const EvaluatedCell& cell) {
    for (const launch::Launch& launch : cell.launches->launches) {
      const bool offline = is_offline(launch);
      for (const auto& [name, value] : launch.environment) {
        const bool is_cache = std::ranges::find(kCaches, name) != kCaches.end();
        look_at(cell, value, fmt::format("'{}'", name), offline && is_cache);
      }
      for (const shell::Value& word : launch.argv) {
        look_at(cell, word, "a word of the command", false);
      }
    }
  }

  void report(findings::FindingSink& sink) {
    for (auto& [place, finding] : findings_) {
      make_set(finding.cells);
      sink.report(std::move(finding));
    }
  }

 private:
  void look_at(const EvaluatedCell& cell, const shell::Value& value, const std::string& what,
               bool keeps_from_model) {
    if (!value.is_known()) return;
    const text::Span span = value.origin().span();
    if (!span.valid()) return;
    for (const std::string& placeholder : layout::placeholders_in(value.text())) {
      if (is_filled_in(cell, placeholder)) continue;
      Finding& finding = findings_[{place_of(span), placeholder}];
      finding.cells.push_back(cell.name());
      if (!finding.rule.empty()) continue;
      fill(finding, span, placeholder, what, keeps_from_model);
    }
  }

  void fill(Finding& finding, const text::Span& span, const std::string& placeholder,
            const std::string& what, bool keeps_from_model) const {
    finding.rule = rule_;
    finding.level = keeps_from_model ? Level::kWarning : Level::kNote;
    finding.primary = span;
    finding.identity = placeholder;
    finding.message = fmt::format(
        "{} holds the placeholder '{}', and nothing in the repository fills it in: neither a "
        "launcher nor a workflow mentions it.",
        what, placeholder);
    finding.message[0] = what.front() == 'a' ? 'A' : finding.message[0];
    if (keeps_from_model) {
      finding.message +=
          " The engine looks for the model in a folder of that name, and is told not to fetch it.";
    }
    finding.remedies = {"Write the value.",
                        "Let the launcher replace it before it submits the recipe.", "Remove it."};
  }

  bool is_filled_in(const EvaluatedCell& cell, const std::string& placeholder) {
    const auto [found, added] = filled_in_.try_emplace({cell.site, placeholder}, false);
    if (added) {
      found->second = layout::may_be_filled_in(context_.workspace, *cell.site, placeholder);
    }
    return found->second;
  }

  /// Of the bytes, so that findings come in the order of files and places.
  static std::pair<std::string, std::uint32_t> place_of(const text::Span& span) {
    return {span.file->path(), span.begin};
  }

  std::string_view rule_;
  const RuleContext& context_;
  std::map<std::pair<const layout::Site*, std::string>, bool> filled_in_;
  std::map<std::pair<std::pair<std::string, std::uint32_t>, std::string>, Finding> findings_;
};

}  // namespace

void report_unfilled_placeholders(std::string_view rule, const RuleContext& context,
                                  findings::FindingSink& sink) {
  Search search(rule, context);
  for (const EvaluatedCell& cell : context.cells.all()) {
    const bool is_recipe =
        cell.site != nullptr && cell.target().kind == layout::Target::Kind::kRecipe;
    if (is_recipe) search.look_at(cell);
  }
  search.report(sink);
}

}  // namespace recipelint::rules
