// Ignore comments in bash (an input that begins with '#') and YAML.

#include <string>
#include <string_view>

#include "analyzer/findings/ignores.h"
#include "analyzer/text/source_file.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

void ignores(std::string_view input) {
  const text::SourceFile file(input.starts_with('#') ? "x.sh" : "x.yaml", std::string(input));
  for (const findings::Ignore& ignore : findings::read_ignores(file)) {
    demand_inside(ignore.span);
    demand_inside(ignore.comment);
    demand(ignore.first_line >= 1 && ignore.first_line <= ignore.last_line, "lines are in order");
    demand(ignore.rule.empty() || ignore.span.bytes() == ignore.rule, "a rule is where it says");
  }
  findings::IgnoreList list([](std::string_view name) { return std::string(name); });
  list.add(file);
  findings::Finding finding;
  finding.rule = "RL3001";
  finding.primary = file.span(0, 0);
  static_cast<void>(list.suppressing(finding));
}

}  // namespace recipelint::fuzz
