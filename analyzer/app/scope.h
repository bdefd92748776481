#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/layout/workspace.h"

namespace recipelint::app {

/// Which findings the user asked for by naming paths: those that lie in a named file or folder, and
/// those about cells that a named file takes part in. A master config stands for its keys, a launch
/// script and a recipe for the rows that run it, a launcher for the rows that it starts, a library
/// for the rows whose script mentions it.
class Scope {
 public:
  /// `paths` are relative to the root, normalized; the root itself ("") asks for everything.
  Scope(const layout::Workspace& workspace, const std::vector<std::string>& paths);

  bool contains(const findings::Finding& finding) const;
  /// Whether the cells of this search-space key are asked for.
  bool contains_key(std::string_view key) const { return everything_ || keys_.contains(key); }
  /// Named files that no cell has to do with: hooks pass such files, they are no mistake.
  const std::vector<std::string>& unaffecting() const { return unaffecting_; }

 private:
  bool names(std::string_view path) const;
  void add_site(const layout::Site& site);
  void add_script(const layout::BareScript& script);
  /// Named scripts that a script which a row runs mentions by name, as it does to source them.
  const std::vector<std::string>& named_scripts_used_by(const std::string& file);

  text::SourceStore& sources_;
  std::map<std::string, std::vector<std::string>> used_by_;  // many rows run one script
  bool everything_ = false;
  std::vector<std::string> paths_;
  std::set<std::string, std::less<>> keys_;
  std::set<std::string, std::less<>> affecting_;  // named files that take part in some cell
  std::vector<std::string> unaffecting_;
};

}  // namespace recipelint::app
