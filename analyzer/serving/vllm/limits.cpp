#include <algorithm>

#include "analyzer/serving/vllm/conflicts.h"
#include "analyzer/serving/vllm/decoding.h"

namespace recipelint::serving::vllm {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

/// How much a rank takes on: given, or by the defaults for the GPU.
class LimitReader {
 public:
  LimitReader(const Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), config_(config) {}

  void run() {
    Limits& limits = config_.limits;
    limits.model_length = model_length();
    limits.chunked_prefill =
        or_default(decoding_.arguments.boolean("--enable-chunked-prefill"), true);
    limits.step_tokens = decoding_.arguments.integer("--max-num-batched-tokens");
    limits.sequences = decoding_.arguments.integer("--max-num-seqs");
    const bool tokens_open = !limits.step_tokens.value && limits.step_tokens.known();
    const bool sequences_open = !limits.sequences.value && limits.sequences.known();
    if (sequences_open) limits.sequences = default_sequences();
    if (tokens_open) limits.step_tokens = default_step_tokens();
    if (sequences_open) bound_sequences();
    limits.async_scheduling = async_scheduling();
  }

 private:
  Setting<std::int64_t> model_length() const {
    auto setting = decoding_.arguments.integer("--max-model-len");
    if (setting.value && *setting.value == -1) {
      setting.value.reset();
      setting.source = Source::kUnknown;
      setting.reason = "as long as memory allows";
      return setting;
    }
    if (setting.value || !setting.known()) return setting;
    const auto own = decoding_.family() == nullptr
                         ? std::nullopt
                         : decoding_.family()->number("max_position_embeddings");
    if (!own) return Setting<std::int64_t>::unknown("the length of the model is unknown");
    return Setting<std::int64_t>::by_default(*own, "the length of the model");
  }

  bool doubles_limits() const {
    const auto mode = decoding_.arguments.string("--performance-mode");
    return mode.value == "throughput";
  }

  Setting<std::int64_t> default_sequences() const {
    constexpr std::int64_t kLargeGpu = 70 * kGib;
    if (decoding_.situation.gpu == nullptr)
      return Setting<std::int64_t>::unknown("the GPU is unknown");
    const bool large = decoding_.situation.gpu->bytes >= kLargeGpu;
    const std::int64_t value = (large ? 1024 : 256) * (doubles_limits() ? 2 : 1);
    return Setting<std::int64_t>::by_default(
        value, large ? "GPUs of 70 GiB and more" : "GPUs below 70 GiB");
  }

  Setting<std::int64_t> default_step_tokens() const {
    constexpr std::int64_t kLargeGpu = 70 * kGib;
    constexpr std::int64_t kHugeGpu = 160 * kGib;
    if (decoding_.situation.gpu == nullptr)
      return Setting<std::int64_t>::unknown("the GPU is unknown");
    const bool large = decoding_.situation.gpu->bytes >= kLargeGpu;
    const bool huge = decoding_.situation.gpu->bytes >= kHugeGpu;
    const auto raised = decoding_.semantics.decided("batch-default-16384");
    if (huge && !raised) {
      return Setting<std::int64_t>::unknown("8192 or 16384, the version leaves it open");
    }
    std::int64_t value = large ? 8192 : 2048;
    std::string reason = large ? "GPUs of 70 GiB and more" : "GPUs below 70 GiB";
    if (huge && *raised) {
      value = 16384;
      reason = "GPUs of 160 GiB and more";
    }
    if (doubles_limits()) value *= 2;
    if (batches_over_ranks()) {
      value = 256;
      reason = "data-parallel experts with this all-to-all backend";
    }
    return Setting<std::int64_t>::by_default(bounded_tokens(value), std::move(reason));
  }

  /// Expert and data parallelism with an all-to-all that wants batches of one size.
  bool batches_over_ranks() const {
    const auto& backend = config_.parallel.all_to_all.value;
    const bool batched = backend == "deepep_low_latency" || backend == "nixl_ep";
    return batched && config_.parallel.data.value_or(1) > 1 &&
           config_.parallel.expert.value_or(1) > 1;
  }

  std::int64_t bounded_tokens(std::int64_t tokens) const {
    const auto length = config_.limits.model_length.value;
    const auto sequences = config_.limits.sequences.value;
    if (config_.limits.chunked_prefill.value == false && length) tokens = std::max(tokens, *length);
    if (!length || !sequences || *length < 1 || *sequences < 1) return tokens;
    return *sequences <= tokens / *length ? *sequences * *length : tokens;
  }

  void bound_sequences() {
    auto& sequences = config_.limits.sequences;
    const auto& tokens = config_.limits.step_tokens.value;
    if (!sequences.value || !tokens || *tokens >= *sequences.value) return;
    sequences.value = *tokens;
    sequences.reason = "no more than the tokens of a step";
  }

  Setting<bool> async_scheduling() const {
    auto setting = decoding_.arguments.boolean("--async-scheduling");
    if (setting.value || !setting.known()) return setting;
    const auto by_default = decoding_.semantics.decided("async-scheduling-default");
    if (!by_default) return Setting<bool>::unknown("the version leaves it open");
    if (!*by_default) return Setting<bool>::by_default(false);
    const auto& method = config_.speculation.method;
    if (!decoding_.speculates) return Setting<bool>::by_default(true);
    const auto taken = method.value ? takes_async_scheduling(*method.value) : std::nullopt;
    if (!taken) return Setting<bool>::unknown("the speculative method decides");
    return Setting<bool>::by_default(*taken, *taken ? "" : "the speculative method forbids it");
  }

  const Decoding& decoding_;
  ServerConfig& config_;
};

}  // namespace

void read_limits(const Decoding& decoding, ServerConfig& config) {
  LimitReader(decoding, config).run();
}

}  // namespace recipelint::serving::vllm
