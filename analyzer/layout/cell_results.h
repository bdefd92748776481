#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/layout/cell_launches.h"
#include "analyzer/layout/workspace.h"

namespace recipelint::layout {

/// A cell and what it starts.
struct EvaluatedCell {
  const Site* site = nullptr;
  Cell cell;
  /// Never null. Cells that run one script in equal environments share a result; places of the
  /// search space in it are those of the first of them.
  const CellLaunches* launches = nullptr;
  /// What its script starts with; null for a cell that runs no script.
  const Variables* environment = nullptr;

  const space::MatrixRow& row() const { return site->matrix[cell.matrix_row]; }
  const Target& target() const { return site->row_of(cell.matrix_row).target(cell.mode); }
  /// What findings call it: "key|8192x1024|tp8|ep8|c64", with "|eval" behind it in eval mode.
  std::string name() const;
};

/// What all cells of a workspace start. Nothing is evaluated before somebody asks, and everything
/// once.
class CellResults {
 public:
  /// Whether the cells of a search-space key are asked for.
  using KeyFilter = std::function<bool(std::string_view key)>;

  /// `workspace` must outlive it. Evaluates in `threads` threads, 0 for one per processor; the
  /// results do not depend on their number. Only the cells of `wanted` keys are in all(); without a
  /// filter all are.
  explicit CellResults(const Workspace& workspace, unsigned threads = 0, KeyFilter wanted = {});
  ~CellResults();
  CellResults(const CellResults&) = delete;
  CellResults& operator=(const CellResults&) = delete;

  /// By site: the throughput cells in the order of the generator, then the eval cells. Evaluates
  /// them on first use. Safe to call from several threads.
  std::span<const EvaluatedCell> all() const;
  /// Whether somebody has asked.
  bool evaluated() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace recipelint::layout
