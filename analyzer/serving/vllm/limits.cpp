#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analyzer/serving/vllm/conflicts.h"
#include "analyzer/serving/vllm/decoding.h"

namespace recipelint::serving::vllm {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

/// How much a rank takes on: given, or by the defaults for the GPU.
class LimitReader {
 public:
  LimitReader(Decoding& decoding, ServerConfig& config) : decoding_(decoding), config_(config) {}

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

  /// What the memory of a GPU decides.
  enum class GpuClass : std::uint8_t { kSmall, kLarge, kHuge };

  std::vector<GpuClass> possible_classes() const {
    constexpr std::int64_t kLargeGpu = 70 * kGib;
    constexpr std::int64_t kHugeGpu = 160 * kGib;
    const auto* gpu = decoding_.situation.gpu;
    if (gpu == nullptr) return {GpuClass::kSmall, GpuClass::kLarge, GpuClass::kHuge};
    if (gpu->bytes < kLargeGpu) return {GpuClass::kSmall};
    return {gpu->bytes < kHugeGpu ? GpuClass::kLarge : GpuClass::kHuge};
  }

  Setting<std::int64_t> default_sequences() const {
    if (decoding_.situation.gpu == nullptr) {
      return Setting<std::int64_t>::unknown("the GPU is unknown");
    }
    const bool small = possible_classes().front() == GpuClass::kSmall;
    const std::int64_t value = (small ? 256 : 1024) * (doubles_limits() ? 2 : 1);
    return Setting<std::int64_t>::by_default(
        value, small ? "GPUs below 70 GiB" : "GPUs of 70 GiB and more");
  }

  Setting<std::int64_t> default_step_tokens() {
    const auto raised = decoding_.semantics.decided("batch-default-16384");
    std::set<std::int64_t> values;
    for (const GpuClass gpu_class : possible_classes()) {
      for (const bool each : {true, false}) {
        if (!raised || *raised == each) values.insert(step_tokens_of(gpu_class, each));
      }
    }
    if (values.size() == 1) {
      return Setting<std::int64_t>::by_default(*values.begin(),
                                               reason_for_step_tokens(raised.value_or(false)));
    }
    decoding_.step_token_options.assign(values.begin(), values.end());
    return Setting<std::int64_t>::unknown(decoding_.situation.gpu == nullptr
                                              ? "the GPU is unknown"
                                              : "8192 or 16384, the version leaves it open");
  }

  std::int64_t step_tokens_of(GpuClass gpu_class, bool raised) const {
    constexpr std::int64_t kBatchedRanks = 256;
    if (batches_over_ranks()) return bounded_tokens(kBatchedRanks);
    std::int64_t value = gpu_class == GpuClass::kSmall ? 2048 : 8192;
    if (gpu_class == GpuClass::kHuge && raised) value = 16384;
    return bounded_tokens(doubles_limits() ? 2 * value : value);
  }

  std::string reason_for_step_tokens(bool raised) const {
    if (batches_over_ranks()) return "data-parallel experts with this all-to-all backend";
    const auto classes = possible_classes();
    if (classes.size() > 1) return "any GPU";
    if (classes.front() == GpuClass::kSmall) return "GPUs below 70 GiB";
    const bool huge = classes.front() == GpuClass::kHuge && raised;
    return huge ? "GPUs of 160 GiB and more" : "GPUs of 70 GiB and more";
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

  Decoding& decoding_;
  ServerConfig& config_;
};

}  // namespace

void read_limits(Decoding& decoding, ServerConfig& config) {
  LimitReader(decoding, config).run();
}

}  // namespace recipelint::serving::vllm
