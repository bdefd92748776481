#include "analyzer/serving/what_if.h"

#include <nlohmann/json.hpp>

#include "analyzer/serving/decode.h"

namespace recipelint::serving {

launch::Launch with_words(const launch::Launch& launch, const std::vector<std::string>& words) {
  launch::Launch changed = launch;
  for (const std::string& word : words) changed.argv.push_back(shell::Value::of(word));
  return changed;
}

std::optional<launch::Launch> with_key(const launch::Launch& launch, std::size_t word,
                                       std::string_view key, std::string_view json_value) {
  if (word >= launch.argv.size() || !launch.argv[word].is_known()) return std::nullopt;
  const std::string text = launch.argv[word].text();
  const std::size_t begin = text.find('{');
  if (begin == std::string::npos) return std::nullopt;
  auto object = nlohmann::ordered_json::parse(text.substr(begin), nullptr, false);
  auto value = nlohmann::ordered_json::parse(json_value, nullptr, false);
  if (!object.is_object() || value.is_discarded()) return std::nullopt;
  object[std::string(key)] = std::move(value);
  launch::Launch changed = launch;
  changed.argv[word] = shell::Value::of(text.substr(0, begin) + object.dump());
  return changed;
}

std::optional<launch::Launch> with_line(const launch::Launch& launch, std::string_view line) {
  if (launch.config_files.empty()) return std::nullopt;
  launch::Launch changed = launch;
  changed.config_files.back().content.append(shell::Value::of("\n" + std::string(line) + "\n"));
  return changed;
}

std::optional<ServerConfig> decode_in(const launch::Launch& launch, const Setup& setup,
                                      const facts::Catalog& facts) {
  const Situation situation{facts.version_of(setup.image, to_string(launch.engine)), setup.gpu,
                            setup.model, setup.environment};
  return decode(launch, situation, facts);
}

}  // namespace recipelint::serving
