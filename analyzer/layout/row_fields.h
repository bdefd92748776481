#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/space/expand.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// What a job measures: each point of the search space can run as a throughput benchmark, and some
/// as an evaluation of answers.
enum class Mode { kThroughput, kEval };
/// "throughput" or "eval".
std::string_view to_string(Mode mode);

/// The text of a field as the workflow receives it, and the place in the search space it comes
/// from.
struct FieldText {
  std::string text;
  /// Invalid if the row does not have the field and a default or a computation gave the text.
  text::Span span;
};

/// The fields of one generated row under the names of `generate_sweep_configs.py`
/// ("tp", "prefill.num-worker", "kv-offload-backend.name"). Valid as long as the row.
class RowFields {
 public:
  /// `concurrency` is an index into row.concurrencies; it is what "conc" gives.
  RowFields(const space::MatrixRow& row, std::size_t concurrency)
      : row_(row), concurrency_(concurrency) {}

  const space::MatrixRow& row() const { return row_; }

  /// A scalar field; nullopt if the row does not have it.
  std::optional<FieldText> find(std::string_view field) const;
  /// An object as GitHub's toJSON prints it (two spaces of indent).
  std::optional<FieldText> json(std::string_view field) const;
  /// All items of a list field.
  std::optional<FieldText> joined(std::string_view field, std::string_view separator) const;

 private:
  const space::MatrixRow& row_;
  std::size_t concurrency_;
};

}  // namespace recipelint::layout
