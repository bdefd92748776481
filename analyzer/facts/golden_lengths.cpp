#include "analyzer/facts/golden_lengths.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "analyzer/facts/ascii.h"
#include "analyzer/facts/embedded.h"
#include "analyzer/yaml/document.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::string_view, 3> kMethods = {"mtp", "eagle3", "dspark"};
constexpr std::string_view kSamplingKey = "draft_sample_method=";

/// Parts of a checkpoint's name that say nothing about what the model computes.
constexpr std::array<std::string_view, 14> kPrecisions = {
    "fp8", "fp4", "nvfp4", "mxfp4", "mxfp8", "bf16", "int4", "int8", "w4a8", "w4a16",
    "v2",  "v3",  "awq",   "preview"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), to_lower);
  return result;
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string model_name(std::string_view text) {
  std::string name = lower(file_name(text));
  for (auto dash = name.rfind('-'); dash != std::string::npos; dash = name.rfind('-')) {
    const std::string_view part = std::string_view(name).substr(dash + 1);
    if (std::find(kPrecisions.begin(), kPrecisions.end(), part) == kPrecisions.end()) break;
    name.erase(dash);
  }
  return name;
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The method that is a part of the name: "kimik3_dspark.yaml".
std::string method_of(std::string_view path) {
  const std::string name = lower(file_name(path));
  std::string part;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const char byte = i < name.size() ? name[i] : '.';
    if (byte != '_' && byte != '-' && byte != '.') {
      part += byte;
      continue;
    }
    if (std::find(kMethods.begin(), kMethods.end(), part) != kMethods.end()) return part;
    part.clear();
  }
  return {};
}

/// What the comments in front say about the drafts.
std::string sampling_of(std::string_view bytes) {
  while (bytes.starts_with('#')) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    const auto key = line.find(kSamplingKey);
    if (key != std::string_view::npos) {
      const std::string_view value = line.substr(key + kSamplingKey.size());
      return std::string(value.substr(0, value.find_first_of(" |,\r")));
    }
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
  }
  return {};
}

void read_lengths(yaml::Node node, GoldenTable& table) {
  for (const auto& [key, value] : node.entries()) {
    const auto drafted = number_of<std::int64_t>(key.text());
    const auto tokens = number_of<double>(value.text());
    if (drafted && tokens) table.lengths[*drafted] = {*tokens, value.span()};
  }
}

}  // namespace

const GoldenTable::Length* GoldenTable::find(std::int64_t drafted) const {
  const auto found = lengths.find(drafted);
  return found == lengths.end() ? nullptr : &found->second;
}

text::Result<std::vector<GoldenTable>> read_golden_tables(const text::SourceFile& file) {
  const auto document = yaml::Document::parse(file);
  if (!document) return document.error();
  std::vector<GoldenTable> tables;
  const yaml::Node root = (*document)->root();
  if (!root.is_mapping()) return tables;
  GoldenTable table;
  table.file = file_name(file.path());
  table.method = method_of(file.path());
  table.draft_sampling = sampling_of(file.bytes());
  for (const auto& [model, ways] : root.entries()) {
    if (!ways.is_mapping()) continue;
    table.model = model.text();
    for (const auto& [thinking, lengths] : ways.entries()) {
      if (!lengths.is_mapping()) continue;
      table.thinking = thinking.text();
      table.lengths.clear();
      read_lengths(lengths, table);
      tables.push_back(table);
    }
  }
  return tables;
}

const std::vector<GoldenTable>& embedded_golden_tables() {
  // One data file has them all, each under the name of its file.
  static const std::vector<GoldenTable> tables = [] {
    std::vector<GoldenTable> all;
    const text::SourceFile data("golden_lengths.yaml",
                                std::string(embedded_data("golden_lengths.yaml")));
    const auto document = yaml::Document::parse(data);
    if (!document) return all;
    for (const auto& [name, content] : (*document)->root().entries()) {
      GoldenTable table;
      table.file = name.text();
      table.method = method_of(name.text());
      table.model = content.find("model").text();
      table.draft_sampling = content.find("draft-sampling").text();
      for (const std::string_view thinking : {"thinking_on", "thinking_off"}) {
        const yaml::Node lengths = content.find(thinking);
        if (!lengths) continue;
        table.thinking = thinking;
        table.lengths.clear();
        read_lengths(lengths, table);
        // The bytes of the data are no place that a report could show.
        for (auto& [drafted, length] : table.lengths) length.span = {};
        all.push_back(table);
      }
    }
    return all;
  }();
  return tables;
}

bool same_model(std::string_view a, std::string_view b) {
  return model_name(a) == model_name(b);
}

}  // namespace recipelint::facts
