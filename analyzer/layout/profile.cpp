#include "analyzer/layout/profile.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

#include "analyzer/facts/embedded.h"
#include "analyzer/layout/decisions.h"
#include "analyzer/space/nearest_name.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_file.h"

namespace recipelint::layout {
namespace {

constexpr std::size_t kMostNodes = 200'000;
constexpr std::size_t kLongestText = 4096;

std::string quoted_list(const std::vector<std::string_view>& words) {
  std::string list;
  for (const std::string_view word : words) {
    list += (list.empty() ? "'" : ", '") + std::string(word) + "'";
  }
  return list;
}

bool is_variable_name(std::string_view name) {
  const auto is_name_byte = [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
  };
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::all_of(name.begin(), name.end(), is_name_byte);
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
  /// Counts what is read: aliases can make a small file endless.
  void count(yaml::Node node);
  /// Calls `read` for each entry of a mapping.
  void each_entry(yaml::Node node, const std::function<void(yaml::Node, yaml::Node)>& read);
  /// The same for one of the profile_parts(), whose keys are known.
  void each_key(std::string_view part, yaml::Node node, const KeyReader& read);
  /// The same for names of variables.
  void each_variable(yaml::Node node, const KeyReader& read);

  std::string word(yaml::Node node);
  std::vector<std::string> words(yaml::Node node);
  bool truth(yaml::Node node);
  std::string path(yaml::Node node);
  std::string launcher_files(yaml::Node node);
  std::vector<std::string> mounts(yaml::Node node);
  Importer importer(yaml::Node node);
  int gpus_per_node(yaml::Node node);
  RecipeFormat format(yaml::Node node);
  TextTemplate text_template(yaml::Node node);
  std::vector<TextTemplate> templates(yaml::Node node);
  std::vector<Assignment> assignments(yaml::Node node);
  std::vector<Condition> conditions(yaml::Node node);
  bool read_guard(Guard& guard, std::string_view key, yaml::Node value);

  Folders folders(yaml::Node node, Folders result);
  MovedFolder moved(yaml::Node node);
  PullRequestContract pull_request(yaml::Node node);
  facts::Date date(yaml::Node node);
  RetiredScenario retired(yaml::Node node);
  Overlay overlay(yaml::Node node);
  Checkout checkout(yaml::Node node);
  RecipeEdit edit(yaml::Node node);
  std::shared_ptr<const RecipeRule> recipe(yaml::Node node);
  Step step(yaml::Node node);
  Launcher launcher(yaml::Node node);
  Profile base(yaml::Node root);
  void workflow(yaml::Node node, Profile& result);

  template <typename T>
  std::vector<T> list(yaml::Node node, T (Reader::*read)(yaml::Node)) {
    std::vector<T> items;
    count(node);
    if (!node.is_sequence()) fail(node, "a list is needed here");
    for (std::size_t i = 0; i < node.size() && !failed(); ++i) {
      items.push_back((this->*read)(node.item(i)));
    }
    return items;
  }

  std::string recipes_folder_;
  std::size_t nodes_ = 0;
  std::optional<text::Error> error_;
};

void Reader::fail(yaml::Node node, std::string message) {
  if (!error_) error_ = text::Error{std::move(message), node ? node.span() : text::Span{}};
}

void Reader::count(yaml::Node node) {
  if (++nodes_ > kMostNodes) fail(node, "the profile has too many parts");
}

void Reader::each_entry(yaml::Node node, const std::function<void(yaml::Node, yaml::Node)>& read) {
  if (!node.is_mapping()) return fail(node, "a mapping is needed here");
  for (const yaml::Node::Entry& entry : node.entries()) {
    count(entry.key);
    if (failed()) return;
    read(entry.key, entry.value);
  }
}

void Reader::each_key(std::string_view part, yaml::Node node, const KeyReader& read) {
  const std::span<const ProfilePart> parts = profile_parts();
  const auto known = std::find_if(parts.begin(), parts.end(),
                                  [&](const ProfilePart& each) { return each.name == part; });
  each_entry(node, [&](yaml::Node key, yaml::Node value) {
    const std::string_view name = key.text();
    if (std::find(known->keys.begin(), known->keys.end(), name) != known->keys.end()) {
      return read(name, value);
    }
    const std::string_view nearest = space::nearest_name(name, known->keys);
    const std::string hint = nearest.empty() ? "; known: " + quoted_list(known->keys)
                                             : "; did you mean '" + std::string(nearest) + "'?";
    fail(key, "unknown key '" + std::string(name) + "'" + hint);
  });
}

void Reader::each_variable(yaml::Node node, const KeyReader& read) {
  each_entry(node, [&](yaml::Node key, yaml::Node value) {
    if (is_variable_name(key.text())) return read(key.text(), value);
    fail(key, "'" + std::string(key.text()) + "' is no name of a variable");
  });
}

std::string Reader::word(yaml::Node node) {
  count(node);
  if (!node.is_scalar()) fail(node, "a text is needed here");
  if (node.text().size() > kLongestText) fail(node, "the text is too long");
  return failed() ? std::string() : std::string(node.text());
}

std::vector<std::string> Reader::words(yaml::Node node) {
  if (node.is_sequence()) return list(node, &Reader::word);
  return {word(node)};
}

bool Reader::truth(yaml::Node node) {
  const std::optional<bool> value = node.as_bool();
  if (!value) fail(node, "'true' or 'false' is needed here");
  return value.value_or(false);
}

std::string Reader::path(yaml::Node node) {
  const std::string written = word(node);
  const auto normalized = text::normalize_path(written);
  if (!normalized) fail(node, "the path '" + written + "' leads out of the repository");
  return normalized.value_or("");
}

std::string Reader::launcher_files(yaml::Node node) {
  std::string pattern = word(node);
  const bool good = std::count(pattern.begin(), pattern.end(), '*') == 1 &&
                    pattern.find('/') == std::string::npos;
  if (!good) fail(node, "a file name with one '*' for the name of the launcher is needed here");
  return pattern;
}

std::vector<std::string> Reader::mounts(yaml::Node node) {
  std::vector<std::string> folders = words(node);
  const bool good = !folders.empty() &&
                    std::all_of(folders.begin(), folders.end(), [](const std::string& folder) {
                      return folder.size() > 1 && folder.front() == '/' && folder.back() != '/';
                    });
  if (!good) fail(node, "absolute folders such as '/workspace' are needed here");
  return folders;
}

Importer Reader::importer(yaml::Node node) {
  if (node.text() == "enroot") return Importer::kEnroot;
  if (node.text() == "docker") return Importer::kDocker;
  if (node.text() != "rewrites") fail(node, "'enroot', 'docker' or 'rewrites' is needed here");
  return Importer::kRewrites;
}

int Reader::gpus_per_node(yaml::Node node) {
  constexpr std::int64_t kMost = 1024;
  const std::optional<std::int64_t> number = node.as_int();
  if (number && *number >= 1 && *number <= kMost) return static_cast<int>(*number);
  fail(node, "a number of GPUs is needed here");
  return 0;
}

RecipeFormat Reader::format(yaml::Node node) {
  if (node.text() == "llm-d") return RecipeFormat::kLlmD;
  if (node.text() != "srt-slurm") fail(node, "'srt-slurm' or 'llm-d' is needed here");
  return RecipeFormat::kSrtSlurm;
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
  each_variable(node, [&](std::string_view key, yaml::Node value) {
    result.push_back({.name = std::string(key), .value = text_template(value)});
  });
  return result;
}

std::vector<Condition> Reader::conditions(yaml::Node node) {
  std::vector<Condition> result;
  each_variable(node, [&](std::string_view key, yaml::Node value) {
    result.push_back({std::string(key), words(value)});
  });
  return result;
}

bool Reader::read_guard(Guard& guard, std::string_view key, yaml::Node value) {
  if (key != "when" && key != "unless") return false;
  (key == "when" ? guard.when : guard.unless) = conditions(value);
  return true;
}

Folders Reader::folders(yaml::Node node, Folders result) {
  each_key("folders", node, [&](std::string_view key, yaml::Node value) {
    if (key == "launchers") return void(result.launchers = path(value));
    if (key == "launcher-files") return void(result.launcher_files = launcher_files(value));
    if (key == "recipes") return void(result.recipes = path(value));
    if (key == "mounts") return void(result.mounts = mounts(value));
    result.recipe_mounts = mounts(value);
  });
  return result;
}

PullRequestContract Reader::pull_request(yaml::Node node) {
  PullRequestContract result;
  each_key("pull-request", node, [&](std::string_view key, yaml::Node value) {
    if (key == "stated-in") return void(result.stated_in = word(value));
    if (key == "marker") return void(result.marker = word(value));
    if (key == "title") return void(result.title = word(value));
    if (key == "chinese-heading") return void(result.chinese_heading = word(value));
    if (key == "signoff-phrase") return void(result.signoff_phrase = word(value));
    result.signoff_lines = words(value);
  });
  return result;
}

facts::Date Reader::date(yaml::Node node) {
  const std::optional<facts::Date> date = facts::parse_date(word(node));
  if (!date) fail(node, "a day such as 2026-03-27 is needed here");
  return date.value_or(facts::Date{});
}

RetiredScenario Reader::retired(yaml::Node node) {
  RetiredScenario result;
  each_key("retired", node, [&](std::string_view key, yaml::Node value) {
    if (key == "name") return void(result.name = word(value));
    if (key == "scenario-type") return void(result.scenario_types = words(value));
    if (key == "isl") return void(result.isl = words(value));
    if (key == "osl") return void(result.osl = words(value));
    if (key == "model-prefix") return void(result.model_prefixes = words(value));
    if (key == "precision") return void(result.precisions = words(value));
    if (key == "since") return void(result.since = date(value));
    if (key == "stated-in") return void(result.stated_in = path(value));
    result.marker = word(value);
  });
  if (result.name.empty()) fail(node, "'name' is needed here");
  return result;
}

MovedFolder Reader::moved(yaml::Node node) {
  MovedFolder result;
  each_key("moved", node, [&](std::string_view key, yaml::Node value) {
    if (key == "from") return void(result.from = word(value));
    if (key == "to") return void(result.to = word(value));
    result.endings = words(value);
  });
  return result;
}

Overlay Reader::overlay(yaml::Node node) {
  if (node.is_scalar()) {
    return {recipes_folder_ + "/" + word(node), "recipes/" + word(node)};
  }
  Overlay result;
  each_key("copy", node, [&](std::string_view key, yaml::Node value) {
    (key == "from" ? result.from : result.to) = word(value);
  });
  return result;
}

Checkout Reader::checkout(yaml::Node node) {
  Checkout result;
  each_key("checkouts", node, [&](std::string_view key, yaml::Node value) {
    if (read_guard(result.guard, key, value)) return;
    if (key == "ref") return void(result.ref = word(value));
    result.overlays = list(value, &Reader::overlay);
  });
  return result;
}

RecipeEdit Reader::edit(yaml::Node node) {
  RecipeEdit result;
  each_key("edits", node, [&](std::string_view key, yaml::Node value) {
    if (read_guard(result.guard, key, value)) return;
    if (key == "after") return void(result.after = word(value));
    if (key == "add") {
      return each_entry(value, [&](yaml::Node name, yaml::Node text) {
        result.added.push_back({.name = word(name), .value = text_template(text)});
      });
    }
    result.removed = word(value);
  });
  return result;
}

std::shared_ptr<const RecipeRule> Reader::recipe(yaml::Node node) {
  auto result = std::make_shared<RecipeRule>();
  each_key("recipe", node, [&](std::string_view key, yaml::Node value) {
    if (key == "setting") return void(result->setting = word(value));
    if (key == "eval-setting") return void(result->eval_setting = word(value));
    if (key == "containers") return void(result->containers = templates(value));
    if (key == "synthetic-acceptance") return void(result->synthetic_acceptance = truth(value));
    if (key == "own-file-first") return void(result->own_file_first = truth(value));
    if (key == "folder") return void(result->folder = path(value));
    if (key == "edits") return void(result->edits = list(value, &Reader::edit));
    if (key == "checkouts") return void(result->checkouts = list(value, &Reader::checkout));
    if (key == "gpus-per-node") return void(result->gpus_per_node = gpus_per_node(value));
    result->format = format(value);
  });
  if (!failed() && result->setting.empty()) {
    fail(node, "'recipe' needs a 'setting': the variable that names the file");
  }
  return result;
}

Step Reader::step(yaml::Node node) {
  Step result;
  each_key("steps", node, [&](std::string_view key, yaml::Node value) {
    if (read_guard(result.guard, key, value)) return;
    if (key == "set") return void(result.set = assignments(value));
    if (key == "local") return void(result.local = assignments(value));
    if (key == "importer") return void(result.importer = importer(value));
    if (key == "settings") return void(result.settings = truth(value));
    if (key == "keep") return void(result.keep = words(value));
    if (key == "first") return void(result.first = list(value, &Reader::step));
    if (key == "reject") return void(result.reject = text_template(value));
    if (key == "scripts") return void(result.scripts = templates(value));
    result.recipe = recipe(value);
  });
  return result;
}

Launcher Reader::launcher(yaml::Node node) {
  Launcher result;
  each_key("launchers", node, [&](std::string_view key, yaml::Node value) {
    if (key == "launcher") return void(result.names = words(value));
    result.steps = list(value, &Reader::step);
  });
  if (!failed() && result.names.empty()) fail(node, "a launcher needs a 'launcher': its name");
  return result;
}

/// What the profile says about everything that it does not say itself.
Profile Reader::base(yaml::Node root) {
  const yaml::Node extends = root.find("extends");
  if (!extends) return {};
  if (extends.text() == "inferencex") return inferencex_profile();
  fail(extends, "only 'inferencex' can be extended");
  return {};
}

void Reader::workflow(yaml::Node node, Profile& result) {
  each_key("workflow", node, [&](std::string_view nodes, yaml::Node steps) {
    (nodes == "single-node" ? result.single_node : result.multi_node) = list(steps, &Reader::step);
  });
}

Profile Reader::profile(yaml::Node root) {
  if (!root.is_mapping()) fail(root, "a mapping is needed here");
  if (failed()) return {};
  Profile result = base(root);
  // First, since overlays are relative to one of them.
  if (const yaml::Node node = root.find("folders")) result.folders = folders(node, result.folders);
  recipes_folder_ = result.folders.recipes;
  std::vector<Launcher> own;
  each_key("profile", root, [&](std::string_view key, yaml::Node value) {
    if (key == "schema" && value.text() != "recipelint-layout/1") {
      return fail(value, "'recipelint-layout/1' is needed here");
    }
    if (key == "name") return void(result.name = word(value));
    if (key == "moved") return void(result.moved = list(value, &Reader::moved));
    if (key == "pull-request") return void(result.pull_request = pull_request(value));
    if (key == "retired") return void(result.retired = list(value, &Reader::retired));
    if (key == "workflow") return workflow(value, result);
    if (key == "launchers") own = list(value, &Reader::launcher);
  });
  // The first of a name counts.
  result.launchers.insert(result.launchers.begin(), std::make_move_iterator(own.begin()),
                          std::make_move_iterator(own.end()));
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

std::string Folders::launcher_path(std::string_view launcher) const {
  std::string name = launcher_files;
  name.replace(name.find('*'), 1, launcher);
  return text::join_path(launchers, name);
}

std::string Folders::launcher_of(std::string_view file_name) const {
  const std::size_t star = launcher_files.find('*');
  const std::string_view begin = std::string_view(launcher_files).substr(0, star);
  const std::string_view end = std::string_view(launcher_files).substr(star + 1);
  if (file_name.size() <= begin.size() + end.size()) return {};
  if (!file_name.starts_with(begin) || !file_name.ends_with(end)) return {};
  file_name.remove_prefix(begin.size());
  file_name.remove_suffix(end.size());
  return std::string(file_name);
}

std::span<const ProfilePart> profile_parts() {
  static const std::array<ProfilePart, 12> parts = {
      ProfilePart{"profile",
                  {"schema", "name", "extends", "folders", "moved", "anchors", "pull-request",
                   "retired", "workflow", "launchers"}},
      ProfilePart{"folders", {"launchers", "launcher-files", "recipes", "mounts", "recipe-mounts"}},
      ProfilePart{"moved", {"from", "to", "endings"}},
      ProfilePart{
          "pull-request",
          {"stated-in", "marker", "title", "chinese-heading", "signoff-phrase", "signoff-lines"}},
      ProfilePart{"retired",
                  {"name", "scenario-type", "isl", "osl", "model-prefix", "precision", "since",
                   "stated-in", "marker"}},
      ProfilePart{"workflow", {"single-node", "multi-node"}},
      ProfilePart{"launchers", {"launcher", "steps"}},
      ProfilePart{"steps",
                  {"when", "unless", "set", "local", "importer", "settings", "keep", "first",
                   "reject", "scripts", "recipe"}},
      ProfilePart{"recipe",
                  {"setting", "eval-setting", "format", "gpus-per-node", "containers",
                   "synthetic-acceptance", "own-file-first", "folder", "edits", "checkouts"}},
      ProfilePart{"edits", {"when", "unless", "after", "add", "remove"}},
      ProfilePart{"checkouts", {"when", "unless", "ref", "copy"}},
      ProfilePart{"copy", {"from", "to"}},
  };
  return parts;
}

text::Result<Profile> Profile::read(yaml::Node mapping) {
  Reader reader;
  Profile profile = reader.profile(mapping);
  if (reader.failed()) return reader.error();
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
    text::Result<Profile> result = Profile::read((*document)->root());
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
