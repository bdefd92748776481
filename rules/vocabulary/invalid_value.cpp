#include "analyzer/serving/problem.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/vocabulary/vocabulary.h"

namespace recipelint::rules {
namespace {

using findings::Level;

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_server_problems(context, serving::kInvalidValueRule, sink);
}

}  // namespace

Rule invalid_value() {
  return {serving::kInvalidValueRule,
          "invalid-value",
          Level::kError,
          Precision::kHigh,
          "An option, or a key in a configuration, has a value that the engine refuses.",
          embedded_pages("invalid_value.md"),
          run};
}

}  // namespace recipelint::rules
