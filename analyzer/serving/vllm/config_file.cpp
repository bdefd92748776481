#include "analyzer/serving/vllm/config_file.h"

#include <memory>
#include <string>
#include <utility>

#include "analyzer/serving/yaml_json.h"

namespace recipelint::serving::vllm {
namespace {

class ConfigFileReader {
 public:
  ConfigFileReader(const Words& words, std::size_t file, const OptionTable& table)
      : words_(words), file_(file), table_(table) {}

  ConfigFileTokens run() {
    auto yaml = read_yaml(words_, file_);
    const bool is_object = yaml.root && yaml.root->is(Json::Kind::kObject);
    if (is_object) {
      if (yaml.root->open) result_.open = words_.cause(words_.whole(file_));
      for (Json::Member& member : yaml.root->members) add_entry(std::move(member));
    } else if (has_hole(words_.text(file_))) {
      // What an unknown piece holds can make it right.
      result_.open = words_.cause(words_.whole(file_));
    } else if (!yaml.root) {
      result_.error = std::move(yaml.error);
      result_.error_place = yaml.error_place;
    } else {
      result_.error = "it is no mapping from options to values";
      result_.error_place = words_.whole(file_);
    }
    return std::move(result_);
  }

 private:
  void add_option(const Json::Member& member, std::string_view prefix) {
    result_.tokens.push_back({std::string(prefix) + member.key, member.key_place, nullptr});
  }

  void add_entry(Json::Member member) {
    switch (member.value.kind) {
      case Json::Kind::kBool:
        return add_boolean(member);
      case Json::Kind::kArray:
        if (member.value.items.empty()) return;
        add_option(member, "--");
        for (const Json& item : member.value.items) add_scalar(item);
        return;
      case Json::Kind::kObject: {
        add_option(member, "--");
        const Place place = member.value.place;
        result_.tokens.push_back(
            {std::string(), place, std::make_shared<const Json>(std::move(member.value))});
        return;
      }
      default:
        add_option(member, "--");
        add_scalar(member.value);
    }
  }

  void add_boolean(const Json::Member& member) {
    if (member.value.boolean) return add_option(member, "--");
    // Without a negation, the line has no effect.
    const std::string negation = "--no-" + member.key;
    if (table_.find(negation).outcome == OptionTable::Outcome::kOne) add_option(member, "--no-");
  }

  void add_scalar(const Json& value) {
    result_.tokens.push_back({python_text(value), value.place, nullptr});
  }

  /// What Python's str() makes of it.
  static std::string python_text(const Json& value) {
    switch (value.kind) {
      case Json::Kind::kNull:
        return "None";
      case Json::Kind::kInteger:
        return std::to_string(value.integer);
      case Json::Kind::kBool:
        return value.boolean ? "True" : "False";
      default:
        return value.text;
    }
  }

  const Words& words_;
  std::size_t file_;
  const OptionTable& table_;
  ConfigFileTokens result_;
};

}  // namespace

ConfigFileTokens read_config_file(const Words& words, std::size_t file, const OptionTable& table) {
  return ConfigFileReader(words, file, table).run();
}

}  // namespace recipelint::serving::vllm
