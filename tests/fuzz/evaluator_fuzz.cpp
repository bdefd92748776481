// Evaluation of a script, with a second one beside it after a line "%", with small limits: what
// grows faster than the steps that it pays for shows as a timeout.

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/shell/evaluate.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_store.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {
namespace {

constexpr std::uint64_t kSteps = 50'000;

shell::Limits small_limits() {
  shell::Limits limits;
  limits.steps = kSteps;
  limits.value_bytes = 1u << 16u;
  limits.total_bytes = 1u << 20u;
  return limits;
}

void demand_sense(const shell::Evaluation& evaluation) {
  for (const auto& diagnostic : evaluation.diagnostics) {
    demand_inside(diagnostic.span);
    demand(!diagnostic.message.empty(), "a diagnostic has a message");
  }
  for (const auto& assignment : evaluation.assignments) demand_inside(assignment.span);
  for (const auto& branch : evaluation.branches) demand_inside(branch.span);
  for (const auto& command : evaluation.commands) demand_inside(command.span);
  for (const auto& end : evaluation.ends) demand_inside(end.span);
  for (const auto& execution : evaluation.executions) {
    demand(!execution->argv.empty(), "what is executed has a name");
  }
  demand(evaluation.certain.size() == evaluation.executions.size(), "each has a certainty");
}

}  // namespace

void evaluator(std::string_view input) {
  const auto parts = parts_of(input, 2);
  text::MemoryTree tree;
  tree.add("run.sh", std::string(parts[0]));
  tree.add("lib.sh", std::string(parts[1]));
  text::SourceStore files(tree);
  shell::ScriptCache scripts(files);
  shell::EvaluationInput evaluation;
  evaluation.scripts = &scripts;
  evaluation.script = evaluation.invoked_as = "run.sh";
  evaluation.working_directory = "/work";
  evaluation.mounts = {{"/work", ""}};
  evaluation.environment = {{"CONC", shell::Value::of("64")},
                            {"TP", shell::Value::of("8")},
                            {"MODEL", shell::Value::of("org/model")},
                            {"HOST_SAYS", shell::Value::unknown("input")}};
  evaluation.arguments = {shell::Value::of("one"), shell::Value::unknown("input")};
  evaluation.limits = small_limits();
  text::OriginPool pool;
  demand_sense(shell::evaluate(evaluation, pool));
}

}  // namespace recipelint::fuzz
