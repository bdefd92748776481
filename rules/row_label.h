#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/findings/finding.h"
#include "analyzer/serving/servers.h"
#include "analyzer/text/span.h"

namespace recipelint::rules {

/// What the search space, or the command line for a script that is run by hand, says about one
/// server: the label under which its result is published.
class RowLabel {
 public:
  /// Both must outlive it. A multi-node row describes the server under the role that it has.
  RowLabel(const serving::CellServers& cell, const serving::Server& server);

  /// A field of the row, or of the row's worker block: "tp", "dcp-size". Defaults of the generator
  /// count; nullopt if nothing is said, or nothing that can be read.
  std::optional<std::int64_t> number(std::string_view field) const;
  std::optional<bool> truth(std::string_view field) const;

  /// Where a field stands, or else the block that lacks it; invalid for a script run by hand.
  text::Span place(std::string_view field) const;
  /// Whether a row describes the server, and a file that is written as data starts it: then it is
  /// the row that is to be read against the file, not the other way round.
  bool describes_recipe() const;

  /// "The row says", or "The command line says".
  std::string says() const;
  /// " for a decode worker" for a multi-node row; else empty.
  std::string whose() const;
  /// "Write 'ep: 2' in the row." or "Say 'ep=2' on the command line."
  std::string correction(std::string_view field, std::string_view value) const;

 private:
  std::string name(std::string_view field) const;

  const layout::EvaluatedCell& cell_;
  launch::Role role_;
  bool multi_node_ = false;
};

/// "vLLM 0.26.0", or "vLLM" if the version is not known: labels hardly depend on it.
std::string engine_title(const serving::ServerConfig& config);

/// The cell has exactly one server that a row of one node can speak of, or is a multi-node one, in
/// which each role has its own words.
bool label_is_about_one_server(const serving::CellServers& cell);

/// Makes the finding point at the row if that is what describes a recipe file, else at the option
/// (`span`, `word`: of the setting in question; see server_load.h); the other place is a related
/// one.
void place_finding(findings::Finding& finding, const RowLabel& label, std::string_view field,
                   text::Span span, std::optional<std::size_t> word, const serving::Server& server);

}  // namespace recipelint::rules
