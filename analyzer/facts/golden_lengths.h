#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/span.h"

namespace recipelint::facts {

/// Acceptance lengths that were measured once for one model, one draft method and one way of
/// thinking, and that benchmarks make up since: tokens of a step by the number of drafted tokens.
struct GoldenTable {
  struct Length {
    double tokens = 0;
    text::Span span;
  };

  std::string file;    // "kimik3_dspark.yaml"
  std::string model;   // "kimi-k3", as the table writes it
  std::string method;  // "mtp", "eagle3", "dspark"
  /// How the drafts were sampled ("probabilistic"); empty if the table does not say it.
  std::string draft_sampling;
  std::string thinking;  // "thinking_on", "thinking_off"
  std::map<std::int64_t, Length> lengths;

  /// The length for this number of drafted tokens; null if it was not measured.
  const Length* find(std::int64_t drafted) const;
};

/// The tables of one file of `golden_al_distribution/`: a mapping from the model over the ways of
/// thinking to the lengths, with comments in front that say how they were measured. The method is
/// part of the name of the file. Lengths that are no numbers are left out. `file` must outlive the
/// spans. Fails if it is no YAML.
text::Result<std::vector<GoldenTable>> read_golden_tables(const text::SourceFile& file);

/// Those that come with the program, for trees without the folder. Read once.
const std::vector<GoldenTable>& embedded_golden_tables();

/// Whether both name one model: folders, case and the precision of a checkpoint do not count
/// ("nvidia/GLM-5.2-NVFP4", "glm-5.2-fp8").
bool same_model(std::string_view a, std::string_view b);

}  // namespace recipelint::facts
