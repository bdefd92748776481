#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/launch/recipe/llm_d.h"
#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/layout/bare_script.h"
#include "analyzer/layout/discover.h"
#include "analyzer/layout/document_cache.h"
#include "analyzer/layout/environment.h"
#include "analyzer/layout/profile.h"
#include "analyzer/layout/recipe_cells.h"
#include "analyzer/layout/row_fields.h"
#include "analyzer/layout/target.h"
#include "analyzer/space/expand.h"
#include "analyzer/space/problem.h"
#include "analyzer/space/search_space.h"
#include "analyzer/text/source_store.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// A place where a container image is named.
struct ImageUse {
  enum class Kind { kEntry, kSetting, kRecipeContainer };
  Kind kind = Kind::kEntry;
  /// The reference as written, without YAML quotes.
  std::string reference;
  /// The reference itself: without quotes, and without "PREFILL_IMAGE=" for a setting.
  text::Span span;
  /// For kSetting the name of the variable.
  std::string setting;
  /// Keys of the search-space entries that use it, sorted.
  std::vector<std::string> keys;
};

/// One row of a search-space list with all the matrix rows it generates, and what they start. All
/// of them start the same, since the names of scripts and recipes do not depend on the concurrency.
struct RowLaunch {
  const space::Entry* entry = nullptr;
  const space::Scenario* scenario = nullptr;
  const space::Row* row = nullptr;
  /// Indices in Site::matrix: [first, first + count).
  std::size_t first = 0;
  std::size_t count = 0;
  /// On the runner family with most machines. Eval mode differs where a row names a second recipe.
  Target throughput;
  Target eval;
  /// On the other families of the runner label, throughput mode.
  std::vector<Target> elsewhere;

  const Target& target(Mode mode) const { return mode == Mode::kEval ? eval : throughput; }
};

/// One run: a concurrency of a matrix row in one mode. Multi-node fixed-seq-len jobs run all of
/// their concurrencies on one set of servers; each is a cell of its own.
struct Cell {
  std::size_t matrix_row = 0;   // index in Site::matrix
  std::size_t concurrency = 0;  // index in MatrixRow::concurrencies
  Mode mode = Mode::kThroughput;
};

/// A row that selects a recipe, in this mode.
struct RecipeUse {
  const RowLaunch* row = nullptr;
  Mode mode = Mode::kThroughput;

  const RecipeReference& reference() const { return row->target(mode).recipe; }
};

/// A recipe file of the tree, or one variant of it, and the rows that select it.
struct SelectedRecipe {
  std::size_t root = 0;  // 0 for the tree, n for the n-th recipe path
  std::string path;      // relative to it
  std::string selector;
  RecipeFormat format = RecipeFormat::kSrtSlurm;
  /// Empty if the file could not be read, or has no such variant. Without a selector all variants
  /// of a file with overrides, since srtctl then submits all.
  std::vector<launch::recipe::SrtRecipe> variants;
  /// For the format llm-d, which has no variants.
  std::optional<launch::recipe::LlmdRecipe> llmd;
  /// In the order of the search space; eval mode only where it differs from throughput mode. Empty
  /// for the recipes of a tree without a search space.
  std::vector<RecipeUse> uses;
};

/// One set of search-space configurations and what it drives.
struct Site {
  SiteFiles files;
  const Profile* profile = nullptr;
  /// What the profile does not want any more, as far as the tree says so itself.
  std::vector<RetirementNotice> retired;
  space::SearchSpace space;
  std::vector<space::MatrixRow> matrix;
  /// The rows that `--evals-only` selects, as in space::select_eval_rows().
  std::vector<space::MatrixRow> eval_rows;
  /// Names of the launchers that exist, sorted: "b200-dgxc".
  std::vector<std::string> launchers;
  std::vector<RowLaunch> rows;
  /// The recipes of the tree that rows select, sorted by path and selector.
  std::vector<SelectedRecipe> recipes;

  /// The recipe of the tree that a reference names; null if there is none.
  const SelectedRecipe* find_recipe(const RecipeReference& reference) const;
  /// The row launch that a matrix row belongs to.
  const RowLaunch& row_of(std::size_t matrix_row) const { return rows[row_index[matrix_row]]; }
  std::vector<std::size_t> row_index;  // by matrix row
};

/// What was found below a root: the model that rules look at. Immutable once loaded.
class Workspace {
 public:
  /// A workspace of which only the images are known.
  explicit Workspace(std::vector<ImageUse> image_uses) : image_uses_(std::move(image_uses)) {}
  Workspace(Workspace&&) noexcept = default;
  Workspace& operator=(Workspace&&) noexcept = default;

  text::SourceStore& sources() const { return *sources_; }
  const Discovery& discovery() const { return discovery_; }
  const std::vector<Site>& sites() const { return sites_; }
  /// Recipes that are run without a row that selects them: all recipes of a tree that has no search
  /// space, else those that the user named.
  const std::vector<SelectedRecipe>& recipes() const { return recipes_; }
  /// Their variants, in the same order; they have cells of their own.
  const std::vector<RecipeRun>& recipe_runs() const { return recipe_runs_; }
  /// Whether rows or recipes describe its cells. Scripts beside recipes are described by who runs
  /// them.
  bool has_search_space() const {
    return !sites_.empty() || (!recipe_runs_.empty() && bare_scripts_.empty());
  }
  /// Scripts that are run without a search space; they are cells too.
  const std::vector<BareScript>& bare_scripts() const { return bare_scripts_; }
  const std::vector<ImageUse>& image_uses() const { return image_uses_; }
  /// What is wrong with the files themselves, in the order of reading; rule "RL1002" for a file
  /// that cannot be read or parsed, the search space's own rules otherwise.
  const std::vector<space::Problem>& problems() const { return problems_; }

  /// The environment that the script of a cell, or the submitter of its recipe, starts with. `pool`
  /// must outlive the result.
  LaunchPlan plan(const Site& site, const Cell& cell, text::OriginPool& pool) const;

  /// The commands that a cell starts through its recipe, with what its launcher changes in it. One
  /// list for each variant that the row selects; empty for a row without a recipe in the tree.
  /// `pool` must outlive the result.
  std::vector<std::vector<launch::Launch>> recipe_launches(const Site& site, const Cell& cell,
                                                           text::OriginPool& pool) const;

 private:
  friend class WorkspaceLoader;
  Workspace() = default;

  text::SourceStore* sources_ = nullptr;
  Discovery discovery_;
  std::vector<Site> sites_;
  std::vector<SelectedRecipe> recipes_;
  std::vector<RecipeRun> recipe_runs_;
  std::vector<BareScript> bare_scripts_;
  std::vector<ImageUse> image_uses_;
  std::vector<space::Problem> problems_;
};

/// Reads a tree. `sources` must outlive the workspace.
class WorkspaceLoader {
 public:
  explicit WorkspaceLoader(text::SourceStore& sources) : sources_(sources) {}

  /// What the user named (see DiscoverOptions).
  WorkspaceLoader& name_paths(std::vector<std::string> paths);
  /// Copies of the upstream recipe repository, in which recipes are looked up that the launchers
  /// take from there. They must outlive the workspace.
  WorkspaceLoader& look_in(std::vector<text::SourceStore*> recipe_paths);
  /// How the repository turns rows into runs, instead of inferencex_profile(). It must outlive the
  /// workspace.
  WorkspaceLoader& use_profile(const Profile& profile);
  /// Runs the named scripts by hand, with what the user says about the run. If that is anything,
  /// the search space is not looked at; without a search space scripts are run by hand anyway.
  WorkspaceLoader& run_by_hand(GivenRun run);
  /// How many threads may read files; 0: one per processor. The workspace does not depend on it.
  WorkspaceLoader& use_threads(unsigned threads);
  /// Never fails: what cannot be read is among the problems.
  Workspace load();

 private:
  void list_bare_scripts();
  bool is_named(std::string_view path) const;
  bool is_script(const std::string& path) const;
  void load_site(const SiteFiles& files);
  void load_recipes();
  std::vector<std::string> named_recipes();
  void add_named_recipes(const std::string& path, std::set<std::string>& found);
  /// Null if there is no such file or it cannot be parsed; that is a problem once.
  std::shared_ptr<const yaml::Document> parse(const FilePlace& place);
  void list_retired(Site& site) const;
  void list_launchers(Site& site) const;
  void resolve_rows(Site& site) const;
  void select_recipes(Site& site);
  void read_recipe(SelectedRecipe& recipe);
  void list_images(const Site& site);
  void list_images_of(const space::Entry& entry);
  void list_recipe_images(const std::vector<SelectedRecipe>& recipes);

  text::SourceStore& sources_;
  DiscoverOptions options_;
  GivenRun given_;
  const Profile* profile_ = &inferencex_profile();
  std::vector<text::SourceStore*> recipe_paths_;
  unsigned threads_ = 1;
  Workspace workspace_;
  std::optional<DocumentCache> documents_;  // while loading
  std::set<FilePlace> unparsed_;            // that are among the problems
};

}  // namespace recipelint::layout
