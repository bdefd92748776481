#include "analyzer/app/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "analyzer/layout/discover.h"
#include "analyzer/space/key_pattern.h"
#include "analyzer/space/nearest_name.h"
#include "analyzer/text/utf8.h"
#include "analyzer/yaml/document.h"

namespace recipelint::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kKeys = {"profile", "rules",    "exclude",
                                                   "facts",   "baseline", "fail-on"};
constexpr std::string_view kLevelKey = "level";
constexpr std::string_view kProfile = "inferencex";

using MaybeError = std::optional<text::Error>;

text::Error error_at(const text::Span& span, std::string_view message) {
  const text::Position position = span.file->position(span.begin);
  return {text::to_valid_utf8(fmt::format("{}:{}:{}: {}", span.file->path(), position.line,
                                          position.column, message)),
          {}};
}

std::string quoted_list(std::span<const std::string_view> words) {
  return fmt::format("'{}'", fmt::join(words, "', '"));
}

text::Error unknown_key(yaml::Node key, std::span<const std::string_view> known) {
  const std::string_view nearest = space::nearest_name(key.text(), known);
  const std::string hint = nearest.empty() ? fmt::format("; known: {}", quoted_list(known))
                                           : fmt::format("; did you mean '{}'?", nearest);
  return error_at(key.span(), fmt::format("unknown key '{}'{}", key.text(), hint));
}

std::optional<Configuration::Level> level_named(std::string_view word, std::string_view none) {
  if (word == none) return Configuration::Level();
  for (const auto level :
       {findings::Level::kNote, findings::Level::kWarning, findings::Level::kError}) {
    if (word == findings::to_string(level)) return Configuration::Level(level);
  }
  return std::nullopt;
}

/// Fills in one configuration; every member gives what is wrong with its node.
class Reader {
 public:
  explicit Reader(Configuration& configuration) : configuration_(configuration) {}

  MaybeError read(yaml::Node root) {
    if (root.is_null()) return std::nullopt;
    if (!root.is_mapping()) return error_at(root.span(), "a mapping is needed here");
    for (const auto& [key, value] : root.entries()) {
      if (auto error = read_key(key, value)) return error;
    }
    return std::nullopt;
  }

 private:
  MaybeError read_key(yaml::Node key, yaml::Node value) {
    const std::string_view name = key.text();
    if (name == "profile") return read_profile(value);
    if (name == "rules") return read_rules(value);
    if (name == "exclude") return read_exclude(value);
    if (name == "facts") return read_path(value, configuration_.facts);
    if (name == "baseline") return read_path(value, configuration_.baseline);
    if (name == "fail-on") return read_fail_on(value);
    return unknown_key(key, kKeys);
  }

  MaybeError read_profile(yaml::Node value) {
    if (value.is_scalar() && value.text() == kProfile) return std::nullopt;
    if (!value.is_mapping()) {
      return error_at(value.span(),
                      fmt::format("the profile is '{}' or a mapping of its own", kProfile));
    }
    text::Result<layout::Profile> profile = layout::Profile::read(value);
    if (!profile) {
      const text::Error& error = profile.error();
      return error_at(error.where.valid() ? error.where : value.span(), error.message);
    }
    configuration_.profile = std::make_shared<layout::Profile>(std::move(profile).value());
    return std::nullopt;
  }

  MaybeError read_fail_on(yaml::Node value) {
    const auto level = level_named(value.text(), "never");
    if (!level) return error_at(value.span(), "'fail-on' is 'error', 'warning', 'note' or 'never'");
    configuration_.fail_on = *level;
    return std::nullopt;
  }

  static MaybeError read_path(yaml::Node value, std::string& path) {
    const auto normalized = text::normalize_path(value.text());
    if (!value.is_scalar() || value.text().empty()) {
      return error_at(value.span(), "a path is needed here");
    }
    if (!normalized || normalized->empty()) {
      return error_at(value.span(),
                      fmt::format("the path '{}' leads out of the root", value.text()));
    }
    path = *normalized;
    return std::nullopt;
  }

  MaybeError read_exclude(yaml::Node list) {
    if (!list.is_sequence()) return error_at(list.span(), "'exclude' is a list of paths");
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (auto error = read_path(list.item(i), configuration_.exclude.emplace_back())) return error;
    }
    return std::nullopt;
  }

  MaybeError read_rules(yaml::Node mapping) {
    if (!mapping.is_mapping()) return error_at(mapping.span(), "'rules' maps names to settings");
    for (const auto& [key, value] : mapping.entries()) {
      const rules::Rule* rule = rules::find_rule(key.text());
      if (rule == nullptr) return unknown_rule(key);
      if (!value.is_mapping()) {
        return error_at(value.span(), fmt::format("write '{}: {{level: note}}'", key.text()));
      }
      for (const auto& [option, setting] : value.entries()) {
        if (auto error = read_option(*rule, option, setting)) return error;
      }
    }
    return std::nullopt;
  }

  static text::Error unknown_rule(yaml::Node key) {
    std::vector<std::string_view> names;
    for (const rules::Rule& rule : rules::catalog()) {
      names.insert(names.end(), {rule.id, rule.name});
    }
    const std::string_view nearest = space::nearest_name(key.text(), names);
    const std::string hint = nearest.empty() ? std::string("; see: recipelint rules")
                                             : fmt::format("; did you mean '{}'?", nearest);
    return error_at(key.span(), fmt::format("no rule is called '{}'{}", key.text(), hint));
  }

  MaybeError read_option(const rules::Rule& rule, yaml::Node key, yaml::Node value) {
    if (key.text() == kLevelKey) {
      const auto level = level_named(value.text(), "off");
      if (!level) return error_at(value.span(), "'level' is 'error', 'warning', 'note' or 'off'");
      configuration_.levels.insert_or_assign(std::string(rule.id), *level);
      return std::nullopt;
    }
    std::vector<std::string_view> known = {kLevelKey};
    for (const RuleOption& option : rule_options()) {
      if (option.rule != rule.id) continue;
      if (option.key == key.text()) return set_option(option, value);
      known.push_back(option.key);
    }
    return unknown_key(key, known);
  }

  MaybeError set_pull_request(const RuleOption& option, yaml::Node value) {
    if (!configuration_.pull_request) configuration_.pull_request.emplace();
    layout::PullRequestContract& contract = *configuration_.pull_request;
    if (!option.is_list) {
      if (!value.is_scalar() || value.text().empty()) {
        return error_at(value.span(), fmt::format("'{}' is a text", option.key));
      }
      (option.key == "title" ? contract.title : contract.chinese_heading) = value.text();
      return std::nullopt;
    }
    if (!value.is_sequence()) {
      return error_at(value.span(), fmt::format("'{}' is a list of texts", option.key));
    }
    auto& texts = option.key == "headings" ? contract.headings : contract.phrases;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const yaml::Node item = value.item(i);
      if (!item.is_scalar() || item.text().empty()) {
        return error_at(item.span(), fmt::format("'{}' is a list of texts", option.key));
      }
      texts.emplace_back(item.text());
    }
    return std::nullopt;
  }

  MaybeError set_option(const RuleOption& option, yaml::Node value) {
    if (option.values.empty()) return set_pull_request(option, value);
    const auto found = std::find(option.values.begin(), option.values.end(), value.text());
    if (found == option.values.end()) {
      return error_at(value.span(),
                      fmt::format("'{}' is one of {}", option.key, quoted_list(option.values)));
    }
    configuration_.image_pinning = *found == "digest" ? rules::RuleOptions::ImagePinning::kDigest
                                                      : rules::RuleOptions::ImagePinning::kVersion;
    return std::nullopt;
  }

  Configuration& configuration_;
};

/// The file in a folder, read without following links out of it.
text::Result<Configuration> read_in(const text::FileTree& folder, const std::string& name,
                                    const std::string& shown_as) {
  auto bytes = folder.read(name);
  if (!bytes) return bytes.error();
  return read_configuration(text::SourceFile(shown_as, std::move(bytes).value()));
}

text::Result<Configuration> read_named(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::canonical(path, error);
  if (error) {
    return text::Error{fmt::format("--config: cannot read '{}': {}", path, error.message()), {}};
  }
  const auto folder = text::DiskTree::open(resolved.parent_path().string());
  if (!folder) return folder.error();
  return read_in(*folder, resolved.filename().string(), path);
}

}  // namespace

bool Configuration::excludes(std::string_view path) const {
  for (std::string_view part = path; !part.empty(); part = text::parent_path(part)) {
    const bool matches = std::any_of(exclude.begin(), exclude.end(), [&](const std::string& glob) {
      return space::matches_glob(glob, part);
    });
    if (matches) return true;
  }
  return false;
}

Configuration::Level Configuration::level_of(const findings::Finding& finding) const {
  const auto configured = levels.find(finding.rule);
  if (configured == levels.end()) return finding.level;
  if (!configured->second) return std::nullopt;
  const rules::Rule* rule = rules::find_rule(finding.rule);
  const bool below_default = rule != nullptr && finding.level < rule->level;
  return below_default ? std::min(finding.level, *configured->second) : *configured->second;
}

text::Result<Configuration> read_configuration(const text::SourceFile& file) {
  const auto document = yaml::Document::parse(file);
  if (!document) {
    const text::Error& error = document.error();
    return error.where.valid() ? error_at(error.where, error.message)
                               : text::Error{fmt::format("{}: {}", file.path(), error.message), {}};
  }
  if (const auto repeated = (*document)->duplicate_keys(); !repeated.empty()) {
    const yaml::Node key = repeated.front().repeated;
    return error_at(key.span(), fmt::format("the key '{}' is there twice", key.text()));
  }
  Configuration configuration;
  if (auto error = Reader(configuration).read((*document)->root())) return *std::move(error);
  return configuration;
}

text::Result<Configuration> load_configuration(const SharedOptions& options,
                                               const text::FileTree& root) {
  if (options.no_config) return Configuration();
  if (!options.config.empty()) return read_named(options.config);
  const std::string name(layout::kConfigurationName);
  if (root.kind(name) == text::EntryKind::kMissing) return Configuration();
  return read_in(root, name, name);
}

std::span<const std::string_view> configuration_keys() {
  return kKeys;
}

std::span<const RuleOption> rule_options() {
  static const std::array<RuleOption, 5> options = {
      RuleOption{"RL3001", "immutable", {"version", "digest"}},
      RuleOption{"RL9006", "title", {}},
      RuleOption{"RL9006", "headings", {}, true},
      RuleOption{"RL9006", "chinese-heading", {}},
      RuleOption{"RL9006", "phrases", {}, true},
  };
  return options;
}

}  // namespace recipelint::app
