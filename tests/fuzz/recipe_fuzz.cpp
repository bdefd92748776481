// Recipe files: the first line is the selector of a variant, the rest the file.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/recipe/llm_d.h"
#include "analyzer/launch/recipe/srt_command.h"
#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/serving/decode.h"
#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {
namespace {

void demand_sense(const std::vector<launch::Launch>& launches) {
  static const facts::Catalog catalog;
  for (const launch::Launch& launch : launches) {
    demand(!launch.argv.empty(), "a launch has a program");
    demand_inside(launch.span);
    static_cast<void>(serving::decode(launch, {}, catalog));
  }
}

void demand_sense(const std::vector<launch::recipe::RecipeProblem>& problems) {
  for (const auto& problem : problems) {
    demand(!problem.message.empty(), "a problem has a message");
    demand_inside(problem.span);
  }
}

}  // namespace

void recipe(std::string_view input) {
  const auto end = std::min(input.find('\n'), input.size());
  const text::SourceFile file("recipes/x.yaml",
                              std::string(input.substr(std::min(end + 1, input.size()))));
  const auto document = yaml::Document::parse(file);
  if (!document) return;
  text::OriginPool pool;
  std::vector<launch::recipe::RecipeProblem> problems;
  const auto variants = launch::recipe::read_srt_recipe(*document, input.substr(0, end), problems);
  demand_sense(problems);
  for (const auto& variant : variants) {
    demand_sense(variant.problems);
    demand_sense(launch::recipe::srt_launches(variant, {}, pool));
  }
  const auto other = launch::recipe::read_llmd_recipe(*document);
  demand_sense(other.problems);
  for (const auto& role : other.roles) {
    demand_sense({launch::recipe::llmd_launch(role, {2, 4}, shell::Value::of("m"), pool)});
  }
}

}  // namespace recipelint::fuzz
