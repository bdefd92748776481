#include "analyzer/serving/problem.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/vocabulary/vocabulary.h"

namespace recipelint::rules {
namespace {

using findings::Level;

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_server_problems(context, serving::kOutdatedFlagRule, sink);
}

}  // namespace

Rule outdated_flag() {
  return {serving::kOutdatedFlagRule,
          "outdated-flag",
          Level::kError,
          Precision::kHigh,
          "A server is started with an option that its version of the engine has removed, or warns about.",
          embedded_pages("outdated_flag.md"),
          run};
}

}  // namespace recipelint::rules
