#include "analyzer/serving/problem.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/vocabulary/vocabulary.h"

namespace recipelint::rules {
namespace {

using findings::Level;

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_server_problems(context, serving::kUnknownFlagRule, sink);
}

}  // namespace

Rule unknown_flag() {
  return {serving::kUnknownFlagRule,
          "unknown-flag",
          Level::kError,
          Precision::kHigh,
          "A server is started with an option that its version of the engine does not know.",
          embedded_pages("unknown_flag.md"),
          run};
}

}  // namespace recipelint::rules
