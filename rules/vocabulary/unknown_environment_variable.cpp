#include "analyzer/serving/problem.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/vocabulary/vocabulary.h"

namespace recipelint::rules {
namespace {

using findings::Level;

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_server_problems(context, serving::kUnknownVariableRule, sink);
}

}  // namespace

Rule unknown_environment_variable() {
  return {serving::kUnknownVariableRule,
          "unknown-environment-variable",
          Level::kNote,
          Precision::kMedium,
          "A variable with the prefix of the engine is set, which its version does not read.",
          embedded_pages("unknown_environment_variable.md"),
          run};
}

}  // namespace recipelint::rules
