#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analyzer/serving/sglang/capture.h"
#include "analyzer/serving/sglang/decoding.h"

namespace recipelint::serving::sglang {
namespace {

/// How much a rank takes on.
class LimitReader {
 public:
  LimitReader(Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), arguments_(decoding.arguments), config_(config) {}

  void run() {
    Limits& limits = config_.limits;
    limits.model_length = model_length();
    decoding_.server_requests = server_requests();
    limits.sequences = of_one_rank(decoding_.server_requests);
    limits.server_sequences = decoding_.server_requests;
    const Number chunk = prefill_chunk();
    limits.chunked_prefill = is_chunked();
    limits.step_tokens = step_tokens(chunk);
    limits.async_scheduling = async_scheduling();
  }

 private:
  using Number = Setting<std::int64_t>;

  Number model_length() const {
    auto setting = arguments_.suffixed_integer("--context-length");
    if (setting.value || !setting.known()) return setting;
    const auto own = decoding_.family() == nullptr
                         ? std::nullopt
                         : decoding_.family()->number("max_position_embeddings");
    if (!own) return Number::unknown("the length of the model is unknown");
    return Number::by_default(*own, "the length of the model");
  }

  /// With speculation, a default that has nothing to do with memory (speculative_hook.py 258-561,
  /// deepseek_v4_hook.py 138).
  Number server_requests() {
    constexpr std::int64_t kLeast = 2048;
    constexpr std::int64_t kMost = 4096;
    constexpr std::int64_t kSpeculative = 48;
    constexpr std::int64_t kSpeculativeV4 = 256;
    auto setting = arguments_.integer("--max-running-requests");
    if (setting.value || !setting.known()) return setting;
    if (!decoding_.speculates) {
      decoding_.least_requests = kLeast;
      decoding_.most_requests = kMost;
      return Number::unknown(
          fmt::format("between {} and {} for the whole server, as memory allows", kLeast, kMost));
    }
    if (decoding_.family() == nullptr) {
      decoding_.least_requests = kSpeculative;
      decoding_.most_requests = kSpeculativeV4;
      return Number::unknown(fmt::format("{} for the whole server, or {} for DeepSeek-V4",
                                         kSpeculative, kSpeculativeV4));
    }
    return Number::by_default(decoding_.is_deepseek_v4() ? kSpeculativeV4 : kSpeculative,
                              "speculation");
  }

  /// The whole server's, divided by the attention ranks; the rest is lost.
  Number of_one_rank(const Number& whole) const {
    const auto& ranks = config_.parallel.attention_data;
    if (!whole.value) return whole;
    if (!ranks.value || *ranks.value < 1) return Number::unknown("the attention ranks are unknown");
    if (*ranks.value == 1) return whole;
    return with_value(whole, *whole.value / *ranks.value,
                      fmt::format("{} for the server, divided by {} attention ranks", *whole.value,
                                  *ranks.value));
  }

  Number prefill_chunk() const {
    auto setting = arguments_.integer("--chunked-prefill-size");
    if (setting.value || !setting.known()) return setting;
    const auto gib = decoding_.gpu_gib();
    if (!gib) return Number::unknown("the GPU is unknown");
    for (const MemoryTier& tier : memory_tiers(true)) {
      if (*gib >= tier.gib_from) {
        return Number::by_default(tier.chunk,
                                  fmt::format("GPUs of {} GiB and more", tier.gib_from));
      }
    }
    return Number::unknown("the GPU is unknown");
  }

  /// No default switches it off.
  Setting<bool> is_chunked() const {
    const auto given = arguments_.integer("--chunked-prefill-size");
    if (!given.value && given.known()) return Setting<bool>::by_default(true);
    Setting<bool> setting;
    setting.source = given.source;
    setting.origin = given.origin;
    setting.span = given.span;
    setting.word = given.word;
    setting.reason = given.reason;
    if (given.value) setting.value = *given.value > 0;
    return setting;
  }

  /// DP attention divides the chunk (server_args.py 6756-6763).
  Number step_tokens(const Number& chunk) const {
    if (!chunk.value) return chunk;
    if (*chunk.value <= 0) {
      return or_default(arguments_.suffixed_integer("--max-prefill-tokens"), std::int64_t{16384});
    }
    return of_one_rank(chunk);
  }

  Setting<bool> async_scheduling() const {
    const auto off = arguments_.boolean("--disable-overlap-schedule");
    if (!off.known()) return Setting<bool>::unknown(off.reason);
    if (off.value) return with_value(off, false);
    if (decoding_.speculates) return Setting<bool>::unknown("the speculative method decides");
    const auto& stages = config_.parallel.pipeline;
    if (!stages.value) return Setting<bool>::unknown(stages.reason);
    return Setting<bool>::by_default(*stages.value == 1,
                                     *stages.value == 1 ? "" : "pipeline parallelism forbids it");
  }

  Decoding& decoding_;
  const Arguments& arguments_;
  ServerConfig& config_;
};

}  // namespace

void read_limits(Decoding& decoding, ServerConfig& config) {
  LimitReader(decoding, config).run();
}

}  // namespace recipelint::serving::sglang
