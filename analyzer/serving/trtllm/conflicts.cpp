#include "analyzer/serving/trtllm/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace recipelint::serving::trtllm {
namespace {

constexpr std::array<std::string_view, 13> kDecodingTypes = {
    "AUTO",  "DFlash", "DSpark", "Draft_Target", "Eagle",         "Eagle3",   "MTP",
    "NGram", "PARD",   "SA",     "SaveState",    "User_Provided", "Lookahead"};

class ConflictChecker {
 public:
  ConflictChecker(const Arguments& arguments, const ServerConfig& config, VocabularyCheck& check)
      : arguments_(arguments), config_(config), check_(check) {}

  void run() {
    check_replaced_options();
    check_graphs();
    check_experts();
    check_speculation();
    check_prefill_graphs();
  }

 private:
  text::Span span(const Json& value) const { return arguments_.words().span(value.place); }

  void refuse(std::string subject, std::string message, Place place,
              std::vector<RelatedPlace> related = {}) {
    check_.report_conflict(Severity::kError, std::move(subject), std::move(message), place,
                           std::move(related));
  }

  void warn(std::string subject, std::string message, Place place,
            std::vector<RelatedPlace> related = {}) {
    check_.report_conflict(Severity::kWarning, std::move(subject), std::move(message), place,
                           std::move(related));
  }

  /// Null if it is not there, null, or not known.
  const Json* known(Path path) const {
    const Json* value = arguments_.yaml(path);
    const bool nothing = value == nullptr || !value->known() || value->is(Json::Kind::kNull);
    return nothing ? nullptr : value;
  }

  // --- The file wins over the command line ---

  void check_replaced_options() {
    check_replaced("--max_batch_size", {"max_batch_size"});
    check_replaced("--max_num_tokens", {"max_num_tokens"});
    check_replaced("--max_seq_len", {"max_seq_len"});
    check_replaced("--tensor_parallel_size", {"tensor_parallel_size"});
    check_replaced("--pipeline_parallel_size", {"pipeline_parallel_size"});
    check_replaced("--moe_expert_parallel_size", {"moe_expert_parallel_size"});
    check_replaced("--free_gpu_memory_fraction", {"kv_cache_config", "free_gpu_memory_fraction"});
  }

  void check_replaced(std::string_view option, Path path) {
    const auto on_line = arguments_.number(option);
    const auto in_file = arguments_.number_of(path);
    if (!on_line.value || !in_file.value || *on_line.value == *in_file.value) return;
    warn(std::string(option),
         fmt::format("'{}' has no effect: the configuration file says {}.", option, *in_file.value),
         arguments_.find(option)->name, {{span(*arguments_.yaml(path)), "this value counts"}});
  }

  // --- Graphs ---

  void check_graphs() {
    const auto sizes = arguments_.integers_of({"cuda_graph_config", "batch_sizes"});
    const auto maximum = arguments_.integer_of({"cuda_graph_config", "max_batch_size"});
    if (!sizes.value || sizes.value->empty() || maximum.value.value_or(0) < 1) return;
    const auto largest = *std::ranges::max_element(*sizes.value);
    if (largest == *maximum.value) return;
    const Json& key = *arguments_.yaml({"cuda_graph_config", "max_batch_size"});
    refuse("max_batch_size",
           fmt::format("'max_batch_size' {} in 'cuda_graph_config' is not the largest of "
                       "'batch_sizes', {}.",
                       *maximum.value, largest),
           key.place,
           {{span(*arguments_.yaml({"cuda_graph_config", "batch_sizes"})), "the sizes"}});
  }

  void check_prefill_graphs() {
    const auto backend = arguments_.string_of({"prefill_cuda_graph_backend"});
    const Json* compile = known({"torch_compile_config"});
    if (backend.value == "breakable" && compile != nullptr) {
      refuse("prefill_cuda_graph_backend",
             "'prefill_cuda_graph_backend: breakable' and 'torch_compile_config' exclude each "
             "other.",
             arguments_.yaml({"prefill_cuda_graph_backend"})->place,
             {{span(*compile), "the other one is given here"}});
    }
  }

  // --- Parallelism ---

  void check_experts() {
    const auto& tensor = config_.parallel.tensor.value;
    const auto experts =
        arguments_.integer_of({"moe_expert_parallel_size"}, "--moe_expert_parallel_size");
    if (!tensor || !experts.value || *experts.value < 1) return;
    const Place place = place_of({"moe_expert_parallel_size"}, "--moe_expert_parallel_size");
    if (*tensor % *experts.value != 0) {
      return refuse(
          "moe_expert_parallel_size",
          fmt::format("The expert parallel size {} does not divide the tensor parallel size {}.",
                      *experts.value, *tensor),
          place);
    }
    const auto cut = arguments_.integer_of({"moe_tensor_parallel_size"});
    const auto clusters =
        arguments_.integer_of({"moe_cluster_parallel_size"}, "--moe_cluster_parallel_size");
    const bool no_clusters = clusters.known() && clusters.value.value_or(1) <= 1;
    if (!no_clusters || !cut.value || *cut.value < 1 || *cut.value == *tensor / *experts.value) {
      return;
    }
    refuse("moe_tensor_parallel_size",
           fmt::format("The sizes {} and {} of 'moe_tensor_parallel_size' and "
                       "'moe_expert_parallel_size' do not make the tensor parallel size {}.",
                       *cut.value, *experts.value, *tensor),
           arguments_.yaml({"moe_tensor_parallel_size"})->place);
  }

  Place place_of(Path path, std::string_view option) const {
    const Json* key = arguments_.yaml(path);
    return key != nullptr && key->known() && !key->is(Json::Kind::kNull)
               ? key->place
               : arguments_.find(option)->name;
  }

  // --- Speculation ---

  void check_speculation() {
    const Json* type = known({"speculative_config", "decoding_type"});
    if (type != nullptr && type->is(Json::Kind::kString) &&
        std::ranges::find(kDecodingTypes, type->text) == kDecodingTypes.end()) {
      refuse(type->text,
             fmt::format("{} has no decoding type '{}'.", check_.engine_version(), type->text),
             type->place);
    }
    const Json* length = known({"speculative_config", "max_draft_len"});
    const Json* layers = known({"speculative_config", "num_nextn_predict_layers"});
    if (length != nullptr && layers != nullptr && length->is(Json::Kind::kInteger) &&
        layers->is(Json::Kind::kInteger) && length->integer != layers->integer) {
      warn("num_nextn_predict_layers",
           "'num_nextn_predict_layers' has no effect: 'max_draft_len' is given, too.",
           layers->place, {{span(*length), "this value counts"}});
    }
    if (length != nullptr && length->is(Json::Kind::kInteger) && length->integer < 1) {
      refuse("max_draft_len",
             fmt::format("'max_draft_len' has to be at least 1, not {}.", length->integer),
             length->place);
    }
    const Json* concurrency = known({"speculative_config", "max_concurrency"});
    const Json* schedule = known({"speculative_config", "draft_len_schedule"});
    if (concurrency != nullptr && schedule != nullptr) {
      refuse("draft_len_schedule", "'draft_len_schedule' and 'max_concurrency' exclude each other.",
             schedule->place, {{span(*concurrency), "the other one is given here"}});
    }
  }

  const Arguments& arguments_;
  const ServerConfig& config_;
  VocabularyCheck& check_;
};

}  // namespace

void check_conflicts(const Arguments& arguments, const ServerConfig& config,
                     VocabularyCheck& check) {
  ConflictChecker(arguments, config, check).run();
}

}  // namespace recipelint::serving::trtllm
