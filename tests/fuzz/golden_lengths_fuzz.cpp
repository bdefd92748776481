// Tables of golden acceptance lengths; the first line is the name of the file.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "analyzer/facts/golden_lengths.h"
#include "analyzer/text/source_file.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

void golden_lengths(std::string_view input) {
  const auto end = std::min(input.find('\n'), input.size());
  const text::SourceFile file("golden_al_distribution/" + std::string(input.substr(0, end)),
                              std::string(input.substr(std::min(end + 1, input.size()))));
  const auto tables = facts::read_golden_tables(file);
  if (!tables) return;
  for (const facts::GoldenTable& table : *tables) {
    for (const auto& [drafted, length] : table.lengths) {
      demand(std::isfinite(length.tokens), "a length is a number");
      demand_inside(length.span);
    }
    static_cast<void>(facts::same_model(table.model, "org/Example-FP8"));
  }
}

}  // namespace recipelint::fuzz
