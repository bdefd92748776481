#include "analyzer/layout/read_files.h"

#include <sstream>
#include <utility>

#include "analyzer/text/origin.h"

namespace recipelint::layout {
namespace {

/// "/infmax-workspace/a/b.sh" -> "a/b.sh"; "" for what is not below a mount.
std::string below_mount(const std::string& word, const std::vector<std::string>& mounts) {
  for (const std::string& mount : mounts) {
    const bool below =
        word.size() > mount.size() + 1 && word.starts_with(mount) && word[mount.size()] == '/';
    if (below) return word.substr(mount.size() + 1);
  }
  return {};
}

std::string scalar_text(const launch::recipe::MergedNode& node) {
  return node.is_scalar() && !node.node().is_null() ? std::string(node.node().text())
                                                    : std::string();
}

}  // namespace

std::vector<std::string> scripts_of(const launch::recipe::SrtRecipe& recipe, const Site& site,
                                    const text::FileTree& tree) {
  const Folders& folders = site.profile->folders;
  std::vector<std::string> scripts;
  const auto add = [&](const std::string& path) {
    const std::string in_tree = text::join_path(site.files.root, path);
    if (!path.empty() && tree.kind(in_tree) == text::EntryKind::kFile) scripts.push_back(in_tree);
  };
  std::istringstream command(scalar_text(recipe.root.find("benchmark").find("command")));
  for (std::string word; command >> word;) add(below_mount(word, folders.recipe_mounts));
  const std::string setup = scalar_text(recipe.root.find("setup_script"));
  if (!setup.empty() && !folders.recipes.empty()) add(folders.recipes + "/configs/" + setup);
  return scripts;
}

std::set<std::string> ReadFiles::of(const EvaluatedCell& cell) {
  std::set<std::string> files(cell.launches->files.begin(), cell.launches->files.end());
  const RecipeReference& reference = cell.target().recipe;
  if (reference.place != RecipePlace::kInTree || reference.root != 0) return files;
  files.insert(reference.path);
  if (cell.site != nullptr) add_recipe(*cell.site, reference, files);
  return files;
}

void ReadFiles::add_recipe(const Site& site, const RecipeReference& reference,
                           std::set<std::string>& files) {
  const SelectedRecipe* recipe = site.find_recipe(reference);
  if (recipe == nullptr) return;
  for (const launch::recipe::SrtRecipe& variant : recipe->variants) {
    for (const std::string& script : scripts_of(variant, site, workspace_.sources().tree())) {
      const std::vector<std::string>& read = read_by(script);
      files.insert(read.begin(), read.end());
    }
  }
}

const std::vector<std::string>& ReadFiles::read_by(const std::string& script) {
  const auto [found, is_new] = read_by_.try_emplace(script);
  if (is_new) {
    text::OriginPool pool;
    const BareScript run = bare_script(script, std::make_shared<const GivenRun>());
    found->second = evaluator_.evaluate(run, pool).files;
  }
  return found->second;
}

}  // namespace recipelint::layout
