#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/models.h"
#include "analyzer/text/result.h"

namespace recipelint::serving::memory {

/// How keys and values are stored.
enum class KvFormat {
  kBf16,
  kFp8,        // one byte for each number
  kFp8Scaled,  // MLA: one byte, with scales, and the rotary part in bf16 ("fp8_ds_mla")
  kNvfp4,      // half a byte, with a scale for 16 numbers
};
/// "bf16", "fp8", "fp8_ds_mla", "nvfp4".
std::string_view to_string(KvFormat format);

/// How the keys are stored by which sparse attention chooses.
enum class IndexFormat { kBf16, kFp8, kFp4 };
/// "bf16", "fp8", "fp4".
std::string_view to_string(IndexFormat format);

/// One request at full length on one rank, with everything decided that its size depends on.
struct KvRequest {
  double length = 0;      // tokens
  double in_flight = 0;   // tokens of all steps that run at the same time
  double tensor = 1;      // ranks that share the attention heads
  double context = 1;     // ranks that share the tokens of full attention (DCP)
  double block_size = 0;  // tokens of a page; 0: the default of the engine
  KvFormat format = KvFormat::kBf16;
  IndexFormat index = IndexFormat::kFp8;
  double draft_layers = 0;        // MTP layers, or those of a draft model
  double speculative_tokens = 0;  // of a sequence and step
  bool prefix_caching = true;     // states of linear attention are kept for it
  bool hybrid = true;             // false: windows are sized as full attention
  // What else lies in the pools of SGLang and TensorRT-LLM.
  double states = 0;         // of linear attention or of compressors, each of one request
  double state_share = 0;    // states take so many times what keys and values take
  double state_element = 0;  // bytes of a number of a state; 0: as the model says
  double window_ratio = 0;   // tokens of sliding windows for each token (SGLang, DeepSeek-V4)
};

/// A part of what is needed.
struct KvTerm {
  std::string name;
  double bytes = 0;
  /// Grows with the tokens in flight, not with the length.
  bool in_flight = false;
  bool fixed = false;  // grows with neither
};

struct KvNeed {
  std::vector<KvTerm> terms;

  double bytes() const;
};

/// What vLLM asks for one request (kv_cache_utils.py): it does not start with less. Bytes of one
/// rank that has all layers. Fails with the missing fact.
text::Result<KvNeed> kv_need(const facts::ModelFamily& family, const KvRequest& request);

/// Bytes of one token in one layer of MLA with `rank` latent and `rope` rotary numbers.
text::Result<double> mla_row(double rank, double rope, KvFormat format);

/// Bytes of the keys and values of one token in one layer on one rank.
double gqa_row(double heads, double head_size, double tensor, KvFormat format);

}  // namespace recipelint::serving::memory
