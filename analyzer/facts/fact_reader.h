#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/facts/date.h"
#include "analyzer/text/result.h"
#include "analyzer/yaml/document.h"

namespace recipelint::facts {

/// Where a fact was read, and when.
struct Evidence {
  std::string source;
  Date date;

  friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// "source, 2026-08-22".
std::string to_string(const Evidence& evidence);

/// Reads the fields of a fact file. The first thing that is wrong is kept with its place; the reads
/// after it give empty values, so that a reader of entries needs one check at its end.
class FactReader {
 public:
  const std::optional<text::Error>& error() const { return error_; }
  bool ok() const { return !error_.has_value(); }
  void fail(yaml::Node where, std::string message);

  /// Fails unless `node` is a mapping that has only these keys, each once.
  void mapping(yaml::Node node, std::initializer_list<std::string_view> keys);
  /// The sequence under `key`; empty if it is missing. Fails on another kind.
  yaml::Node list(yaml::Node node, std::string_view key);

  /// The text of a scalar of any type, as written; fails if it is missing or empty.
  std::string text(yaml::Node node, std::string_view key);
  /// The same, but "" if the key is missing.
  std::string optional_text(yaml::Node node, std::string_view key);
  std::optional<Date> optional_date(yaml::Node node, std::string_view key);
  /// A whole number of at least 1.
  int count(yaml::Node node, std::string_view key);
  /// The keys `source` and `date`, which every fact has.
  Evidence evidence(yaml::Node node);

 private:
  std::optional<text::Error> error_;
};

}  // namespace recipelint::facts
