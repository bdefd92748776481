#include "analyzer/facts/family_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/facts/split.h"

namespace recipelint::facts {
namespace {

struct NeededNumbers {
  std::string_view attention;
  std::string_view numbers;
};

constexpr std::string_view kOfEveryFamily =
    "expert_params max_position_embeddings mtp_expert_params nonexpert_params num_hidden_layers "
    "total_params";

/// What the formulas of each kind of attention need.
constexpr NeededNumbers kNeeded[] = {
    {"gqa", "head_dim num_key_value_heads"},
    {"gqa_gdn",
     "head_dim linear_attention_layers linear_conv_kernel_dim linear_key_head_dim "
     "linear_num_key_heads linear_num_value_heads linear_value_head_dim num_key_value_heads "
     "ssm_state_bytes"},
    {"gqa_msa", "head_dim num_key_value_heads sparse_index_dim sparse_layers"},
    {"gqa_swa", "head_dim num_key_value_heads sliding_attention_layers sliding_window"},
    {"mla", "kv_lora_rank qk_rope_head_dim"},
    {"mla_dsa", "index_head_dim kv_lora_rank qk_rope_head_dim"},
    {"mla_kda",
     "kv_lora_rank linear_attention_layers linear_conv_kernel_dim linear_head_dim linear_heads "
     "qk_rope_head_dim"},
    {"dsv4", "head_dim index_head_dim layers_compressed_128 layers_compressed_4"},
};

/// The numbers of a shape; 0 for one that is not there.
class Shape {
 public:
  explicit Shape(const ModelFamily& family) : family_(family) {}

  std::int64_t operator[](std::string_view name) const { return family_.number(name).value_or(0); }
  bool has(std::string_view name) const { return family_.number(name).has_value(); }

 private:
  const ModelFamily& family_;
};

std::string missing_number(const ModelFamily& family) {
  const auto found = std::ranges::find(kNeeded, family.attention, &NeededNumbers::attention);
  if (found == std::end(kNeeded)) return fmt::format("no attention is '{}'", family.attention);
  for (const auto list : {found->numbers, kOfEveryFamily}) {
    for (const auto name : split(list, ' ')) {
      if (family.number(name).value_or(-1) < 0) {
        return fmt::format("{} attention needs {}", family.attention, name);
      }
    }
  }
  return {};
}

std::string wrong_layers(const Shape& shape) {
  constexpr std::int64_t kMost = 4096;
  const auto layers = shape["num_hidden_layers"];
  if (layers < 1 || layers > kMost) return "num_hidden_layers is from 1 to 4096";
  if (shape["num_nextn_predict_layers"] > kMost || shape["draft_layers"] > kMost) {
    return "there are at most 4096 draft layers";
  }
  for (const std::string_view name :
       {"linear_attention_layers", "sliding_attention_layers", "sparse_layers",
        "layers_with_indexer", "layers_compressed_4", "layers_compressed_128"}) {
    if (shape[name] > layers) return fmt::format("{} is more than num_hidden_layers", name);
  }
  const auto special = shape["linear_attention_layers"] + shape["sliding_attention_layers"];
  if (shape.has("full_attention_layers") && shape["full_attention_layers"] + special != layers) {
    return "the kinds of layers do not add up to num_hidden_layers";
  }
  if (shape["layers_compressed_4"] + shape["layers_compressed_128"] > layers) {
    return "the compressed layers are more than num_hidden_layers";
  }
  return {};
}

std::string wrong_parameters(const Shape& shape, const ModelFamily& family) {
  double parts = 0;
  for (const std::string_view name : {"expert_params", "mtp_expert_params", "nonexpert_params"}) {
    parts += static_cast<double>(shape[name]);
  }
  // Each part is rounded; beyond one percent one of them is wrong.
  const auto total = static_cast<double>(shape["total_params"]);
  if (parts < 0.99 * total || parts > 1.01 * total) return "the parameters do not add up";
  if ((shape["expert_params"] > 0) != family.mixture_of_experts) {
    return "a mixture of experts has expert_params, and nothing else has";
  }
  return {};
}

/// Sizes that formulas multiply and divide.
std::string wrong_size(const ModelFamily& family) {
  constexpr std::int64_t kMostParameters = std::int64_t{1} << 52;
  for (const auto& [name, value] : family.shape) {
    if (value > kMostParameters) return fmt::format("{} is too large", name);
  }
  for (const std::string_view name : {"head_dim", "num_key_value_heads", "kv_lora_rank",
                                      "linear_head_dim", "linear_heads", "linear_value_head_dim"}) {
    if (family.number(name) == 0) return fmt::format("{} is 0", name);
  }
  return {};
}

}  // namespace

std::string wrong_shape(const ModelFamily& family) {
  const Shape shape(family);
  for (auto wrong : {missing_number(family), wrong_layers(shape), wrong_parameters(shape, family),
                     wrong_size(family)}) {
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace recipelint::facts
