#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/models.h"
#include "analyzer/findings/finding.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/workspace.h"

namespace recipelint::app {

/// Which findings the user asked for by naming paths: those that lie in a named file or folder, and
/// those about cells that a named file takes part in. A master config stands for its keys, a launch
/// script and a recipe for the rows that run it, a launcher for the rows that it starts, and any
/// other file for the cells that read it.
class Scope {
 public:
  /// `paths` are relative to the root, normalized; the root itself ("") asks for everything.
  Scope(const layout::Workspace& workspace, const std::vector<std::string>& paths);

  /// Whether a path is named of which only the evaluation of all cells tells who reads it.
  bool needs_readers() const { return needs_readers_; }
  /// Adds the cells that read what is named. `cells` must have all cells.
  void add_readers(const layout::CellResults& cells, const facts::ModelFacts& models);

  bool contains(const findings::Finding& finding) const;
  /// Whether the cells of this search-space key are asked for.
  bool contains_key(std::string_view key) const { return everything_ || keys_.contains(key); }
  /// The same for a cell by its name.
  bool contains_cell(std::string_view cell) const;
  /// Named files that no cell has to do with: hooks pass such files, they are no mistake.
  const std::vector<std::string>& unaffecting() const { return unaffecting_; }

 private:
  bool names(std::string_view path) const;
  void add_site(const layout::Site& site);
  void add_own_cell(const std::string& path, std::string_view key);
  void list_unaffecting();

  const layout::Workspace& workspace_;
  bool everything_ = false;
  bool needs_readers_ = false;
  std::vector<std::string> paths_;
  std::set<std::string, std::less<>> keys_;
  std::set<std::string, std::less<>> affecting_;  // named files that take part in some cell
  std::vector<std::string> unaffecting_;
};

}  // namespace recipelint::app
