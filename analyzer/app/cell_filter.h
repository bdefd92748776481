#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/app/options.h"
#include "analyzer/layout/row_fields.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/space/expand.h"
#include "analyzer/text/result.h"

namespace recipelint::app {

/// Which cells the user asked for: --keys (globs over keys; any of them) and --cell (fields that
/// must all have the given values: "conc=64,tp=8,dp-attn=true").
class CellFilter {
 public:
  /// Fails on a --cell that is not a list of FIELD=VALUE.
  static text::Result<CellFilter> make(const SharedOptions& options);

  /// `concurrency` is an index into row.concurrencies.
  bool accepts(const space::MatrixRow& row, std::size_t concurrency) const;
  /// Whether it accepts one of the row's cells.
  bool accepts_any(const space::MatrixRow& row) const;
  bool accepts(const layout::RecipeCell& cell) const;

 private:
  bool accepts_key(std::string_view key) const;
  /// `find` gives the text of a field, if there is one.
  template <typename Find>
  bool accepts_fields(const Find& find) const;

  std::vector<std::string> keys_;
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// Those of --keys that match no entry of the search space: a mistyped glob looks like a clean
/// repository otherwise.
std::vector<std::string> keys_that_match_nothing(const SharedOptions& options,
                                                 const layout::Workspace& workspace);
/// Says so in one line each on `out`.
void say_which_keys_match_nothing(const SharedOptions& options, const layout::Workspace& workspace,
                                  std::ostream& out);

}  // namespace recipelint::app
