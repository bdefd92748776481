#include "analyzer/launch/recipe/synthetic_acceptance.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace recipelint::launch::recipe {
namespace {

std::optional<double> to_number(const shell::Value& value) {
  if (!value.is_known()) return std::nullopt;
  const std::string digits = value.text();
  double number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

shell::Value with_synthetic_acceptance(const shell::Value& speculative_config,
                                       const shell::Value& length) {
  const std::optional<double> number = to_number(length);
  if (!speculative_config.is_known() || !number) return speculative_config;
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(speculative_config.text(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return speculative_config;
  json["rejection_sample_method"] = "synthetic";
  json["synthetic_acceptance_length"] = *number;
  return shell::Value::of(json.dump(), speculative_config.origin());
}

shell::Value shortest_number(const shell::Value& number) {
  const std::optional<double> parsed = to_number(number);
  return parsed ? shell::Value::of(fmt::format("{:g}", *parsed), number.origin()) : number;
}

}  // namespace recipelint::launch::recipe
