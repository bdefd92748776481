#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recipelint::serving {

/// What a decode step runs as.
enum class GraphUse : std::uint8_t { kEager, kPiecewise, kFull };
/// "eager", "piecewise", "full".
std::string_view to_string(GraphUse use);

/// Decode batches from `first` to `last` sequences of one rank, both included.
struct BatchRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  friend bool operator==(const BatchRange&, const BatchRange&) = default;
};

/// The CUDA graphs that a server captures at its start, and what they cover.
struct Capture {
  /// What the sizes count.
  enum class Unit : std::uint8_t { kTokens, kSequences };
  /// Why the server does not start.
  enum class Failure : std::uint8_t {
    kNone,
    kMaximumBelowOne,         // the largest size is 0
    kEmptyList,               // an explicit list without a size
    kMaximumAndListDisagree,  // both are given, and the list ends elsewhere
    kNoSizeLeft,              // nothing survives rounding to the tokens of a sequence
    kWidthsDisagree,          // no size is a multiple of both the tokens of a sequence and TP
    kModeUnavailable,         // this mode cannot be had with the other settings
    kSizeTooLarge,            // a size is beyond what a step can hold
  };

  Unit unit = Unit::kTokens;
  /// Sorted. Empty if nothing is captured, or the server does not start.
  std::vector<std::int64_t> sizes;
  /// The sizes of full graphs for decode batches, sorted. A subset of `sizes`, or these rounded up.
  std::vector<std::int64_t> decode_sizes;
  /// The largest size; 0 if there is none. Larger steps run eagerly.
  std::int64_t largest = 0;
  /// The batches from 1 to the most sequences of a rank, by what they run as. Sorted, and together
  /// complete, unless the server does not start.
  std::vector<BatchRange> full;
  std::vector<BatchRange> piecewise;
  std::vector<BatchRange> eager;
  Failure failure = Failure::kNone;
  /// One sentence without a period; empty without a failure.
  std::string failure_text;

  /// What a decode batch of so many sequences runs as; eager outside of the ranges.
  GraphUse use_of(std::int64_t sequences) const;
  /// The largest batch up to which every smaller one runs as a graph of any kind; 0 if not even one
  /// sequence does.
  std::int64_t covered() const;

  friend bool operator==(const Capture&, const Capture&) = default;
};

/// Adds batch `sequences`, one more than the last one added to any range, to the range of its use.
void add_batch(Capture& capture, std::int64_t sequences, GraphUse use);

}  // namespace recipelint::serving
