#include "analyzer/serving/memory/kv_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/serving/memory/dsv4_need.h"
#include "analyzer/serving/memory/linear_state.h"
#include "analyzer/serving/memory/shape.h"

namespace recipelint::serving::memory {
namespace {

using text::Error;
using text::Result;

constexpr double kDefaultBlock = 16;
constexpr double kBf16Bytes = 2;

/// Whole pages for a number of tokens, in tokens.
double whole_pages(double tokens, double page) {
  return ceil_div(tokens, page) * page;
}

double block_of(const KvRequest& request) {
  return request.block_size > 0 ? request.block_size : kDefaultBlock;
}

/// Tokens that a rank keeps of a request in a layer of full attention.
double full_tokens(const KvRequest& request) {
  return whole_pages(ceil_div(request.length, request.context), block_of(request));
}

void add(KvNeed& need, std::string name, double bytes, bool in_flight = false) {
  if (bytes > 0) need.terms.push_back({std::move(name), bytes, in_flight, false});
}

double bytes_of_index(double size, IndexFormat format) {
  constexpr double kScale = 4;
  if (format == IndexFormat::kBf16) return size * kBf16Bytes;
  return (format == IndexFormat::kFp8 ? size : size / 2) + kScale;
}

// --- One kind of layers ---

KvNeed gqa_need(const Shape& shape, const KvRequest& request) {
  const double row =
      gqa_row(shape["num_key_value_heads"], shape["head_dim"], request.tensor, request.format);
  const double tokens = full_tokens(request);
  KvNeed need;
  add(need, "keys and values", shape["num_hidden_layers"] * row * tokens);
  add(need, "index keys",
      shape["sparse_layers"] * shape["sparse_index_dim"] *
          (request.index == IndexFormat::kBf16 ? kBf16Bytes : 1) * tokens);
  add(need, "draft layers", request.draft_layers * row * tokens);
  return need;
}

Result<KvNeed> mla_need(const Shape& shape, const KvRequest& request) {
  const auto row = mla_row(shape["kv_lora_rank"], shape["qk_rope_head_dim"], request.format);
  if (!row) return row.error();
  const double tokens = full_tokens(request);
  KvNeed need;
  add(need, "latent keys and values", shape["num_hidden_layers"] * *row * tokens);
  double index_row = 0;
  if (shape.has("index_head_dim"))
    index_row = bytes_of_index(shape["index_head_dim"], request.index);
  const double indexed =
      shape.has("layers_with_indexer") ? shape["layers_with_indexer"] : shape["num_hidden_layers"];
  add(need, "index keys", indexed * index_row * tokens);
  add(need, "draft layers", request.draft_layers * (*row + index_row) * tokens);
  return need;
}

// --- Several kinds of layers that draw pages of one size from one pool ---

KvNeed sliding_need(const Shape& shape, const KvRequest& request) {
  const double row =
      gqa_row(shape["num_key_value_heads"], shape["head_dim"], request.tensor, request.format);
  const double block = block_of(request);
  const double sliding = shape["sliding_attention_layers"];
  const double full = shape["num_hidden_layers"] - sliding + request.draft_layers;
  KvNeed need;
  if (!request.hybrid) {
    add(need, "keys and values", (full + sliding) * row * full_tokens(request));
    return need;
  }
  // Layers are dealt into groups of one size; those of a group have their pages side by side.
  const double most = std::max(full, sliding);
  const double least = std::min(full, sliding);
  const double group = least > 0 && most >= 1.5 * least ? least : most;
  const double window = std::min(shape["sliding_window"] - 1 + request.in_flight, request.length);
  const double window_tokens = (ceil_div(window, block) + 1) * block;
  add(need, "layers with full attention",
      ceil_div(full, group) * group * row * full_tokens(request));
  add(need, "sliding windows", ceil_div(sliding, group) * group * row * window_tokens, true);
  return need;
}

/// The page of attention grows until a state fits into one; everything is counted in such pages.
KvNeed linear_need(const Shape& shape, const KvRequest& request, double row, double granule) {
  const double step = request.block_size > 0 ? request.block_size : granule;
  const double block =
      step * std::max(1.0, ceil_div(linear_state_bytes(shape, request.tensor), step * row));
  const double linear = shape["linear_attention_layers"];
  const double group = shape["num_hidden_layers"] - linear + request.draft_layers;
  const double page = group * block * row;
  const double copies = (request.prefix_caching ? 2 : 1) + request.speculative_tokens;
  KvNeed need;
  add(need, "layers with full attention",
      ceil_div(ceil_div(request.length, request.context), block) * page);
  need.terms.push_back(
      {"states of linear attention", ceil_div(linear, group) * copies * page, false, true});
  return need;
}

Result<KvNeed> hybrid_need(const Shape& shape, const KvRequest& request) {
  if (!request.hybrid) return Error{"what one pool for each kind of layer would take", {}};
  if (shape.has("kv_lora_rank")) {
    constexpr double kGranule = 128;
    const auto row = mla_row(shape["kv_lora_rank"], shape["qk_rope_head_dim"], request.format);
    if (!row) return row.error();
    return linear_need(shape, request, *row, kGranule);
  }
  const double row =
      gqa_row(shape["num_key_value_heads"], shape["head_dim"], request.tensor, request.format);
  return linear_need(shape, request, row, kDefaultBlock);
}

bool plausible(const KvRequest& request) {
  constexpr double kMostTokens = 1e12;
  constexpr double kMostRanks = 1e6;
  const auto between = [](double value, double low, double high) {
    return value >= low && value <= high;
  };
  return between(request.length, 1, kMostTokens) && between(request.in_flight, 0, kMostTokens) &&
         between(request.tensor, 1, kMostRanks) && between(request.context, 1, kMostRanks) &&
         between(request.block_size, 0, kMostTokens) &&
         between(request.draft_layers, 0, kMostRanks) &&
         between(request.speculative_tokens, 0, kMostRanks);
}

}  // namespace

std::string_view to_string(KvFormat format) {
  switch (format) {
    case KvFormat::kBf16:
      return "bf16";
    case KvFormat::kFp8:
      return "fp8";
    case KvFormat::kFp8Scaled:
      return "fp8_ds_mla";
    case KvFormat::kNvfp4:
      break;
  }
  return "nvfp4";
}

std::string_view to_string(IndexFormat format) {
  switch (format) {
    case IndexFormat::kBf16:
      return "bf16";
    case IndexFormat::kFp8:
      return "fp8";
    case IndexFormat::kFp4:
      break;
  }
  return "fp4";
}

double KvNeed::bytes() const {
  double sum = 0;
  for (const KvTerm& term : terms) sum += term.bytes;
  return sum;
}

double gqa_row(double heads, double head_size, double tensor, KvFormat format) {
  // Beyond one head for each rank, heads are replicated.
  const double own_heads = std::max(1.0, std::floor(heads / tensor));
  double element = 1;
  if (format == KvFormat::kBf16) element = kBf16Bytes;
  if (format == KvFormat::kNvfp4) element = 0.5 + 1.0 / 16;
  return 2 * own_heads * head_size * element;
}

Result<double> mla_row(double rank, double rope, KvFormat format) {
  constexpr double kNumbersOfAScale = 128;
  constexpr double kScaleBytes = 4;
  switch (format) {
    case KvFormat::kBf16:
      return (rank + rope) * kBf16Bytes;
    case KvFormat::kFp8:
      return rank + rope;
    case KvFormat::kFp8Scaled:
      return rank + rank / kNumbersOfAScale * kScaleBytes + rope * kBf16Bytes;
    case KvFormat::kNvfp4:
      break;
  }
  return Error{"the layout of nvfp4 for latent attention", {}};
}

Result<KvNeed> kv_need(const facts::ModelFamily& family, const KvRequest& request) {
  if (!plausible(request)) return Error{"a plausible size of the request", {}};
  const Shape shape(family);
  const std::string_view attention = family.attention;
  const bool split_context = request.context > 1;
  if (attention == "gqa" || attention == "gqa_msa") return gqa_need(shape, request);
  if (attention == "mla" || attention == "mla_dsa") return mla_need(shape, request);
  if (split_context && attention != "mla_kda" && attention != "gqa_gdn") {
    return Error{"what context parallelism does to layers with windows", {}};
  }
  if (attention == "gqa_swa") return sliding_need(shape, request);
  if (attention == "mla_kda" || attention == "gqa_gdn") return hybrid_need(shape, request);
  if (attention == "dsv4") return dsv4_need(shape, request);
  return Error{fmt::format("a formula for attention of kind '{}'", attention), {}};
}

}  // namespace recipelint::serving::memory
