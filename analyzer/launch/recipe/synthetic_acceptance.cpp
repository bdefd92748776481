#include "analyzer/launch/recipe/synthetic_acceptance.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace recipelint::launch::recipe {

shell::Value with_synthetic_acceptance(const shell::Value& speculative_config,
                                       const shell::Value& length) {
  if (!speculative_config.is_known() || !length.is_known()) return speculative_config;
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(speculative_config.text(), nullptr, /*allow_exceptions=*/false);
  const std::string digits = length.text();
  double number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (!json.is_object() || error != std::errc() || stop != digits.data() + digits.size()) {
    return speculative_config;
  }
  json["rejection_sample_method"] = "synthetic";
  json["synthetic_acceptance_length"] = number;
  return shell::Value::of(json.dump(), speculative_config.origin());
}

}  // namespace recipelint::launch::recipe
