#include "analyzer/serving/problem.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Level;

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_server_problems(context, serving::kRepeatedFlagRule, sink);
}

}  // namespace

Rule repeated_flag() {
  return {serving::kRepeatedFlagRule,
          "repeated-flag",
          Level::kWarning,
          Precision::kHigh,
          "An option that takes one value is given twice with different values.",
          embedded_pages("repeated_flag.md"),
          run};
}

}  // namespace recipelint::rules
