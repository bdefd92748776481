#include "analyzer/serving/vllm/config_file.h"

#include <memory>
#include <utility>
#include <variant>

#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"

namespace recipelint::serving::vllm {
namespace {

/// Stands for a hole in YAML, which knows no zero bytes: a character of the private use area.
constexpr std::string_view kYamlHole = "\xEE\x80\x80";

std::string with_yaml_holes(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == kHole) {
      result += kYamlHole;
    } else {
      result += c;
    }
  }
  return result;
}

std::string with_holes(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(kYamlHole)) {
      result += kHole;
      at += kYamlHole.size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

class ConfigFileReader {
 public:
  ConfigFileReader(const Words& words, std::size_t file, const OptionTable& table)
      : words_(words),
        file_(file),
        table_(table),
        source_("config.yaml", with_yaml_holes(words.text(file))) {}

  ConfigFileTokens run() {
    const auto document = yaml::Document::parse(source_);
    if (!document) {
      refuse(document.error());
    } else if ((*document)->root().is_mapping()) {
      for (const auto& entry : (*document)->root().entries()) add_entry(entry.key, entry.value);
    } else if (has_hole(words_.text(file_))) {
      result_.open = words_.cause(words_.whole(file_));
    } else {
      result_.error = "it is no mapping from options to values";
      result_.error_place = words_.whole(file_);
    }
    return std::move(result_);
  }

 private:
  void refuse(const text::Error& error) {
    if (has_hole(words_.text(file_))) {
      // What an unknown piece holds can make it right.
      result_.open = words_.cause(words_.whole(file_));
      return;
    }
    result_.error = error.message;
    result_.error_place = place_of(error.where);
  }

  /// The bytes of the original content: before them, each YAML hole was one byte.
  Place place_of(text::Span span) const {
    const auto offset = [&](std::size_t at) {
      const std::string_view before = source_.bytes().substr(0, at);
      return with_holes(before).size();
    };
    return {file_, offset(span.begin), offset(span.end)};
  }

  void add_option(yaml::Node key, std::string_view prefix) {
    result_.tokens.push_back(
        {std::string(prefix) + with_holes(key.text()), place_of(key.span()), nullptr});
  }

  void add_entry(yaml::Node key, yaml::Node value) {
    if (!key.is_scalar() || has_hole(with_holes(key.text()))) {
      result_.open = words_.cause(place_of(key.span()));
      return;
    }
    if (const auto boolean = value.as_bool()) {
      add_boolean(key, *boolean);
    } else if (value.is_sequence()) {
      if (value.size() == 0) return;
      add_option(key, "--");
      for (std::size_t i = 0; i < value.size(); ++i) add_scalar(value.item(i));
    } else if (value.is_mapping()) {
      add_option(key, "--");
      result_.tokens.push_back(
          {std::string(), place_of(value.span()), std::make_shared<const Json>(json_of(value, 0))});
    } else {
      add_option(key, "--");
      add_scalar(value);
    }
  }

  void add_boolean(yaml::Node key, bool value) {
    if (value) return add_option(key, "--");
    const std::string negation = "--no-" + std::string(key.text());
    // Without a negation, the line has no effect.
    if (table_.find(negation).outcome == OptionTable::Outcome::kOne) add_option(key, "--no-");
  }

  void add_scalar(yaml::Node node) {
    result_.tokens.push_back({python_text(node), place_of(node.span()), nullptr});
  }

  /// What Python's str() makes of it.
  static std::string python_text(yaml::Node node) {
    if (node.is_null()) return "None";
    if (const auto number = node.as_int()) return std::to_string(*number);
    if (const auto boolean = node.as_bool()) return *boolean ? "True" : "False";
    return with_holes(node.text());
  }

  Json json_of(yaml::Node node, int depth) const {
    constexpr int kDeepest = 64;
    Json json;
    json.place = place_of(node.span());
    if (depth > kDeepest) {
      json.kind = Json::Kind::kUnknown;
    } else if (node.is_mapping()) {
      json.kind = Json::Kind::kObject;
      for (const auto& entry : node.entries()) {
        json.members.push_back({std::string(entry.key.text()), place_of(entry.key.span()),
                                json_of(entry.value, depth + 1)});
      }
    } else if (node.is_sequence()) {
      json.kind = Json::Kind::kArray;
      for (std::size_t i = 0; i < node.size(); ++i) {
        json.items.push_back(json_of(node.item(i), depth + 1));
      }
    } else {
      read_scalar(node, json);
    }
    return json;
  }

  static void read_scalar(yaml::Node node, Json& json) {
    json.text = with_holes(node.text());
    if (has_hole(json.text)) {
      json.kind = Json::Kind::kUnknown;
    } else if (node.is_null()) {
      json.kind = Json::Kind::kNull;
    } else if (const auto boolean = node.as_bool()) {
      json.kind = Json::Kind::kBool;
      json.boolean = *boolean;
    } else if (const auto integer = node.as_int()) {
      json.kind = Json::Kind::kInteger;
      json.integer = *integer;
      json.number = static_cast<double>(*integer);
    } else if (const auto scalar = node.scalar();
               const auto* number = std::get_if<double>(&scalar)) {
      json.kind = Json::Kind::kFloat;
      json.number = *number;
    } else {
      json.kind = Json::Kind::kString;
    }
  }

  const Words& words_;
  std::size_t file_;
  const OptionTable& table_;
  text::SourceFile source_;
  ConfigFileTokens result_;
};

}  // namespace

ConfigFileTokens read_config_file(const Words& words, std::size_t file, const OptionTable& table) {
  return ConfigFileReader(words, file, table).run();
}

}  // namespace recipelint::serving::vllm
