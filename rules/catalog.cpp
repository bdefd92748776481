#include <algorithm>
#include <array>

#include "analyzer/facts/ascii.h"
#include "rules/capacity/capacity.h"
#include "rules/contract/contract.h"
#include "rules/images/images.h"
#include "rules/labels/labels.h"
#include "rules/reading/reading.h"
#include "rules/references/references.h"
#include "rules/reported_by_stages.h"
#include "rules/rule.h"
#include "rules/schema/changelog.h"
#include "rules/shell/shell_flow.h"
#include "rules/vocabulary/vocabulary.h"

namespace recipelint::rules {

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::kVeryHigh:
      return "very-high";
    case Precision::kHigh:
      return "high";
    case Precision::kMedium:
      return "medium";
    case Precision::kLow:
      return "low";
  }
  return "";
}

std::span<const Rule> catalog() {
  static const std::array rules = {
      unparsed_shell(),
      unparsed_yaml(),
      analysis_limit(),
      unused_ignore(),
      ignore_without_reason(),  // 1xxx
      spec_decode_cudagraph_coverage(),
      rank_sequence_headroom(),
      kv_memory_fit(),
      weights_do_not_fit(),
      step_token_budget(),
      committed_length(),
      host_memory_budget(),
      graphs_disabled(),  // 2xxx
      mutable_image_tag(),
      expiring_image_tag(),
      image_mismatch(),
      image_form(),  // 3xxx
      parallelism_label(),
      speculation_label(),
      ignored_field(),
      concurrency_list(),
      worker_count(),
      kv_offload_label(),
      topology_arithmetic(),  // 4xxx
      missing_script(),
      missing_recipe_file(),
      unknown_runner(),  // 5xxx
      unreached_file(),
      missing_sourced_file(),  //
      dead_value(),
      unset_variable(),
      stray_command(),
      helper_contract(),
      cell_refused(),
      repeated_flag(),
      environment_contract(),
      bad_arithmetic(),
      invalid_document(),  // 6xxx
      mtp_chat_template(),
      acceptance_length(),
      prefix_cache_policy(),
      unpinned_install(),
      client_concurrency(),
      retired_scenario(),  // 7xxx
      unknown_flag(),
      outdated_flag(),
      invalid_value(),
      conflicting_flags(),
      unknown_environment_variable(),  // 8xxx
      schema(),
      duplicate_key(),
      duplicate_point(),  // 9xxx
      topology_row(),
      changelog_entry(),
      pull_request_text(),  //
  };
  return rules;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char left, char right) {
    return facts::to_lower(left) == facts::to_lower(right);
  });
}

const Rule* find_rule(std::string_view id_or_name) {
  const auto rules = catalog();
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
    return same_word(rule.id, id_or_name) || same_word(rule.name, id_or_name);
  });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace recipelint::rules
