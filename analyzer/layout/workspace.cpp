#include "analyzer/layout/workspace.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <tuple>
#include <utility>

#include "analyzer/layout/submit.h"
#include "analyzer/space/read.h"
#include "analyzer/text/kind_cache.h"
#include "analyzer/yaml/document.h"

namespace recipelint::layout {
namespace {

constexpr std::string_view kUnparsedYamlRule = "RL1002";
constexpr std::string_view kMissingRecipeRule = "RL5002";
constexpr std::string_view kImageSettingEnd = "_IMAGE";

/// The span of a scalar without its quotes.
text::Span content_span(const yaml::Node& node) {
  text::Span span = node.span();
  const bool quoted =
      node.style() == yaml::Style::kSingleQuoted || node.style() == yaml::Style::kDoubleQuoted;
  if (quoted && span.length() >= 2) {
    ++span.begin;
    --span.end;
  }
  return span;
}

bool is_image_setting(std::string_view name) {
  return name.size() > kImageSettingEnd.size() &&
         name.substr(name.size() - kImageSettingEnd.size()) == kImageSettingEnd;
}

RowLaunch start_row(const space::MatrixRow& matrix_row, std::size_t index) {
  RowLaunch row;
  row.entry = matrix_row.entry;
  row.scenario = matrix_row.scenario;
  row.row = matrix_row.row;
  row.first = index;
  return row;
}

/// Resolves what the rows of a site start.
class RowResolver {
 public:
  RowResolver(const Site& site, const LookupPlaces& places) : site_(site), places_(places) {}

  void resolve(RowLaunch& row) {
    const RowFields fields(site_.matrix[row.first], 0);
    const std::vector<Runner>& families = families_of(row.entry->runner.value_or(""));
    row.throughput = resolve(families.front(), fields, Mode::kThroughput);
    row.eval = needs_eval_plan(row, fields) ? resolve(families.front(), fields, Mode::kEval)
                                            : row.throughput;
    for (std::size_t i = 1; i < families.size(); ++i) {
      row.elsewhere.push_back(resolve(families[i], fields, Mode::kThroughput));
    }
  }

 private:
  Target resolve(const Runner& runner, const RowFields& fields, Mode mode) {
    const LaunchPlan plan = plan_target(*site_.profile, runner, fields, mode, pool_);
    return resolve_target(*site_.profile, runner, plan, mode, places_);
  }

  /// Most rows start the same in both modes, and a plan has its cost.
  bool needs_eval_plan(const RowLaunch& row, const RowFields& fields) const {
    if (site_.profile->mode_decides) return true;
    const RecipeRule* rule = row.throughput.recipe.rule;
    if (rule == nullptr || rule->eval_setting.empty()) return false;
    const space::Row& search_row = *fields.row().row;
    const auto sets = [&](const space::Field<space::Worker>& worker) {
      return worker && worker->setting(rule->eval_setting) != nullptr;
    };
    return sets(search_row.prefill) || sets(search_row.decode);
  }

  const std::vector<Runner>& families_of(std::string_view label) {
    const auto [found, is_new] = families_.try_emplace(std::string(label));
    if (is_new) {
      const space::Runners* runners = site_.space.runners ? &*site_.space.runners : nullptr;
      found->second = find_runners(runners, label, site_.launchers);
    }
    return found->second;
  }

  const Site& site_;
  const LookupPlaces& places_;
  text::OriginPool pool_;
  std::map<std::string, std::vector<Runner>> families_;
};

std::vector<std::string> keys_of(const SelectedRecipe& recipe) {
  std::vector<std::string> keys;
  for (const RecipeUse& use : recipe.uses) keys.emplace_back(use.row->entry->key);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

space::Problem to_problem(const launch::recipe::RecipeProblem& recipe_problem,
                          const SelectedRecipe& recipe) {
  space::Problem problem;
  problem.rule = recipe_problem.selector ? kMissingRecipeRule : space::kSchemaRule;
  problem.message = recipe_problem.message;
  problem.span = recipe_problem.span;
  problem.entries = keys_of(recipe);
  problem.identity = recipe_problem.selector ? recipe.selector : recipe_problem.message;
  if (!recipe_problem.selector) return problem;
  // The row is to blame for a variant that does not exist, the file only shows what there is.
  for (const RecipeUse& use : recipe.uses) {
    if (use.row != nullptr && use.reference().span.valid()) {
      problem.related.push_back({problem.span, "the recipe"});
      problem.span = use.reference().span;
      break;
    }
  }
  return problem;
}

/// Whether the launcher maps the name to an image, so that it is no image reference itself.
bool is_container_alias(const SelectedRecipe& recipe, const std::string& name) {
  if (recipe.uses.empty()) return name.find_first_of("/:#") == std::string::npos;
  const RecipeReference& reference = recipe.uses.front().reference();
  const std::vector<std::string>& known = reference.containers;
  return std::find(known.begin(), known.end(), name) != known.end() &&
         name != recipe.uses.front().row->entry->image.value_or("");
}

void add_recipe_image(std::vector<ImageUse>& uses, const SelectedRecipe& recipe,
                      const launch::recipe::PlacedText& container) {
  const auto same = std::find_if(uses.begin(), uses.end(),
                                 [&](const ImageUse& use) { return use.span == container.span; });
  std::vector<std::string> keys = keys_of(recipe);
  if (same == uses.end()) {
    uses.push_back(
        {ImageUse::Kind::kRecipeContainer, container.text, container.span, "", std::move(keys)});
    return;
  }
  std::vector<std::string> both;
  std::set_union(same->keys.begin(), same->keys.end(), keys.begin(), keys.end(),
                 std::back_inserter(both));
  same->keys = std::move(both);
}

/// All YAML files that are read, except the recipes that rows select.
std::vector<FilePlace> files_of(const Discovery& discovery) {
  std::vector<FilePlace> files;
  const auto add = [&](const std::string& path) {
    if (!path.empty()) files.push_back({0, path});
  };
  for (const SiteFiles& site : discovery.sites) {
    add(site.changelog);  // often the largest
    for (const std::string& path : site.masters) add(path);
    add(site.runners);
    add(site.ci_priority);
  }
  for (const std::string& path : discovery.recipes) add(path);
  return files;
}

}  // namespace

LaunchPlan Workspace::plan(const Site& site, const Cell& cell, text::OriginPool& pool) const {
  const RowFields fields(site.matrix[cell.matrix_row], cell.concurrency);
  const Runner& runner = site.row_of(cell.matrix_row).throughput.runner;
  return plan_launch(*site.profile, runner, fields, cell.mode, pool);
}

std::vector<std::vector<launch::Launch>> Workspace::recipe_launches(const Site& site,
                                                                    const Cell& cell,
                                                                    text::OriginPool& pool) const {
  std::vector<std::vector<launch::Launch>> launches;
  const RecipeReference& reference = site.row_of(cell.matrix_row).target(cell.mode).recipe;
  const SelectedRecipe* recipe = site.find_recipe(reference);
  if (recipe == nullptr) return launches;
  const Variables environment = plan(site, cell, pool).environment;
  if (recipe->llmd) launches.push_back(llmd_launches(*recipe->llmd, reference, environment, pool));
  for (const launch::recipe::SrtRecipe& variant : recipe->variants) {
    launches.push_back(launch::recipe::srt_launches(
        variant, submitted_changes(reference, environment, variant.engine), pool));
  }
  return launches;
}

const SelectedRecipe* Site::find_recipe(const RecipeReference& reference) const {
  const auto found =
      std::lower_bound(recipes.begin(), recipes.end(), reference,
                       [](const SelectedRecipe& recipe, const RecipeReference& wanted) {
                         return std::tie(recipe.root, recipe.path, recipe.selector) <
                                std::tie(wanted.root, wanted.path, wanted.selector);
                       });
  const bool same = found != recipes.end() && found->root == reference.root &&
                    found->path == reference.path && found->selector == reference.selector;
  return same ? &*found : nullptr;
}

WorkspaceLoader& WorkspaceLoader::name_paths(std::vector<std::string> paths) {
  options_.named = std::move(paths);
  return *this;
}

WorkspaceLoader& WorkspaceLoader::look_in(std::vector<text::SourceStore*> recipe_paths) {
  recipe_paths_ = std::move(recipe_paths);
  return *this;
}

WorkspaceLoader& WorkspaceLoader::use_profile(const Profile& profile) {
  profile_ = &profile;
  options_.launchers = profile.folders.launchers;
  return *this;
}

WorkspaceLoader& WorkspaceLoader::run_by_hand(GivenRun run) {
  given_ = std::move(run);
  return *this;
}

WorkspaceLoader& WorkspaceLoader::use_threads(unsigned threads) {
  threads_ = threads;
  return *this;
}

Workspace WorkspaceLoader::load() {
  workspace_.sources_ = &sources_;
  workspace_.discovery_ = discover(sources_, options_);
  list_bare_scripts();
  std::vector<text::SourceStore*> roots = {&sources_};
  roots.insert(roots.end(), recipe_paths_.begin(), recipe_paths_.end());
  documents_.emplace(std::move(roots), threads_);
  documents_->prepare(files_of(workspace_.discovery_));
  workspace_.sites_.reserve(workspace_.discovery_.sites.size());
  for (const SiteFiles& files : workspace_.discovery_.sites) load_site(files);
  load_recipes();
  return std::move(workspace_);
}

void WorkspaceLoader::load_recipes() {
  const std::vector<std::string> paths =
      workspace_.sites_.empty() ? workspace_.discovery_.recipes : named_recipes();
  std::vector<SelectedRecipe>& recipes = workspace_.recipes_;
  for (const std::string& path : paths) {
    SelectedRecipe& recipe = recipes.emplace_back();
    recipe.path = path;
    read_recipe(recipe);
  }
  list_recipe_images(recipes);
  for (const SelectedRecipe& recipe : recipes) {
    for (const launch::recipe::SrtRecipe& variant : recipe.variants) {
      workspace_.recipe_runs_.push_back(recipe_run(recipe.path, variant));
    }
  }
}

/// Recipe files that the user named, themselves or with their folder among the recipes, and that no
/// row selects.
std::vector<std::string> WorkspaceLoader::named_recipes() {
  std::set<std::string> candidates;
  for (const std::string& path : options_.named) add_named_recipes(path, candidates);
  for (const Site& site : workspace_.sites_) {
    for (const SelectedRecipe& recipe : site.recipes) {
      if (recipe.root == 0) candidates.erase(recipe.path);
    }
  }
  std::vector<std::string> recipes;
  for (const std::string& path : candidates) {
    const auto file = sources_.load(path);
    if (file && yaml_shape((*file)->bytes()) == YamlShape::kRecipe) recipes.push_back(path);
  }
  return recipes;
}

void WorkspaceLoader::add_named_recipes(const std::string& path, std::set<std::string>& found) {
  constexpr std::ptrdiff_t kDeepestFolder = 24;  // links can make a tree endless
  if (std::count(path.begin(), path.end(), '/') > kDeepestFolder) return;
  const text::EntryKind kind = sources_.tree().kind(path);
  const bool is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
  if (kind == text::EntryKind::kFile && is_yaml) found.insert(path);
  // The folders above hold recipes that were left there as well.
  const bool holds_recipes =
      std::any_of(workspace_.sites_.begin(), workspace_.sites_.end(), [&](const Site& site) {
        const std::string& folder = site.profile->folders.recipes;
        const std::string recipes = text::join_path(site.files.root, folder);
        return !folder.empty() && (path == recipes || path.starts_with(recipes + "/"));
      });
  if (kind != text::EntryKind::kFolder || !holds_recipes) return;
  for (const text::FolderEntry& entry : sources_.tree().list(path)) {
    if (entry.link && entry.kind == text::EntryKind::kFolder) continue;  // it may lead back here
    add_named_recipes(text::join_path(path, entry.name), found);
  }
}

void WorkspaceLoader::list_bare_scripts() {
  Discovery& discovery = workspace_.discovery_;
  if (!given_.empty()) discovery.sites.clear();
  if (!discovery.sites.empty()) return;
  std::vector<std::string> paths;
  for (const std::string& path : discovery.scripts) {
    if (is_named(path)) paths.push_back(path);
  }
  // What the user names need not end in ".sh".
  for (const std::string& path : options_.named) {
    if (is_script(path)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  const auto run = std::make_shared<const GivenRun>(std::move(given_));
  for (std::string& path : paths) {
    workspace_.bare_scripts_.push_back(bare_script(std::move(path), run));
  }
}

/// Without names everything is named.
bool WorkspaceLoader::is_named(std::string_view path) const {
  return options_.named.empty() ||
         std::any_of(options_.named.begin(), options_.named.end(), [&](const std::string& named) {
           return named.empty() || path == named ||
                  (path.starts_with(named) && path.substr(named.size(), 1) == "/");
         });
}

bool WorkspaceLoader::is_script(const std::string& path) const {
  if (sources_.tree().kind(path) != text::EntryKind::kFile) return false;
  if (path.ends_with(".sh")) return true;
  const auto file = sources_.load(path);
  if (!file) return false;
  const std::string_view first = (*file)->bytes().substr(0, (*file)->bytes().find('\n'));
  return first.starts_with("#!") && first.find("sh") != std::string_view::npos;
}

void WorkspaceLoader::load_site(const SiteFiles& files) {
  std::vector<space::Problem>& problems = workspace_.problems_;
  // In its final place from the start: matrix rows point into the entries.
  Site& site = workspace_.sites_.emplace_back();
  site.files = files;
  site.profile = profile_;
  for (const std::string& path : files.masters) {
    if (auto document = parse({0, path})) {
      site.space.masters.push_back(space::read_master_config(std::move(document), problems));
    }
  }
  if (auto document = parse({0, files.runners})) {
    site.space.runners = space::read_runners(std::move(document), problems);
  }
  if (auto document = parse({0, files.ci_priority})) {
    site.space.ci_priority = space::read_ci_priority(std::move(document), problems);
  }
  if (auto document = parse({0, files.changelog})) {
    site.space.changelog = space::read_changelog(std::move(document), problems);
  }
  space::check_together(site.space, problems);
  site.matrix = space::expand(site.space, problems);
  site.eval_rows = space::select_eval_rows(site.matrix);
  list_retired(site);
  list_launchers(site);
  resolve_rows(site);
  select_recipes(site);
  list_images(site);
  list_recipe_images(site.recipes);
}

std::shared_ptr<const yaml::Document> WorkspaceLoader::parse(const FilePlace& place) {
  if (place.path.empty()) return nullptr;
  const DocumentCache::ParseResult& result = documents_->get(place);
  if (result) return *result;
  if (unparsed_.insert(place).second) {
    space::Problem problem;
    problem.rule = kUnparsedYamlRule;
    problem.message = result.error().message;
    if (problem.message.empty() || problem.message.back() != '.') problem.message += '.';
    problem.span = result.error().where;
    problem.identity = place.path;
    workspace_.problems_.push_back(std::move(problem));
  }
  return nullptr;
}

void WorkspaceLoader::list_retired(Site& site) const {
  for (const RetiredScenario& scenario : site.profile->retired) {
    if (scenario.stated_in.empty()) {
      site.retired.push_back({&scenario, {}});
      continue;
    }
    const std::string path = text::join_path(site.files.root, scenario.stated_in);
    if (sources_.tree().kind(path) != text::EntryKind::kFile) continue;
    const auto file = sources_.load(path);
    if (!file) continue;
    const std::size_t at = (*file)->bytes().find(scenario.marker);
    if (at == std::string_view::npos) continue;
    const auto begin = static_cast<std::uint32_t>(at);
    const auto size = static_cast<std::uint32_t>(scenario.marker.size());
    site.retired.push_back({&scenario, {*file, begin, begin + size}});
  }
}

void WorkspaceLoader::list_launchers(Site& site) const {
  const std::string folder = text::join_path(site.files.root, site.profile->folders.launchers);
  for (const text::FolderEntry& entry : sources_.tree().list(folder)) {
    std::string name = site.profile->folders.launcher_of(entry.name);
    if (!name.empty()) site.launchers.push_back(std::move(name));
  }
  std::sort(site.launchers.begin(), site.launchers.end());
}

void WorkspaceLoader::resolve_rows(Site& site) const {
  site.row_index.reserve(site.matrix.size());
  for (std::size_t i = 0; i < site.matrix.size(); ++i) {
    if (site.rows.empty() || site.rows.back().row != site.matrix[i].row) {
      site.rows.push_back(start_row(site.matrix[i], i));
    }
    ++site.rows.back().count;
    site.row_index.push_back(site.rows.size() - 1);
  }
  // Rows share most of the files that are looked up.
  const text::KindCache tree(sources_.tree());
  std::list<text::KindCache> upstream_trees;
  LookupPlaces places{tree, site.files.root, {}};
  for (const text::SourceStore* path : recipe_paths_) {
    places.recipe_paths.push_back(&upstream_trees.emplace_back(path->tree()));
  }
  RowResolver resolver(site, places);
  for (RowLaunch& row : site.rows) resolver.resolve(row);
}

void WorkspaceLoader::select_recipes(Site& site) {
  std::map<std::tuple<std::size_t, std::string, std::string>, SelectedRecipe> selected;
  const auto select = [&](const RowLaunch& row, Mode mode) {
    const RecipeReference& reference = row.target(mode).recipe;
    if (reference.place != RecipePlace::kInTree) return;
    SelectedRecipe& recipe = selected[{reference.root, reference.path, reference.selector}];
    recipe.root = reference.root;
    recipe.path = reference.path;
    recipe.selector = reference.selector;
    recipe.format = reference.rule->format;
    recipe.uses.push_back({&row, mode});
  };
  for (const RowLaunch& row : site.rows) {
    select(row, Mode::kThroughput);
    if (row.eval.recipe.written != row.throughput.recipe.written) select(row, Mode::kEval);
  }
  std::vector<FilePlace> places;
  for (const auto& [key, recipe] : selected) places.push_back({recipe.root, recipe.path});
  documents_->prepare(places);
  for (auto& [key, recipe] : selected) {
    read_recipe(recipe);
    site.recipes.push_back(std::move(recipe));
  }
}

void WorkspaceLoader::read_recipe(SelectedRecipe& recipe) {
  const std::shared_ptr<const yaml::Document> document = parse({recipe.root, recipe.path});
  if (document == nullptr) return;
  std::vector<launch::recipe::RecipeProblem> problems;
  if (recipe.format == RecipeFormat::kLlmD) {
    recipe.llmd = launch::recipe::read_llmd_recipe(document);
    problems = recipe.llmd->problems;
  } else {
    recipe.variants = launch::recipe::read_srt_recipe(document, recipe.selector, problems);
  }
  for (const launch::recipe::SrtRecipe& variant : recipe.variants) {
    problems.insert(problems.end(), variant.problems.begin(), variant.problems.end());
  }
  for (const launch::recipe::RecipeProblem& problem : problems) {
    workspace_.problems_.push_back(to_problem(problem, recipe));
  }
}

void WorkspaceLoader::list_recipe_images(const std::vector<SelectedRecipe>& recipes) {
  for (const SelectedRecipe& recipe : recipes) {
    for (const launch::recipe::SrtRecipe& variant : recipe.variants) {
      if (!variant.container || is_container_alias(recipe, variant.container->text)) continue;
      add_recipe_image(workspace_.image_uses_, recipe, *variant.container);
    }
  }
}

void WorkspaceLoader::list_images(const Site& site) {
  for (const space::MasterConfig& master : site.space.masters) {
    for (const space::Entry& entry : master.entries) list_images_of(entry);
  }
}

void WorkspaceLoader::list_images_of(const space::Entry& entry) {
  std::vector<ImageUse>& uses = workspace_.image_uses_;
  if (entry.image) {
    uses.push_back({ImageUse::Kind::kEntry,
                    std::string(*entry.image),
                    content_span(entry.image.node),
                    "",
                    {std::string(entry.key)}});
  }
  for (const space::Scenario& scenario : entry.scenarios) {
    for (const space::Row& row : scenario.rows) {
      for (const space::Field<space::Worker>* worker : {&row.prefill, &row.decode}) {
        if (!*worker || !(*worker)->additional_settings) continue;
        for (const space::Setting& setting : *(*worker)->additional_settings) {
          if (!setting.value || !is_image_setting(setting.name)) continue;
          uses.push_back({ImageUse::Kind::kSetting,
                          std::string(*setting.value),
                          setting.value_span,
                          std::string(setting.name),
                          {std::string(entry.key)}});
        }
      }
    }
  }
}

}  // namespace recipelint::layout
