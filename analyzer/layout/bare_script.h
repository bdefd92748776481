#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/environment.h"
#include "analyzer/layout/target.h"
#include "analyzer/text/origin.h"

namespace recipelint::layout {

/// What the user says about the run of a script that no row describes. What is not said is not
/// known.
struct GivenRun {
  /// Variables that the script starts with; the last of a name counts.
  std::vector<std::pair<std::string, std::string>> environment;
  /// What a row would have said: "image", "model", "gpu" and those of kGivenFields.
  std::map<std::string, std::string, std::less<>> fields;

  bool empty() const { return environment.empty() && fields.empty(); }
};

/// What can be given about the cell itself, under the names that rows have for it. Not in a row:
/// the role of the server and the number of workers of that role.
inline constexpr std::array<std::string_view, 14> kGivenFields = {
    "conc",          "isl",           "osl",  "tp",     "pp",
    "dcp-size",      "pcp-size",      "dp",   "ep",     "dp-attn",
    "spec-decoding", "kv-offloading", "role", "workers"};

/// A script that is run by hand: the second profile, without a launcher and a workflow. It is a
/// cell of its own, with as much of a row as was given.
struct BareScript {
  /// Its runner is named after the GPU that was given.
  Target target;
  std::shared_ptr<const GivenRun> run;
};

/// `script` is the path of an existing file, relative to the tree.
BareScript bare_script(std::string script, std::shared_ptr<const GivenRun> run);

/// The variables that were given. `pool` must outlive the result.
Variables given_variables(const GivenRun& run, text::OriginPool& pool);

}  // namespace recipelint::layout
