#include "analyzer/launch/recipe/synthetic_acceptance.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
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

/// The text of the configuration, in which the length comes from whoever gave it.
shell::Value with_origin_of_length(const std::string& text, text::Origin config,
                                   text::Origin length) {
  constexpr std::string_view kKey = "\"synthetic_acceptance_length\":";
  const auto begin = text.rfind(kKey) + kKey.size();
  const auto end = text.find_first_of(",}", begin);
  shell::Value value = shell::Value::of(text.substr(0, begin), config);
  value.append(shell::Value::of(text.substr(begin, end - begin), length));
  value.append(shell::Value::of(text.substr(end), config));
  return value;
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
  return with_origin_of_length(json.dump(), speculative_config.origin(), length.origin());
}

shell::Value shortest_number(const shell::Value& number) {
  const std::optional<double> parsed = to_number(number);
  return parsed ? shell::Value::of(fmt::format("{:g}", *parsed), number.origin()) : number;
}

}  // namespace recipelint::launch::recipe
