#include "analyzer/serving/memory/dsv4_need.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recipelint::serving::memory {
namespace {

// Tokens of one page, and what they are compressed to.
constexpr double kPageTokens = 256;
constexpr double kRowsBy4 = kPageTokens / 4;
constexpr double kRowsBy128 = kPageTokens / 128;

/// How entries are stored: bytes of one, and what pages are rounded up to.
struct Layout {
  double row = 0;
  double alignment = 0;
};

text::Result<Layout> layout_of(double head_size, KvFormat format) {
  constexpr double kPlainAlignment = 512;
  switch (format) {
    case KvFormat::kFp8Scaled: {
      // 448 numbers in fp8 with 8 scales, 64 rotary ones in bf16.
      constexpr double kRotary = 64;
      return Layout{head_size - kRotary + 8 + 2 * kRotary, 576};
    }
    case KvFormat::kFp8:
      return Layout{head_size, kPlainAlignment};
    case KvFormat::kBf16:
      return Layout{2 * head_size, kPlainAlignment};
    case KvFormat::kNvfp4:
      break;
  }
  return text::Error{"the layout of nvfp4 for compressed attention", {}};
}

double page_bytes(double rows, double row, double alignment) {
  return ceil_div(rows * row, alignment) * alignment;
}

/// Bytes of a page of each kind of compressed layer, side by side.
double tuple_bytes(const Layout& layout, double index_size, IndexFormat index) {
  const double index_row = (index == IndexFormat::kFp4 ? index_size / 2 : index_size) + 4;
  return page_bytes(kRowsBy4, layout.row, layout.alignment) +
         page_bytes(kRowsBy128, layout.row, layout.alignment) +
         page_bytes(kRowsBy4, index_row, layout.alignment);
}

struct LayerCounts {
  double by_4 = 0;
  double by_128 = 0;
  double windows = 0;
};

/// How many tuples lie side by side: the number that wastes least when each kind of layer is cut
/// into groups of it; of equal ones the largest.
double tuples_of(const LayerCounts& layers) {
  const double first = std::max({layers.by_4, layers.by_128, 1.0});
  const double last = std::max(first, layers.windows);
  double best = first;
  double least = std::numeric_limits<double>::infinity();
  for (double tuples = first; tuples <= last; ++tuples) {
    double waste = 0;
    for (const double count : {layers.windows, layers.by_4, layers.by_128}) {
      waste += ceil_div(count, tuples) * tuples - count;
    }
    if (waste <= least) {
      least = waste;
      best = tuples;
    }
  }
  return best;
}

/// Pages of a cache that keeps `kept` tokens behind the ones in flight.
double window_pages(double kept, double page, const KvRequest& request) {
  return ceil_div(std::min(kept + request.in_flight, request.length), page) + 1;
}

}  // namespace

text::Result<KvNeed> dsv4_need(const Shape& shape, const KvRequest& request) {
  if (!request.hybrid) return text::Error{"what the engine needs without hybrid layers", {}};
  const auto layout = layout_of(shape["head_dim"], request.format);
  if (!layout) return layout.error();
  const LayerCounts layers{shape["layers_compressed_4"], shape["layers_compressed_128"],
                           shape["num_hidden_layers"] + request.draft_layers};
  const double tuples = tuples_of(layers);
  const double page = tuples * tuple_bytes(*layout, shape["index_head_dim"], request.index);
  // A window of 128 tokens in pages of 64; compressors see 8 and 128 tokens, in pages of 4 and 8.
  const double windows = ceil_div(layers.windows, tuples) * window_pages(127, 64, request);
  const double states = ceil_div(layers.by_4, tuples) * window_pages(7, 4, request) +
                        ceil_div(layers.by_128, tuples) * window_pages(127, 8, request);
  KvNeed need;
  need.terms = {
      {"compressed keys and values", ceil_div(request.length, kPageTokens) * page, false, false},
      {"sliding windows", windows * page, true, false},
      {"states of the compressors", states * page, true, false}};
  return need;
}

}  // namespace recipelint::serving::memory
