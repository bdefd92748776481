#include "analyzer/space/read_support.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/space/field_reader.h"

namespace recipelint::space {

void report_duplicate_keys(const yaml::Document& document, std::vector<Problem>& problems) {
  Reporter reporter(problems, kDuplicateKeyRule);
  for (const auto& [first, repeated] : document.duplicate_keys()) {
    auto& problem = reporter.report(
        repeated.span(),
        fmt::format(
            "The key '{}' is repeated. The last value replaces the ones before it without a "
            "word.",
            repeated.text()),
        fmt::format("{}/repeated", repeated.text()));
    problem.related.push_back({first.span(), "first written here"});
  }
}

void sort_from(std::vector<Problem>& problems, std::size_t begin) {
  const auto first = problems.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(first, problems.end(), [](const Problem& a, const Problem& b) {
    return text::compare(a.span, b.span) < 0;
  });
}

}  // namespace recipelint::space
