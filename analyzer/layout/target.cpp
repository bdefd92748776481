#include "analyzer/layout/target.h"

#include <algorithm>
#include <utility>

namespace recipelint::layout {
namespace {

using text::EntryKind;

constexpr std::string_view kScriptEnd = ".sh";

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path[folder.size()] == '/' && path.starts_with(folder);
}

/// "recipes/a/b.yaml" -> "a/b.yaml"; "" for a path elsewhere.
std::string below_recipes(const std::string& name) {
  constexpr std::string_view kCheckoutFolder = "recipes/";
  return name.starts_with(kCheckoutFolder) ? name.substr(kCheckoutFolder.size()) : std::string();
}

/// Looks up paths of one repository in a tree.
class Lookup {
 public:
  Lookup(const Profile& profile, const LookupPlaces& places) : profile_(profile), places_(places) {}

  std::string in_tree(std::string_view path) const { return text::join_path(places_.root, path); }
  bool is_file(std::string_view path) const { return kind(path) == EntryKind::kFile; }
  EntryKind kind(std::string_view path) const { return places_.tree.kind(in_tree(path)); }

  bool is_folder(std::string_view path) const { return kind(path) == EntryKind::kFolder; }

  /// A recipe in one of the recipe paths, with or without its folder "recipes".
  bool find_upstream(RecipeReference& reference) const {
    for (std::size_t i = 0; i < places_.recipe_paths.size(); ++i) {
      for (const std::string& path : {reference.name, below_recipes(reference.name)}) {
        if (path.empty() || places_.recipe_paths[i]->kind(path) != EntryKind::kFile) continue;
        reference.root = i + 1;
        reference.path = path;
        return true;
      }
    }
    return false;
  }

  /// Where the script is, by the layout of its time: the path itself, or where an earlier layout
  /// keeps it.
  std::string located(const std::string& path) const {
    const auto moved =
        std::find_if(profile_.moved.begin(), profile_.moved.end(), [&](const MovedFolder& folder) {
          return is_below(path, folder.from) && kind(folder.from) == EntryKind::kMissing &&
                 is_folder(folder.to);
        });
    if (moved == profile_.moved.end()) return path;
    const std::string in_time = moved->to + path.substr(moved->from.size());
    if (is_file(in_time) || !in_time.ends_with(kScriptEnd)) return in_time;
    const std::string stem = in_time.substr(0, in_time.size() - kScriptEnd.size());
    for (const std::string& ending : moved->endings) {
      std::string older = stem + ending + std::string(kScriptEnd);
      if (is_file(older)) return older;
    }
    return in_time;
  }

 private:
  const Profile& profile_;
  const LookupPlaces& places_;
};

void resolve_scripts(Target& target, const LaunchPlan& plan, const Lookup& lookup) {
  target.kind = Target::Kind::kScript;
  for (const std::string& script : plan.scripts) {
    const std::string path = lookup.located(script);
    target.candidates.push_back(lookup.in_tree(path));
    // What is there stays the script, also if it cannot be read as one.
    if (target.script_kind != EntryKind::kMissing) continue;
    target.script = target.candidates.back();
    target.script_kind = lookup.kind(path);
    target.script_exists = target.script_kind == EntryKind::kFile;
  }
}

const Checkout* find_checkout(const RecipeRule& rule, const Variables& environment) {
  const auto found =
      std::find_if(rule.checkouts.begin(), rule.checkouts.end(),
                   [&](const Checkout& checkout) { return holds(checkout.guard, environment); });
  return found == rule.checkouts.end() ? nullptr : &*found;
}

/// The repository's path of a checkout path that an overlay provides, or "".
std::string overlaid_path(const Overlay& overlay, const std::string& name) {
  if (name == overlay.to) return overlay.from;
  return is_below(name, overlay.to) ? overlay.from + name.substr(overlay.to.size()) : std::string();
}

void place_in_tree(RecipeReference& reference, std::string_view path, const Lookup& lookup) {
  const EntryKind kind = lookup.kind(path);
  reference.place = kind == EntryKind::kFile ? RecipePlace::kInTree : RecipePlace::kMissing;
  if (kind == EntryKind::kUnreadable) reference.place = RecipePlace::kUnreadable;
  reference.path = lookup.in_tree(path);
}

void place_recipe(RecipeReference& reference, const Profile& profile, const Checkout* checkout,
                  const Lookup& lookup) {
  const RecipeRule& rule = *reference.rule;
  if (!rule.folder.empty()) {
    return place_in_tree(reference, rule.folder + "/" + reference.name, lookup);
  }
  if (checkout != nullptr) {
    for (const Overlay& overlay : checkout->overlays) {
      const std::string path = overlaid_path(overlay, reference.name);
      if (!path.empty()) return place_in_tree(reference, path, lookup);
    }
  }
  const std::string below = below_recipes(reference.name);
  const std::string own = below.empty() ? reference.name : profile.folders.recipes + "/" + below;
  const EntryKind own_kind = lookup.kind(own);
  if (own_kind == EntryKind::kFile || own_kind == EntryKind::kUnreadable) {
    return place_in_tree(reference, own, lookup);
  }
  reference.place = lookup.find_upstream(reference) ? RecipePlace::kInTree : RecipePlace::kUpstream;
}

/// The setting that names the recipe in this mode; null if the row has none.
const shell::Value* named_recipe(RecipeReference& reference, const Variables& environment,
                                 Mode mode) {
  const auto find = [&](const std::string& name) -> const shell::Value* {
    const auto found = environment.find(name);
    if (name.empty() || found == environment.end() || found->second.empty()) return nullptr;
    reference.setting = name;
    return &found->second;
  };
  if (mode == Mode::kEval) {
    if (const shell::Value* value = find(reference.rule->eval_setting)) return value;
  }
  return find(reference.rule->setting);
}

bool resolve_recipe(Target& target, const Profile& profile, const LaunchPlan& plan, Mode mode,
                    const Lookup& lookup) {
  RecipeReference& reference = target.recipe;
  reference.rule = plan.recipe;
  const shell::Value* value = named_recipe(reference, plan.environment, mode);
  if (value == nullptr) return false;
  reference.written = value->text();
  reference.span = value->origin().span();
  const std::size_t colon = reference.written.find(':');
  reference.name = reference.written.substr(0, colon);
  if (colon != std::string::npos) reference.selector = reference.written.substr(colon + 1);
  for (const TextTemplate& container : plan.recipe->containers) {
    reference.containers.push_back(expand(container, plan.environment).text());
  }
  const Checkout* checkout = find_checkout(*plan.recipe, plan.environment);
  if (checkout != nullptr) reference.checkout = checkout->ref;
  place_recipe(reference, profile, checkout, lookup);
  return true;
}

}  // namespace

Target resolve_target(const Profile& profile, const Runner& runner, const LaunchPlan& plan,
                      Mode mode, const LookupPlaces& places) {
  Target target;
  target.runner = runner;
  target.launcher_known = profile.knows_launcher(runner.launcher);
  target.importer = plan.importer;
  if (plan.rejected) {
    target.kind = Target::Kind::kRejected;
    target.rejected = *plan.rejected;
    return target;
  }
  const Lookup lookup(profile, places);
  if (!plan.scripts.empty()) resolve_scripts(target, plan, lookup);
  if (plan.recipe == nullptr) return target;
  const bool found = resolve_recipe(target, profile, plan, mode, lookup);
  if (target.kind == Target::Kind::kScript) return target;
  target.kind = found ? Target::Kind::kRecipe : Target::Kind::kRejected;
  if (!found) target.rejected = "the row sets no " + plan.recipe->setting;
  return target;
}

}  // namespace recipelint::layout
