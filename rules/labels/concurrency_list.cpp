#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/recipe_uses.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;

constexpr std::string_view kId = "RL4004";

std::vector<std::int64_t> sorted_unique(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The concurrencies of the row, as its one matrix row carries them.
std::vector<std::int64_t> row_points(const layout::Site& site, const layout::RowLaunch& row) {
  std::vector<std::int64_t> values;
  for (std::size_t i = row.first; i < row.first + row.count; ++i) {
    for (const space::Concurrency& point : site.matrix[i].concurrencies) {
      values.push_back(point.value);
    }
  }
  return sorted_unique(std::move(values));
}

std::vector<std::int64_t> missing_in(const std::vector<std::int64_t>& from,
                                     const std::vector<std::int64_t>& in) {
  std::vector<std::int64_t> missing;
  std::set_difference(from.begin(), from.end(), in.begin(), in.end(), std::back_inserter(missing));
  return missing;
}

text::Span row_place(const space::Row& row) {
  return row.conc_list.written() ? row.conc_list.span() : row.conc_start.span();
}

std::string difference(const std::vector<std::int64_t>& row,
                       const std::vector<std::int64_t>& recipe) {
  std::string text;
  if (const auto extra = missing_in(recipe, row); !extra.empty()) {
    text +=
        fmt::format(" It measures {} without a point in the search space.", fmt::join(extra, ", "));
  }
  if (const auto lost = missing_in(row, recipe); !lost.empty()) {
    text += fmt::format(" It never measures {}.", fmt::join(lost, ", "));
  }
  return text;
}

void check(const RecipePair& pair, findings::FindingSink& sink) {
  // Agentic jobs hand their concurrency to the benchmark command; the recipe has none.
  if (pair.row.scenario->kind != space::ScenarioKind::kFixedSeqLen) return;
  if (pair.variant.concurrencies.empty()) return;
  std::vector<std::int64_t> in_recipe;
  for (const auto& point : pair.variant.concurrencies) in_recipe.push_back(point.value);
  in_recipe = sorted_unique(std::move(in_recipe));
  const std::vector<std::int64_t> in_row = row_points(pair.site, pair.row);
  if (in_row == in_recipe) return;
  Finding finding = finding_about(pair, kId, row_place(*pair.row.row),
                                  pair.variant.concurrencies_span, "the recipe's concurrencies");
  // A row that names the largest point of its recipe tracks a curve by its end.
  const bool names_the_largest = in_row == std::vector{in_recipe.back()};
  finding.level = names_the_largest ? Level::kNote : Level::kWarning;
  finding.message = fmt::format("The row lists concurrency {}, but its recipe '{}' runs {}.{}",
                                fmt::join(in_row, ", "), pair.recipe.path,
                                fmt::join(in_recipe, ", "), difference(in_row, in_recipe));
  finding.remedies = {
      fmt::format("Write 'conc-list: [{}]'.", fmt::join(in_recipe, ", ")),
      fmt::format("Write 'concurrencies: \"{}\"' in the recipe.", fmt::join(in_row, "x"))};
  finding.identity = fmt::format("{} {}", pair.key(), pair.recipe.path);
  sink.report(std::move(finding));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for_each_pair(context, [&](const RecipePair& pair) {
    // The evaluation runs at one concurrency of its own.
    if (pair.mode == layout::Mode::kThroughput) check(pair, sink);
  });
}

}  // namespace

Rule concurrency_list() {
  return {kId,
          "concurrency-list",
          Level::kWarning,
          Precision::kVeryHigh,
          "The concurrencies of a row are not those that its recipe runs.",
          embedded_pages("concurrency_list.md"),
          run};
}

}  // namespace recipelint::rules
