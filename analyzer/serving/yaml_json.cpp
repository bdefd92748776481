#include "analyzer/serving/yaml_json.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"

namespace recipelint::serving {
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
  if (text.find(kYamlHole) == std::string_view::npos) return std::string(text);
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

class YamlReader {
 public:
  YamlReader(const Words& words, std::size_t file)
      : words_(words), file_(file), source_("config.yaml", with_yaml_holes(words.text(file))) {
    const std::string_view bytes = source_.bytes();
    for (auto at = bytes.find(kYamlHole); at != std::string_view::npos;
         at = bytes.find(kYamlHole, at + kYamlHole.size())) {
      hole_ends_.push_back(at + kYamlHole.size());
    }
  }

  YamlJson run() {
    YamlJson result;
    const auto document = yaml::Document::parse(source_);
    if (document) {
      result.root = json_of((*document)->root(), 0);
    } else if (!has_hole(words_.text(file_))) {
      result.error = document.error().message;
      result.error_place = place_of(document.error().where);
    }
    return result;
  }

 private:
  /// The bytes of the original content: before them, each YAML hole was one byte.
  Place place_of(text::Span span) const {
    const auto offset = [&](std::size_t at) {
      const auto behind = std::upper_bound(hole_ends_.begin(), hole_ends_.end(), at);
      const auto holes = static_cast<std::size_t>(behind - hole_ends_.begin());
      return at - holes * (kYamlHole.size() - 1);
    };
    return {file_, offset(span.begin), offset(span.end)};
  }

  Json json_of(yaml::Node node, int depth) const {
    constexpr int kDeepest = 64;
    Json json;
    json.place = place_of(node.span());
    if (depth > kDeepest) {
      json.kind = Json::Kind::kUnknown;
    } else if (node.is_mapping()) {
      json.kind = Json::Kind::kObject;
      for (const auto& entry : node.entries()) add_member(json, entry.key, entry.value, depth);
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

  void add_member(Json& json, yaml::Node key, yaml::Node value, int depth) const {
    if (!key.is_scalar()) return;
    std::string name = with_holes(key.text());
    if (has_hole(name)) {
      json.open = true;
      return;
    }
    json.members.push_back({std::move(name), place_of(key.span()), json_of(value, depth + 1)});
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
  text::SourceFile source_;
  /// Where the holes of the source end, in order.
  std::vector<std::size_t> hole_ends_;
};

}  // namespace

YamlJson read_yaml(const Words& words, std::size_t file) {
  return YamlReader(words, file).run();
}

}  // namespace recipelint::serving
