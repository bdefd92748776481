#include "rules/origin_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "analyzer/text/source_file.h"

namespace recipelint::rules {
namespace {

bool begin_in_one_line(text::Span a, text::Span b) {
  return a.file == b.file && a.file->position(a.begin).line == b.file->position(b.begin).line;
}

/// Whether both stand in one recipe: a file of data has its values where it launches with them.
bool lie_in_one_recipe(text::Span a, text::Span b) {
  const std::string_view path = a.file->path();
  return a.file == b.file && (path.ends_with(".yaml") || path.ends_with(".yml"));
}

/// "launched with '--max-num-seqs'".
std::string note_of(text::Span use) {
  const std::string_view bytes = use.bytes();
  if (!bytes.starts_with("--")) return "launched with it";
  return fmt::format("launched with '{}'", bytes.substr(0, bytes.find_first_of(" \t\r\n=\\")));
}

}  // namespace

std::vector<findings::FlowStep> flow_of(const text::Origin& origin, text::Span use) {
  std::vector<findings::FlowStep> steps;
  for (const text::OriginLink* link = origin.nearest(); link != nullptr; link = link->earlier) {
    if (link->span.valid()) steps.push_back({link->span, std::string(link->note)});
  }
  std::reverse(steps.begin(), steps.end());
  // What is written with its option has come no way.
  const bool is_step = use.valid() && !steps.empty() &&
                       !begin_in_one_line(steps.back().span, use) &&
                       !lie_in_one_recipe(steps.back().span, use);
  if (is_step) steps.push_back({use, note_of(use)});
  if (steps.size() < 2) return {};
  return steps;
}

}  // namespace recipelint::rules
