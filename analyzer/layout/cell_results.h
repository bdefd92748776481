#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_launches.h"
#include "analyzer/layout/workspace.h"

namespace recipelint::layout {

struct ScriptFlow;

/// A cell and what it starts.
struct EvaluatedCell {
  /// Null for a script that is run by hand, and for a recipe that no row selects.
  const Site* site = nullptr;
  Cell cell = {};
  /// Never null. Cells that run one script in equal environments share a result; places of the
  /// search space in it are those of the first of them.
  const CellLaunches* launches = nullptr;
  /// What its script starts with; null for a cell that runs no script, or one that is run by hand,
  /// of which only a part is known.
  const Variables* environment = nullptr;
  /// Set for a script that is run by hand.
  const BareScript* bare = nullptr;
  /// Set for a recipe that no row selects.
  const RecipeCell* recipe = nullptr;

  /// Null without a site.
  const space::MatrixRow* row() const {
    return site == nullptr ? nullptr : &site->matrix[cell.matrix_row];
  }
  const Target& target() const {
    if (recipe != nullptr) return recipe->run->target;
    return site == nullptr ? bare->target : site->row_of(cell.matrix_row).target(cell.mode);
  }
  /// The image that it runs in, the model that it serves, and the runner label, or the GPU that was
  /// given, that it runs on. Empty if that is not known. Valid as long as the workspace.
  std::string_view image() const;
  std::string_view model() const;
  std::string_view runner() const;
  /// A field of its row, as RowFields has it, or what was given in its place ("image", "model",
  /// "gpu" and kGivenFields); nullopt if it is not known.
  std::optional<FieldText> field(std::string_view field_name) const;
  /// A field that is an integer; nullopt also if it is none.
  std::optional<std::int64_t> number(std::string_view field_name) const;
  /// The key of its row; the path of a script that is run by hand; RecipeRun::key.
  std::string_view owner() const;
  /// What findings call it: "key|8192x1024|tp8|ep8|c64", with "|eval" behind it in eval mode. A
  /// script that is run by hand goes by its path, a recipe by "recipes/x.yaml|8192x1024|c64".
  std::string name() const;
};

/// What all cells of a workspace start. Nothing is evaluated before somebody asks, and everything
/// once.
class CellResults {
 public:
  /// Whether the cells of a search-space key are asked for.
  using KeyFilter = std::function<bool(std::string_view key)>;

  /// `workspace` and `facts` must outlive it. Evaluates in `threads` threads, 0 for one per
  /// processor; the results do not depend on their number. Only the cells of `wanted` keys are in
  /// all(), those of recipes by RecipeRun::key; without a filter all are. Scripts that are run by
  /// hand have no key.
  CellResults(const Workspace& workspace, const facts::Catalog& facts, unsigned threads = 0,
              KeyFilter wanted = {});
  ~CellResults();
  CellResults(const CellResults&) = delete;
  CellResults& operator=(const CellResults&) = delete;

  /// By site: the throughput cells in the order of the generator, then the eval cells; then the
  /// recipes that no row selects and the scripts run by hand, by path. Evaluates them on first
  /// use. Safe to call from several threads.
  std::span<const EvaluatedCell> all() const;
  /// What becomes of the values in the scripts of these cells, in the order of their paths.
  /// Evaluates them on first use. Safe to call from several threads.
  std::span<const ScriptFlow> flows() const;
  /// Whether somebody has asked.
  bool evaluated() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace recipelint::layout
