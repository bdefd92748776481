#include "analyzer/facts/fact_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace recipelint::facts {

std::string to_string(const Evidence& evidence) {
  return fmt::format("{}, {}", evidence.source, to_string(evidence.date));
}

void FactReader::fail(yaml::Node where, std::string message) {
  if (ok()) error_ = text::Error{std::move(message), where.span()};
}

void FactReader::mapping(yaml::Node node, std::initializer_list<std::string_view> keys) {
  if (!node.is_mapping()) return fail(node, "a mapping is expected here");
  for (const auto& [key, value] : node.written_entries()) {
    const auto name = key.text();
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
      return fail(key, fmt::format("the key '{}' is not known here", name));
    }
    // Of two equal keys the effective entry has the value of the last.
    if (!(node.find(name) == value)) {
      return fail(key, fmt::format("the key '{}' is there twice", name));
    }
  }
}

yaml::Node FactReader::list(yaml::Node node, std::string_view key) {
  const auto items = node.find(key);
  if (!items) return {};
  if (!items.is_sequence()) fail(items, fmt::format("'{}' is a list", key));
  return ok() ? items : yaml::Node();
}

std::string FactReader::text(yaml::Node node, std::string_view key) {
  std::string value = optional_text(node, key);
  if (value.empty()) fail(node, fmt::format("'{}' is missing", key));
  return value;
}

std::string FactReader::optional_text(yaml::Node node, std::string_view key) {
  const auto value = node.find(key);
  if (!value) return {};
  if (!value.is_scalar() || value.text().empty()) {
    fail(value, fmt::format("'{}' is a text", key));
    return {};
  }
  return std::string(value.text());
}

std::optional<Date> FactReader::optional_date(yaml::Node node, std::string_view key) {
  const std::string text = optional_text(node, key);
  if (text.empty()) return std::nullopt;
  const auto date = parse_date(text);
  if (!date) fail(node.find(key), fmt::format("'{}' is no day", text));
  return date;
}

int FactReader::count(yaml::Node node, std::string_view key) {
  const auto number = node.find(key).as_int();
  if (number && *number >= 1 && *number <= 1'000'000) return static_cast<int>(*number);
  const auto where = node.find(key);
  fail(where ? where : node, fmt::format("'{}' is a number from 1 to 1000000", key));
  return 1;
}

Evidence FactReader::evidence(yaml::Node node) {
  Evidence result{text(node, "source"), {}};
  if (const auto date = optional_date(node, "date")) {
    result.date = *date;
  } else {
    fail(node, "'date' is missing");
  }
  return result;
}

}  // namespace recipelint::facts
