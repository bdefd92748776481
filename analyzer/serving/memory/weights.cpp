#include "analyzer/serving/memory/weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/serving/memory/shape.h"

namespace recipelint::serving::memory {
namespace {

// What engines loaded, over an ideal cut: from 1.00 (Llama, MiniMax-M2.5, Kimi-K3) over 1.015
// (DeepSeek-V4-Pro, 224.83 GiB of 221.4) to 1.06 (gpt-oss, Kimi-K2.5), by engine logs.
constexpr double kUsualGrowth = 1.015;
constexpr double kLargestGrowth = 1.08;
// Data-parallel attention of large models loaded up to this much more than its parts add up to.
constexpr double kReplicationSlack = 4 * kGib;
// A draft model of unknown size.
constexpr double kDraftAtMost = 4 * kGib;

/// The parts of a checkpoint, in bytes.
struct Parts {
  double experts = 0;
  double mtp = 0;
  double others = 0;
};

class Checkpoint {
 public:
  Checkpoint(const facts::Model& model, const facts::WeightFormat& format)
      : shape_(*model.family),
        format_(format),
        low_(static_cast<double>(*model.bytes_low)),
        high_(static_cast<double>(*model.bytes_high)),
        published_(model.confidence.starts_with("published")) {}

  Parts smallest(bool vision_loaded) const {
    Parts parts{experts(), mtp_at_most(), 0};
    const double plain = shape_["nonexpert_params"];  // one byte each
    const double rest = low_ - parts.experts - (published_ ? parts.mtp : 0);
    parts.others = published_ ? std::max(rest, plain) : std::min(rest, plain);
    if (shape_["expert_params"] == 0) parts.others = low_;
    if (!vision_loaded) parts.others -= vision();
    parts.others = std::max(parts.others, 0.0);
    return parts;
  }

  Parts likely() const { return with_total((low_ + high_) / 2); }
  Parts largest() const { return with_total(high_); }

 private:
  static constexpr double kBf16Bytes = 2;

  double experts() const { return shape_["expert_params"] * format_.bytes_per_parameter; }
  double mtp() const { return shape_["mtp_expert_params"] * format_.bytes_per_parameter; }
  double mtp_at_most() const {
    return format_.drafts_may_be_unquantized ? shape_["mtp_expert_params"] * kBf16Bytes : mtp();
  }
  double vision() const { return shape_["vision_params"] * kBf16Bytes; }

  Parts with_total(double total) const {
    Parts parts{experts(), mtp(), 0};
    parts.others = std::max(total - parts.experts - parts.mtp, shape_["nonexpert_params"]);
    return parts;
  }

  Shape shape_;
  const facts::WeightFormat& format_;
  double low_;
  double high_;
  bool published_;
};

double on_one_gpu(const Parts& parts, const Sharding& sharding, double others, bool mtp_loaded) {
  const double experts = parts.experts + (mtp_loaded ? parts.mtp : 0);
  return (experts / sharding.experts + parts.others / others) / sharding.pipeline;
}

/// How much wider the parts of experts get if the engine pads them.
double padding(const Shape& shape, const facts::WeightFormat& format, const Sharding& sharding) {
  if (!sharding.experts_cut || format.padded_width == 0) return 1;
  const double width = (shape.has("moe_intermediate_size") ? shape["moe_intermediate_size"]
                                                           : shape["intermediate_size"]) /
                       sharding.experts;
  if (width <= 0) return 1;
  const auto unit = static_cast<double>(format.padded_width);
  return ceil_div(width, unit) * unit / width;
}

}  // namespace

text::Result<Interval> weights_per_gpu(const facts::Model& model, const facts::MemoryFacts& facts,
                                       const Sharding& sharding, const LoadedParts& loaded) {
  if (!model.bytes_low || !model.bytes_high) {
    return text::Error{fmt::format("the size of the checkpoint '{}'", model.repository), {}};
  }
  const auto* format = facts.find_format(model.precision);
  if (format == nullptr) {
    return text::Error{fmt::format("the size of weights in '{}'", model.precision), {}};
  }
  const Checkpoint checkpoint(model, *format);
  const Shape shape(*model.family);
  const double widest = std::max(sharding.others, sharding.others_at_most);
  Interval weights;
  weights.low = on_one_gpu(checkpoint.smallest(loaded.vision), sharding, widest, loaded.mtp);
  weights.nominal =
      on_one_gpu(checkpoint.likely(), sharding, sharding.others, loaded.mtp) * kUsualGrowth;
  Parts largest = checkpoint.largest();
  largest.experts *= padding(shape, *format, sharding);
  weights.high = on_one_gpu(largest, sharding, sharding.others, loaded.mtp) * kLargestGrowth +
                 (sharding.replicated ? kReplicationSlack : 0);
  if (loaded.external_draft) {
    weights.high += std::max(shape["draft_bytes"] / sharding.others, kDraftAtMost);
  }
  return weights;
}

}  // namespace recipelint::serving::memory
