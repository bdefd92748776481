#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "analyzer/text/source_file.h"

namespace recipelint::fuzz {

void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void demand_inside(text::Span span) {
  if (!span.valid()) return;
  demand(span.begin <= span.end, "a span ends behind its beginning");
  demand(span.end <= span.file->bytes().size(), "a span lies in its file");
}

std::vector<std::string_view> parts_of(std::string_view input, std::size_t count) {
  constexpr std::string_view kSeparator = "\n%\n";
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < count) {
    const auto end = std::min(input.find(kSeparator), input.size());
    // The line feed before the separator belongs to the part.
    parts.push_back(input.substr(0, std::min(end + 1, input.size())));
    input.remove_prefix(std::min(end + kSeparator.size(), input.size()));
  }
  parts.push_back(input);
  return parts;
}

}  // namespace recipelint::fuzz
