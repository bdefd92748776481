#include <algorithm>
#include <array>
#include <string_view>

#include "analyzer/serving/sglang/decoding.h"

namespace recipelint::serving::sglang {
namespace {

/// With one of these, the experts lie on all ranks of tensor parallelism (overrides.py 2566-2604).
constexpr std::array<std::string_view, 8> kAllToAllOverTensor = {
    "megamoe", "deepep", "mooncake", "nixl", "ascend_fuseep", "flashinfer", "mori", "pplx"};

class ParallelismReader {
 public:
  ParallelismReader(const Decoding& decoding, ServerConfig& config)
      : arguments_(decoding.arguments), parallel_(config.parallel) {}

  void run() {
    parallel_.tensor = size("--tp-size");
    parallel_.pipeline = size("--pp-size");
    parallel_.data = size("--dp-size");
    parallel_.decode_context = size("--dcp-size");
    parallel_.prefill_context = size("--attn-cp-size");
    parallel_.nodes = size("--nnodes");
    if (const auto ranks = arguments_.integer("--dwdp-size"); ranks.value_or(1) > 1) {
      parallel_.data = parallel_.tensor;  // one rank each, whatever is given
    }
    parallel_.all_to_all = or_default(arguments_.string("--moe-a2a-backend"), std::string("none"));
    if (arguments_.has("--enable-waterfill")) {
      parallel_.all_to_all =
          with_value(parallel_.all_to_all, std::string("deepep"), "waterfill needs this one");
    }
    parallel_.attention_data = attention_data();
    parallel_.expert = expert();
  }

 private:
  Setting<std::int64_t> size(std::string_view name) const {
    return or_default(arguments_.integer(name), std::int64_t{1});
  }

  /// DP attention with one rank is switched off without a word (overrides.py 2401-2404).
  Setting<std::int64_t> attention_data() const {
    const auto enabled = arguments_.boolean("--enable-dp-attention");
    if (!enabled.known()) return Setting<std::int64_t>::unknown(enabled.reason);
    if (!enabled.value) return Setting<std::int64_t>::by_default(1);
    return parallel_.data;
  }

  Setting<std::int64_t> expert() const {
    const auto& all_to_all = parallel_.all_to_all;
    const auto given = size("--ep-size");
    if (!all_to_all.known()) return Setting<std::int64_t>::unknown(all_to_all.reason);
    const auto& backend = *all_to_all.value;
    if (std::ranges::find(kAllToAllOverTensor, backend) == kAllToAllOverTensor.end()) return given;
    Setting<std::int64_t> setting = parallel_.tensor;
    if (setting.value) {
      setting.reason = "the all-to-all '" + backend + "' spreads experts over all tensor ranks";
    }
    return setting;
  }

  const Arguments& arguments_;
  Parallelism& parallel_;
};

}  // namespace

void read_parallelism(const Decoding& decoding, ServerConfig& config) {
  ParallelismReader(decoding, config).run();
}

}  // namespace recipelint::serving::sglang
