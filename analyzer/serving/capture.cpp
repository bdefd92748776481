#include "analyzer/serving/capture.h"

#include <algorithm>

namespace recipelint::serving {
namespace {

bool holds(const std::vector<BatchRange>& ranges, std::int64_t sequences) {
  return std::ranges::any_of(ranges, [&](const BatchRange& range) {
    return range.first <= sequences && sequences <= range.last;
  });
}

std::vector<BatchRange>& ranges_of(Capture& capture, GraphUse use) {
  switch (use) {
    case GraphUse::kFull:
      return capture.full;
    case GraphUse::kPiecewise:
      return capture.piecewise;
    case GraphUse::kEager:
      break;
  }
  return capture.eager;
}

}  // namespace

std::string_view to_string(GraphUse use) {
  switch (use) {
    case GraphUse::kFull:
      return "full";
    case GraphUse::kPiecewise:
      return "piecewise";
    case GraphUse::kEager:
      break;
  }
  return "eager";
}

GraphUse Capture::use_of(std::int64_t sequences) const {
  if (holds(full, sequences)) return GraphUse::kFull;
  return holds(piecewise, sequences) ? GraphUse::kPiecewise : GraphUse::kEager;
}

std::int64_t Capture::covered() const {
  if (!eager.empty()) return eager.front().first - 1;
  std::int64_t last = 0;
  for (const auto* ranges : {&full, &piecewise}) {
    if (!ranges->empty()) last = std::max(last, ranges->back().last);
  }
  return last;
}

void add_batch(Capture& capture, std::int64_t sequences, GraphUse use) {
  auto& ranges = ranges_of(capture, use);
  if (!ranges.empty() && ranges.back().last == sequences - 1) {
    ranges.back().last = sequences;
  } else {
    ranges.push_back({sequences, sequences});
  }
}

}  // namespace recipelint::serving
