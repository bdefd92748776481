#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/facts/table.h"

namespace recipelint::facts {

/// Models of one shape.
struct ModelFamily {
  std::string_view name;
  std::vector<std::string_view> architectures;  // as config.json names them; never empty
  std::string_view attention;  // "gqa", "mla", "dsv4": which formula sizes the KV cache
  bool mixture_of_experts = false;
  std::vector<std::pair<std::string_view, std::int64_t>> shape;  // sorted by name
  std::string_view note;
  const Evidence* evidence = nullptr;

  /// A number of the shape ("max_position_embeddings"); nullopt if it is not known.
  std::optional<std::int64_t> number(std::string_view shape_name) const;
};

/// One checkpoint.
struct Model {
  enum class KvScheme : std::uint8_t { kUnknown, kNone, kFp8 };

  std::string_view repository;  // "deepseek-ai/DeepSeek-V4-Pro"
  const ModelFamily* family = nullptr;
  std::string_view precision;              // of the weights
  std::optional<std::int64_t> bytes_low;   // of the weights, at least
  std::optional<std::int64_t> bytes_high;  // at most
  std::string_view confidence;
  /// What its own quantization settings say about the KV cache.
  KvScheme kv_scheme = KvScheme::kUnknown;
  std::string_view kv_auto;  // what engines make of "auto", in words
  std::string_view note;
  const Evidence* evidence = nullptr;
};

/// One kind of GPU.
struct Gpu {
  std::string_view name;          // "b200"
  std::string_view architecture;  // "sm_100", "gfx950"
  std::int64_t bytes = 0;         // of memory, as the driver reports them
  std::int64_t per_node = 0;
  std::int64_t nvlink_domain = 0;
  const Evidence* evidence = nullptr;

  bool is_rocm() const { return architecture.starts_with("gfx"); }
  /// Data-centre Blackwell: compute capability 10.x.
  bool is_sm_10x() const { return architecture.starts_with("sm_10"); }
};

/// What is known about models and GPUs.
class ModelFacts {
 public:
  // Columns of the tables, and how many of them make a row what it is.
  static constexpr std::size_t kFamilyColumns = 6, kModelColumns = 9, kGpuColumns = 5;
  static constexpr std::size_t kKeys = 1;

  /// Takes the tables of data/model_families.tsv, models.tsv and gpus.tsv. The bytes must outlive
  /// the facts. Fails with the table and line of what is wrong.
  static text::Result<ModelFacts> read(Table families, Table models, Table gpus);

  const std::vector<ModelFamily>& families() const { return families_; }
  const std::vector<Model>& models() const { return models_; }  // sorted by repository
  const std::vector<Gpu>& gpus() const { return gpus_; }        // sorted by name

  /// A model by its repository, or by a path or an alias that ends in the name of exactly one; null
  /// if there is none.
  const Model* find_model(std::string_view name) const;
  /// By its name in any case ("B200"); null if there is none.
  const Gpu* find_gpu(std::string_view name) const;

 private:
  ModelFacts() = default;
  std::optional<text::Error> read_families();
  std::optional<text::Error> read_models();
  std::optional<text::Error> read_gpus();

  // The tables own the evidence that the entries refer to.
  Table family_table_;
  Table model_table_;
  Table gpu_table_;
  std::vector<ModelFamily> families_;
  std::vector<Model> models_;
  std::vector<Gpu> gpus_;
};

}  // namespace recipelint::facts
