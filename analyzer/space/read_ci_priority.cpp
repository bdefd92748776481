#include <fmt/format.h>

#include <utility>

#include "analyzer/space/coerce.h"
#include "analyzer/space/field_reader.h"
#include "analyzer/space/read.h"
#include "analyzer/space/read_support.h"

namespace recipelint::space {
namespace {

void read_adjustments(FieldReader& fields, std::string_view name,
                      std::vector<Adjustment>& adjustments, Reporter& reporter) {
  const yaml::Node table = fields.mapping(name, Need::kOptional);
  if (!table) return;
  adjustments.reserve(table.entries().size());
  for (const auto& [key, value] : table.entries()) {
    Field<Decimal> score{FieldState::kInvalid, lax_decimal(value.scalar()), key, value};
    if (score.value && key.is_scalar()) {
      score.state = FieldState::kValid;
      adjustments.push_back({key.text(), key.span(), score});
      continue;
    }
    reporter.report(
        value.span(),
        fmt::format("An adjustment in '{}' must be a number, not {}.", name, describe(value)),
        fmt::format("{}/{}", name, key.text()));
  }
}

void check_version(yaml::Node version, Reporter& reporter) {
  if (!version || version.as_int() == 1) return;
  reporter.report(version.span(), fmt::format("'version' must be 1, not {}.", describe(version)),
                  "version");
}

void read_labels(FieldReader& fields, Reporter& reporter) {
  const yaml::Node labels = fields.mapping("labels", Need::kRequired);
  if (!labels) return;
  FieldReader inner(reporter, labels, "'labels'", fields.key_of("labels").span());
  inner.mapping("skip-queue", Need::kRequired);
  inner.mapping("checklist-complete", Need::kOptional);
  const yaml::Node patchwork = inner.mapping("patchwork", Need::kRequired);
  inner.finish();
  if (!patchwork) return;
  FieldReader patch(reporter, patchwork, "'patchwork'", inner.key_of("patchwork").span());
  patch.list("names", Need::kRequired);
  Field<Decimal> score;
  patch.decimal("score", score, Need::kRequired);
  patch.list("waived-by", Need::kOptional);
  patch.finish();
}

void read_root(yaml::Node root, CiPriority& priority, Reporter& reporter) {
  if (!root.is_mapping()) {
    reporter.report(root.span(),
                    fmt::format("The priority policy must be a mapping, not {}.", describe(root)),
                    "root/type");
    return;
  }
  FieldReader fields(reporter, root, "the priority policy", head_of(root));
  check_version(fields.any("version", Need::kRequired), reporter);
  fields.decimal("base-score", priority.base_score, Need::kRequired);
  read_labels(fields, reporter);
  const yaml::Node adjustments = fields.mapping("adjustments", Need::kRequired);
  fields.finish();
  if (!adjustments) return;
  FieldReader inner(reporter, adjustments, "'adjustments'", fields.key_of("adjustments").span());
  inner.decimal("multi-node", priority.multi_node, Need::kOptional);
  inner.decimal("agentic", priority.agentic, Need::kOptional);
  inner.decimal("eval-only", priority.eval_only, Need::kOptional);
  read_adjustments(inner, "event", priority.event, reporter);
  read_adjustments(inner, "precision", priority.precision, reporter);
  read_adjustments(inner, "spec-decoding", priority.spec_decoding, reporter);
  read_adjustments(inner, "framework-prefix", priority.framework_prefix, reporter);
  read_adjustments(inner, "model-prefix", priority.model_prefix, reporter);
  inner.finish();
}

}  // namespace

CiPriority read_ci_priority(std::shared_ptr<const yaml::Document> document,
                            std::vector<Problem>& problems) {
  CiPriority priority;
  priority.document = std::move(document);
  const std::size_t before = problems.size();
  report_duplicate_keys(*priority.document, problems);
  Reporter reporter(problems, kSchemaRule);
  read_root(priority.document->root(), priority, reporter);
  sort_from(problems, before);
  return priority;
}

}  // namespace recipelint::space
