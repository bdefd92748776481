#include "analyzer/serving/problem.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/vocabulary/vocabulary.h"

namespace recipelint::rules {
namespace {

using findings::Level;

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_server_problems(context, serving::kConflictRule, sink);
}

}  // namespace

Rule conflicting_flags() {
  return {serving::kConflictRule,
          "conflicting-flags",
          Level::kError,
          Precision::kHigh,
          "Options of a server exclude each other, or one of them is silently replaced.",
          embedded_pages("conflicting_flags.md"),
          run};
}

}  // namespace recipelint::rules
