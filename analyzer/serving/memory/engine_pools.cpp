#include "analyzer/serving/memory/engine_pools.h"

#include <algorithm>
#include <cmath>

#include "analyzer/serving/memory/linear_state.h"
#include "analyzer/serving/memory/shape.h"

namespace recipelint::serving::memory {
namespace {

using launch::Engine;
using text::Error;
using text::Result;

// --- Layers of linear attention, whose states lie beside the pool of tokens ---

Result<double> attention_row(const Shape& shape, const KvRequest& request) {
  if (shape.has("kv_lora_rank")) {
    return mla_row(shape["kv_lora_rank"], shape["qk_rope_head_dim"], request.format);
  }
  return gqa_row(shape["num_key_value_heads"], shape["head_dim"], request.tensor, request.format);
}

Result<KvNeed> linear_pool_need(const Shape& shape, const KvRequest& request, double tokens) {
  const auto row = attention_row(shape, request);
  if (!row) return row.error();
  const double linear = shape["linear_attention_layers"];
  const double full = shape["num_hidden_layers"] - linear + request.draft_layers;
  const double state = linear_state_bytes(shape, request.tensor, request.state_element);
  KvNeed need{{{"layers with full attention", full * *row * tokens, false, false}}};
  if (request.state_share > 0) {
    need.terms.push_back({"share of the states of linear attention",
                          request.state_share * full * *row * tokens, false, false});
  }
  if (request.states > 0) {
    need.terms.push_back(
        {"states of linear attention", request.states * linear * state, false, true});
  }
  return need;
}

bool has_linear_layers(const facts::ModelFamily& family) {
  return family.attention == "gqa_gdn" || family.attention == "mla_kda";
}

// --- SGLang ---

/// DeepSeek-V4 (pool_configurator.py): the pool is divided so that for each of its tokens there are
/// `window_ratio` tokens of the sliding windows. What compressors by 128 keep comes off first.
Result<KvNeed> sglang_dsv4_need(const Shape& shape, const KvRequest& request) {
  constexpr double kRotary = 64;
  constexpr double kScales = 8;
  constexpr double kRing = 8;
  constexpr double kRingUnderSpeculation = 16;
  constexpr double kPage = 128;
  constexpr double kStateRow = 10'240;  // of a compressor by 4 and of its index, in fp32
  constexpr double kStateBy128 = 1.01 * kGib / 64;
  if (request.format != KvFormat::kFp8) {
    return Error{"the layout of SGLang for compressed attention in this KV cache dtype", {}};
  }
  const double row = shape["head_dim"] - kRotary + kScales + 2 * kRotary;
  const double layers = shape["num_hidden_layers"];
  const double by_4 = shape["layers_compressed_4"];
  const double by_128 = shape["layers_compressed_128"];
  const double ring = request.speculative_tokens > 0 ? kRingUnderSpeculation : kRing;
  const double windows = request.window_ratio * (row * layers + ring / kPage * kStateRow * by_4);
  const double all = (layers + request.draft_layers) / layers * request.length;
  KvNeed need{{{"compressed keys and values", (by_4 / 4 + by_128 / 128) * row * all, false, false},
               {"index keys", by_4 / 4 * (shape["index_head_dim"] + 4) * all, false, false},
               {"share of the sliding windows", windows * all, false, false}}};
  if (request.states > 0) {
    need.terms.push_back({"states of the compressors", request.states * kStateBy128, false, true});
  }
  return need;
}

/// Every layer has an index, and tokens are counted one by one (pool_configurator.py).
Result<KvNeed> sglang_need(const facts::ModelFamily& family, KvRequest request) {
  const Shape shape(family);
  request.block_size = 1;
  if (family.attention == "dsv4") return sglang_dsv4_need(shape, request);
  if (has_linear_layers(family)) return linear_pool_need(shape, request, request.length);
  if (family.attention == "mla_dsa") {
    const auto row = mla_row(shape["kv_lora_rank"], shape["qk_rope_head_dim"], request.format);
    if (!row) return row.error();
    const double layers = shape["num_hidden_layers"] + request.draft_layers;
    const double index = shape["index_head_dim"] + 4;
    return KvNeed{{{"latent keys and values", layers * *row * request.length, false, false},
                   {"index keys", layers * index * request.length, false, false}}};
  }
  if (family.attention == "gqa" || family.attention == "mla" || family.attention == "gqa_msa") {
    return kv_need(family, request);
  }
  return Error{"how SGLang divides its pool for this kind of model", {}};
}

// --- TensorRT-LLM ---

/// The index is charged by the block, and as wide as the numbers of the cache
/// (resource_manager.py).
Result<KvNeed> trtllm_dsa_need(const Shape& shape, const KvRequest& request, double tokens) {
  constexpr double kIndexBlock = 64;
  const auto row = mla_row(shape["kv_lora_rank"], shape["qk_rope_head_dim"], request.format);
  if (!row) return row.error();
  const double element = request.format == KvFormat::kBf16 ? 2 : 1;
  const double layers = shape["num_hidden_layers"] + request.draft_layers;
  const double index = element * (shape["index_head_dim"] + 4) * kIndexBlock / request.block_size;
  return KvNeed{{{"latent keys and values", layers * *row * tokens, false, false},
                 {"index keys", layers * index * tokens, false, false}}};
}

Result<KvNeed> trtllm_need(const facts::ModelFamily& family, KvRequest request) {
  constexpr double kBlock = 32;
  if (request.block_size <= 0) request.block_size = kBlock;
  const Shape shape(family);
  const double tokens = ceil_div(request.length, request.block_size) * request.block_size;
  if (family.attention == "gqa" || family.attention == "mla") return kv_need(family, request);
  if (family.attention == "mla_dsa") return trtllm_dsa_need(shape, request, tokens);
  if (has_linear_layers(family)) return linear_pool_need(shape, request, tokens);
  if (family.attention == "dsv4") {
    return Error{"the layout of compressed attention in TensorRT-LLM", {}};
  }
  if (family.attention == "gqa_msa") return Error{"the layout of index keys in TensorRT-LLM", {}};
  return Error{"how TensorRT-LLM divides its pool for this kind of model", {}};
}

// --- ATOM ---

/// An entry of DeepSeek-V4: 512 numbers in fp8 with 64 rotary ones in bf16 behind them, or bf16.
double atom_dsv4_row(double head_size, KvFormat format) {
  constexpr double kRotary = 64;
  return format == KvFormat::kBf16 ? 2 * head_size : head_size + 2 * kRotary;
}

KvNeed atom_dsv4_need(const Shape& shape, const KvRequest& request) {
  constexpr double kBlock = 256;
  const double by_4 = shape["layers_compressed_4"];
  const double by_128 = shape["layers_compressed_128"];
  const double blocks = ceil_div(request.length, kBlock);
  const double rows = by_4 * kBlock / 4 + by_128 * kBlock / 128;
  const double index = by_4 * kBlock / 4 * (shape["index_head_dim"] + 4);
  const double row = atom_dsv4_row(shape["head_dim"], request.format);
  return {{{"compressed keys and values", blocks * rows * row, false, false},
           {"index keys", blocks * index, false, false}}};
}

Result<KvNeed> atom_need(const facts::ModelFamily& family, const KvRequest& request) {
  const Shape shape(family);
  constexpr double kBlock = 16;
  constexpr double kScaleBytes = 4;
  const double tokens =
      ceil_div(request.length, request.block_size > 0 ? request.block_size : kBlock) *
      (request.block_size > 0 ? request.block_size : kBlock);
  const double full =
      shape["num_hidden_layers"] - shape["linear_attention_layers"] + request.draft_layers;
  if (family.attention == "dsv4") return atom_dsv4_need(shape, request);
  if (shape.has("kv_lora_rank")) {
    const auto row = mla_row(shape["kv_lora_rank"], shape["qk_rope_head_dim"], request.format);
    if (!row) return row.error();
    KvNeed need{{{"latent keys and values", full * *row * tokens, false, false}}};
    if (family.attention == "mla_dsa") {
      const double index = ceil_div(shape["index_head_dim"] + 4, kBlock) * kBlock;
      need.terms.push_back({"index keys", full * index * tokens, false, false});
    }
    return need;
  }
  const double heads = std::max(1.0, std::floor(shape["num_key_value_heads"] / request.tensor));
  const double row =
      gqa_row(shape["num_key_value_heads"], shape["head_dim"], request.tensor, request.format) +
      2 * heads * kScaleBytes;
  KvNeed need{{{"keys and values", full * row * tokens, false, false}}};
  const double index_bytes = request.index == IndexFormat::kBf16 ? 2 : 1;
  const double index = shape["sparse_layers"] * shape["sparse_index_dim"] * index_bytes;
  if (index > 0) need.terms.push_back({"index keys", index * tokens, false, false});
  return need;
}

}  // namespace

Result<KvNeed> pool_need(Engine engine, const facts::ModelFamily& family,
                         const KvRequest& request) {
  switch (engine) {
    case Engine::kSglang:
      return sglang_need(family, request);
    case Engine::kTensorRtLlm:
      return trtllm_need(family, request);
    case Engine::kAtom:
      return atom_need(family, request);
    default:
      return Error{"the engine", {}};
  }
}

Interval pool_of(const MemoryQuestion& question, const Interval& weights, double total) {
  // ATOM keeps 2 percent of the GPU back.
  constexpr double kAtomReserve = 0.02;
  const Interval& fraction = question.fraction;
  const double reserve = question.engine == Engine::kAtom ? kAtomReserve * total : 0;
  if (question.engine == Engine::kTensorRtLlm) {
    // A fraction of what the weights leave.
    return {fraction.low * (total - weights.high), fraction.nominal * (total - weights.nominal),
            fraction.high * (total - weights.low)};
  }
  return {fraction.low * total - weights.high - reserve,
          fraction.nominal * total - weights.nominal - reserve,
          fraction.high * total - weights.low - reserve};
}

}  // namespace recipelint::serving::memory
