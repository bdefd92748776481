// The files of a search space between lines "%": master, runners, changelog, priorities. Reading,
// checking and expanding them ends within bounds, with a place and words for each problem.

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/space/cells_json.h"
#include "analyzer/space/expand.h"
#include "analyzer/space/read.h"
#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {
namespace {

using Document = std::shared_ptr<const yaml::Document>;

Document document_of(const text::SourceFile& file) {
  auto document = yaml::Document::parse(file);
  return document ? *std::move(document) : nullptr;
}

void demand_sense(const std::vector<space::Problem>& problems) {
  for (const auto& problem : problems) {
    demand_inside(problem.span);
    demand(!problem.message.empty(), "a problem has a message");
    for (const auto& related : problem.related) demand_inside(related.span);
  }
}

void demand_sense(const std::vector<space::MatrixRow>& matrix) {
  for (const auto& row : matrix) {
    demand(!row.concurrencies.empty(), "a row has a concurrency");
    for (const auto& concurrency : row.concurrencies) demand_inside(concurrency.span);
  }
}

}  // namespace

void search_space(std::string_view input) {
  const auto parts = parts_of(input, 4);
  const text::SourceFile master("configs/x-master.yaml", std::string(parts[0]));
  const text::SourceFile runners("configs/runners.yaml", std::string(parts[1]));
  const text::SourceFile changelog("perf-changelog.yaml", std::string(parts[2]));
  const text::SourceFile priority("configs/ci-priority.yaml", std::string(parts[3]));
  std::vector<space::Problem> problems;
  space::SearchSpace space;
  if (auto document = document_of(master)) {
    space.masters.push_back(space::read_master_config(std::move(document), problems));
  }
  if (auto document = document_of(runners)) {
    space.runners = space::read_runners(std::move(document), problems);
  }
  if (auto document = document_of(changelog)) {
    space.changelog = space::read_changelog(std::move(document), problems);
    for (const auto& entry : space.changelog->entries) {
      space::check_changelog_keys(entry, space, problems);
    }
  }
  if (auto document = document_of(priority)) {
    space.ci_priority = space::read_ci_priority(std::move(document), problems);
  }
  space::check_together(space, problems);
  const space::ExpandLimits limits{2'000, 8'000};
  const auto matrix = space::expand(space, problems, limits);
  demand(matrix.size() <= limits.rows, "no more rows than the limit");
  demand_sense(matrix);
  demand_sense(space::select_eval_rows(matrix));
  demand_sense(problems);
  std::ostringstream out;
  space::write_cells_json(matrix, out);
}

}  // namespace recipelint::fuzz
