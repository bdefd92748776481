// Prints what the search space of a repository expands to, for comparison with the repository's own
// generator. Usage: recipelint_cells_dump [--evals-only|--text|--problems] ROOT RUNNERS MASTER...

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/space/cells_json.h"
#include "analyzer/space/cells_text.h"
#include "analyzer/space/expand.h"
#include "analyzer/space/read.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_store.h"

namespace recipelint {
namespace {

using DocumentPointer = std::shared_ptr<const yaml::Document>;

DocumentPointer load(text::SourceStore& store, const std::string& path) {
  const auto file = store.load(path);
  if (!file) {
    std::cerr << path << ": " << file.error().message << '\n';
    return nullptr;
  }
  auto document = yaml::Document::parse(**file);
  if (document) return *document;
  std::cerr << path << ": " << document.error().message << '\n';
  return nullptr;
}

void print_problems(const std::vector<space::Problem>& problems) {
  for (const space::Problem& problem : problems) {
    const text::SourceFile& file = *problem.span.file;
    constexpr std::string_view kLevels[] = {"note", "warning", "error"};
    std::cout << fmt::format(
        "{}:{}: {}[{}]: {}\n", file.path(), file.position(problem.span.begin).line,
        kLevels[static_cast<int>(problem.severity)], problem.rule, problem.message);
  }
}

int run(const std::vector<std::string>& arguments) {
  const std::string mode = arguments.at(0).starts_with("--") ? arguments.at(0) : "";
  const std::size_t first = mode.empty() ? 0 : 1;
  auto tree = text::DiskTree::open(arguments.at(first));
  if (!tree) return 2;
  text::SourceStore store(*tree);
  space::SearchSpace model;
  std::vector<space::Problem> problems;
  if (auto document = load(store, arguments.at(first + 1))) {
    model.runners = space::read_runners(document, problems);
  }
  for (std::size_t i = first + 2; i < arguments.size(); ++i) {
    auto document = load(store, arguments[i]);
    if (document) model.masters.push_back(space::read_master_config(document, problems));
  }
  space::check_together(model, problems);
  const auto matrix = space::expand(model, problems);
  if (mode == "--problems") {
    print_problems(problems);
  } else if (mode == "--text") {
    space::write_cells_text(matrix, std::cout);
  } else {
    const auto rows = mode == "--evals-only" ? space::select_eval_rows(matrix) : matrix;
    space::write_cells_json(rows, std::cout);
  }
  return 0;
}

}  // namespace
}  // namespace recipelint

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  if (argc < 4) return 2;
  return recipelint::run({argv + 1, argv + argc});
}
