#include "analyzer/layout/profile.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "analyzer/facts/embedded.h"
#include "analyzer/layout/decisions.h"
#include "analyzer/text/source_file.h"

namespace recipelint::layout {
namespace {

constexpr std::array<std::string_view, 2> kModeVariables = {"EVAL_ONLY", "RUN_EVAL"};

bool asks_for_mode(const std::vector<Condition>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
    return std::find(kModeVariables.begin(), kModeVariables.end(), condition.name) !=
           kModeVariables.end();
  });
}

/// Whether the mode decides which script, recipe or error a step leads to.
bool asks_for_mode(const Step& step) {
  const bool asks = asks_for_mode(step.guard.when) || asks_for_mode(step.guard.unless);
  const bool decides = step.reject || !step.scripts.empty() || step.recipe || !step.local.empty();
  return (asks && (decides || !step.first.empty())) ||
         std::any_of(step.first.begin(), step.first.end(),
                     [](const Step& alternative) { return asks_for_mode(alternative); });
}

/// Reads the parts of a profile; the first thing that is wrong ends it.
class Reader {
 public:
  Profile profile(yaml::Node root);
  bool failed() const { return error_.has_value(); }
  const text::Error& error() const { return *error_; }

 private:
  using KeyReader = std::function<void(std::string_view key, yaml::Node value)>;

  void fail(yaml::Node node, std::string message);
  /// Calls `read` for each entry of a mapping.
  void each_key(yaml::Node node, const KeyReader& read);
  void unknown_key(std::string_view key, yaml::Node node);

  std::string word(yaml::Node node);
  std::vector<std::string> words(yaml::Node node);
  bool truth(yaml::Node node);
  Importer importer(yaml::Node node);
  TextTemplate text_template(yaml::Node node);
  std::vector<TextTemplate> templates(yaml::Node node);
  std::vector<Assignment> assignments(yaml::Node node);
  std::vector<Condition> conditions(yaml::Node node);
  bool read_guard(Guard& guard, std::string_view key, yaml::Node value);

  Folders folders(yaml::Node node);
  MovedFolder moved(yaml::Node node);
  PullRequestContract pull_request(yaml::Node node);
  Overlay overlay(yaml::Node node);
  Checkout checkout(yaml::Node node);
  RecipeEdit edit(yaml::Node node);
  std::shared_ptr<const RecipeRule> recipe(yaml::Node node);
  Step step(yaml::Node node);
  Launcher launcher(yaml::Node node);

  template <typename T>
  std::vector<T> list(yaml::Node node, T (Reader::*read)(yaml::Node)) {
    std::vector<T> items;
    if (!node.is_sequence()) fail(node, "expected a list");
    for (std::size_t i = 0; i < node.size() && !failed(); ++i) {
      items.push_back((this->*read)(node.item(i)));
    }
    return items;
  }

  std::string recipes_folder_;
  std::optional<text::Error> error_;
};

void Reader::fail(yaml::Node node, std::string message) {
  if (!error_) error_ = text::Error{std::move(message), node ? node.span() : text::Span{}};
}

void Reader::each_key(yaml::Node node, const KeyReader& read) {
  if (!node.is_mapping()) return fail(node, "expected a mapping");
  for (const yaml::Node::Entry& entry : node.entries()) {
    if (failed()) return;
    read(entry.key.text(), entry.value);
  }
}

void Reader::unknown_key(std::string_view key, yaml::Node node) {
  fail(node, "unknown key '" + std::string(key) + "'");
}

std::string Reader::word(yaml::Node node) {
  if (!node.is_scalar()) fail(node, "expected a text");
  return std::string(node.text());
}

std::vector<std::string> Reader::words(yaml::Node node) {
  if (node.is_sequence()) return list(node, &Reader::word);
  return {word(node)};
}

bool Reader::truth(yaml::Node node) {
  const std::optional<bool> value = node.as_bool();
  if (!value) fail(node, "expected true or false");
  return value.value_or(false);
}

Importer Reader::importer(yaml::Node node) {
  if (node.text() == "enroot") return Importer::kEnroot;
  if (node.text() == "docker") return Importer::kDocker;
  if (node.text() != "rewrites") fail(node, "expected 'enroot', 'docker' or 'rewrites'");
  return Importer::kRewrites;
}

TextTemplate Reader::text_template(yaml::Node node) {
  text::Result<TextTemplate> result = TextTemplate::parse(word(node));
  if (result) return std::move(result).value();
  fail(node, result.error().message);
  return {};
}

std::vector<TextTemplate> Reader::templates(yaml::Node node) {
  return list(node, &Reader::text_template);
}

std::vector<Assignment> Reader::assignments(yaml::Node node) {
  std::vector<Assignment> result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    result.push_back({.name = std::string(key), .value = text_template(value)});
  });
  return result;
}

std::vector<Condition> Reader::conditions(yaml::Node node) {
  std::vector<Condition> result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    result.push_back({std::string(key), words(value)});
  });
  return result;
}

bool Reader::read_guard(Guard& guard, std::string_view key, yaml::Node value) {
  if (key != "when" && key != "unless") return false;
  (key == "when" ? guard.when : guard.unless) = conditions(value);
  return true;
}

Folders Reader::folders(yaml::Node node) {
  Folders result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (key == "launchers") return void(result.launchers = word(value));
    if (key == "recipes") return void(result.recipes = word(value));
    unknown_key(key, value);
  });
  recipes_folder_ = result.recipes;
  return result;
}

PullRequestContract Reader::pull_request(yaml::Node node) {
  PullRequestContract result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (key == "stated-in") return void(result.stated_in = word(value));
    if (key == "marker") return void(result.marker = word(value));
    if (key == "title") return void(result.title = word(value));
    if (key == "chinese-heading") return void(result.chinese_heading = word(value));
    if (key == "signoff-phrase") return void(result.signoff_phrase = word(value));
    if (key == "signoff-lines") return void(result.signoff_lines = words(value));
    unknown_key(key, value);
  });
  return result;
}

MovedFolder Reader::moved(yaml::Node node) {
  MovedFolder result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (key == "from") return void(result.from = word(value));
    if (key == "to") return void(result.to = word(value));
    if (key == "endings") return void(result.endings = words(value));
    unknown_key(key, value);
  });
  return result;
}

Overlay Reader::overlay(yaml::Node node) {
  if (node.is_scalar()) {
    return {recipes_folder_ + "/" + word(node), "recipes/" + word(node)};
  }
  MovedFolder folder = moved(node);
  return {std::move(folder.from), std::move(folder.to)};
}

Checkout Reader::checkout(yaml::Node node) {
  Checkout result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (read_guard(result.guard, key, value)) return;
    if (key == "ref") return void(result.ref = word(value));
    if (key == "copy") return void(result.overlays = list(value, &Reader::overlay));
    unknown_key(key, value);
  });
  return result;
}

RecipeEdit Reader::edit(yaml::Node node) {
  RecipeEdit result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (read_guard(result.guard, key, value)) return;
    if (key == "after") return void(result.after = word(value));
    if (key == "add") return void(result.added = assignments(value));
    if (key == "remove") return void(result.removed = word(value));
    unknown_key(key, value);
  });
  return result;
}

std::shared_ptr<const RecipeRule> Reader::recipe(yaml::Node node) {
  auto result = std::make_shared<RecipeRule>();
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (key == "setting") return void(result->setting = word(value));
    if (key == "eval-setting") return void(result->eval_setting = word(value));
    if (key == "containers") return void(result->containers = templates(value));
    if (key == "synthetic-acceptance") return void(result->synthetic_acceptance = truth(value));
    if (key == "own-file-first") return void(result->own_file_first = truth(value));
    if (key == "folder") return void(result->folder = word(value));
    if (key == "edits") return void(result->edits = list(value, &Reader::edit));
    if (key == "checkouts") return void(result->checkouts = list(value, &Reader::checkout));
    if (key == "gpus-per-node") {
      const std::optional<std::int64_t> number = value.as_int();
      if (!number || *number < 1 || *number > 1024) return fail(value, "expected a number of GPUs");
      return void(result->gpus_per_node = static_cast<int>(*number));
    }
    if (key == "format" && value.text() == "llm-d") {
      return void(result->format = RecipeFormat::kLlmD);
    }
    unknown_key(key, value);
  });
  return result;
}

Step Reader::step(yaml::Node node) {
  Step result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (read_guard(result.guard, key, value)) return;
    if (key == "set") return void(result.set = assignments(value));
    if (key == "local") return void(result.local = assignments(value));
    if (key == "importer") return void(result.importer = importer(value));
    if (key == "settings") return void(result.settings = truth(value));
    if (key == "keep") return void(result.keep = words(value));
    if (key == "first") return void(result.first = list(value, &Reader::step));
    if (key == "reject") return void(result.reject = text_template(value));
    if (key == "scripts") return void(result.scripts = templates(value));
    if (key == "recipe") return void(result.recipe = recipe(value));
    unknown_key(key, value);
  });
  return result;
}

Launcher Reader::launcher(yaml::Node node) {
  Launcher result;
  each_key(node, [&](std::string_view key, yaml::Node value) {
    if (key == "launcher") return void(result.names = words(value));
    if (key == "steps") return void(result.steps = list(value, &Reader::step));
    unknown_key(key, value);
  });
  return result;
}

Profile Reader::profile(yaml::Node root) {
  Profile result;
  each_key(root, [&](std::string_view key, yaml::Node value) {
    if (key == "schema") {
      if (value.text() != "recipelint-layout/1") fail(value, "expected 'recipelint-layout/1'");
      return;
    }
    if (key == "name") return void(result.name = word(value));
    if (key == "folders") return void(result.folders = folders(value));
    if (key == "moved") return void(result.moved = list(value, &Reader::moved));
    if (key == "pull-request") return void(result.pull_request = pull_request(value));
    if (key == "slurm") return;  // an anchor for the launchers
    if (key == "launchers") return void(result.launchers = list(value, &Reader::launcher));
    if (key != "workflow") return unknown_key(key, value);
    each_key(value, [&](std::string_view nodes, yaml::Node steps) {
      if (nodes == "single-node") return void(result.single_node = list(steps, &Reader::step));
      if (nodes == "multi-node") return void(result.multi_node = list(steps, &Reader::step));
      unknown_key(nodes, steps);
    });
  });
  return result;
}

bool names_launcher(const Launcher& launcher, std::string_view name) {
  return std::find(launcher.names.begin(), launcher.names.end(), name) != launcher.names.end();
}

const Launcher* find_by_name(const std::vector<Launcher>& launchers, std::string_view name) {
  const auto found =
      std::find_if(launchers.begin(), launchers.end(),
                   [&](const Launcher& launcher) { return names_launcher(launcher, name); });
  return found == launchers.end() ? nullptr : &*found;
}

}  // namespace

text::Result<Profile> Profile::read(const yaml::Document& document) {
  Reader reader;
  Profile profile = reader.profile(document.root());
  if (reader.failed()) return reader.error();
  for (const Launcher& launcher : profile.launchers) {
    profile.steps_ask_for_mode = profile.steps_ask_for_mode ||
                                 std::any_of(launcher.steps.begin(), launcher.steps.end(),
                                             [](const Step& step) { return asks_for_mode(step); });
  }
  mark_decisions(profile);
  return profile;
}

const Launcher* Profile::find_launcher(std::string_view launcher) const {
  const Launcher* own = find_by_name(launchers, launcher);
  return own != nullptr ? own : find_by_name(launchers, "*");
}

bool Profile::knows_launcher(std::string_view launcher) const {
  return find_by_name(launchers, launcher) != nullptr;
}

const Profile& inferencex_profile() {
  static const Profile profile = [] {
    const text::SourceFile file("inferencex_layout.yaml",
                                std::string(facts::embedded_data("inferencex_layout.yaml")));
    const auto document = yaml::Document::parse(file);
    // A test reads the embedded file, so a failure here cannot be shipped.
    if (!document) return Profile{};
    text::Result<Profile> result = Profile::read(**document);
    return result ? std::move(result).value() : Profile{};
  }();
  return profile;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  std::string_view rest = text.substr(star);
  std::string_view remaining = pattern.substr(star + 1);
  while (true) {
    const std::size_t next = remaining.find('*');
    const std::string_view piece = remaining.substr(0, next);
    if (next == std::string_view::npos) {
      return rest.size() >= piece.size() && rest.substr(rest.size() - piece.size()) == piece;
    }
    const std::size_t found = rest.find(piece);
    if (found == std::string_view::npos) return false;
    rest.remove_prefix(found + piece.size());
    remaining.remove_prefix(next + 1);
  }
}

}  // namespace recipelint::layout
