#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/facts/release.h"
#include "analyzer/facts/table.h"

namespace recipelint::facts {

/// How a checkpoint stores the weights of its experts.
struct WeightFormat {
  std::string_view precision;              // as models.tsv has it
  double bytes_per_parameter = 0;          // of experts, with their scales
  bool drafts_may_be_unquantized = false;  // the experts of MTP layers may be stored as bf16
  /// Engines may pad the width of experts that are cut to a multiple of it; 0: they do not.
  std::int64_t padded_width = 0;
  const Evidence* evidence = nullptr;
};

/// What an engine's own log said about the memory of one launch.
struct MemoryMeasurement {
  std::string_view engine;
  std::string_view family;
  std::string_view precision;  // of the checkpoint
  std::string_view gpu;
  std::optional<Release> release;
  std::int64_t tensor = 1;
  std::int64_t data = 1;
  std::int64_t expert = 1;
  std::optional<double> fraction;  // of the memory of the GPU
  std::optional<std::int64_t> step_tokens;
  std::string_view speculation;  // the method, or "none"; empty: not said
  // GiB of one GPU.
  std::optional<double> weights;
  std::optional<double> overhead;   // neither weights nor KV cache
  std::optional<double> available;  // for the KV cache
  std::string_view note;
  const Evidence* evidence = nullptr;
};

/// What is known about the memory of servers besides the shapes of models.
class MemoryFacts {
 public:
  // Columns of the tables, and how many of them make a row what it is.
  static constexpr std::size_t kFormatColumns = 4, kFormatKeys = 1;
  static constexpr std::size_t kMeasurementColumns = 15, kMeasurementKeys = 11;

  /// Takes the tables of data/weight_formats.tsv and memory_measurements.tsv. The bytes must
  /// outlive the facts. Fails with the table and line of what is wrong.
  static text::Result<MemoryFacts> read(Table formats, Table measurements);

  /// Null if nothing is known about this precision.
  const WeightFormat* find_format(std::string_view precision) const;
  const std::vector<WeightFormat>& formats() const { return formats_; }
  const std::vector<MemoryMeasurement>& measurements() const { return measurements_; }

 private:
  MemoryFacts() = default;
  std::optional<text::Error> read_formats();
  std::optional<text::Error> read_measurements();

  // The tables own the evidence that the entries refer to.
  Table format_table_;
  Table measurement_table_;
  std::vector<WeightFormat> formats_;
  std::vector<MemoryMeasurement> measurements_;
};

}  // namespace recipelint::facts
