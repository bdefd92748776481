#include "analyzer/serving/memory/remedies.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace recipelint::serving::memory {
namespace {

class RemedyFinder {
 public:
  RemedyFinder(const MemoryQuestion& question, const MemoryFit& fit,
               const facts::MemoryFacts& facts)
      : question_(question), fit_(fit), facts_(facts) {}

  std::vector<Remedy> run() {
    smaller_steps();
    smaller_format();
    larger_fraction();
    more_ranks();
    shorter_length();
    return std::move(remedies_);
  }

 private:
  /// Asks again; the change is a remedy if it fits by the most likely numbers.
  bool offer(const MemoryQuestion& changed, Remedy::Kind kind, double value) {
    const auto remedy = passing(changed, kind, value);
    if (remedy) remedies_.push_back(*remedy);
    return remedy.has_value();
  }

  std::optional<Remedy> passing(const MemoryQuestion& changed, Remedy::Kind kind,
                                double value) const {
    const MemoryFit fit = memory_fit_without_remedies(changed, facts_);
    if (fit.fits != Fits::kYes && fit.fits != Fits::kTight) return std::nullopt;
    return Remedy{kind, value, fit.need.nominal, fit.available.nominal};
  }

  void smaller_steps() {
    const bool grows = std::ranges::any_of(fit_.terms, &KvTerm::in_flight);
    if (!grows || question_.step_tokens.empty()) return;
    constexpr double kLeast = 1024;
    const double least = std::max(kLeast, question_.sequences);
    for (double tokens = question_.step_tokens.front() / 2; tokens >= least; tokens /= 2) {
      MemoryQuestion changed = question_;
      changed.step_tokens = {std::floor(tokens)};
      if (offer(changed, Remedy::Kind::kStepTokens, std::floor(tokens))) return;
    }
  }

  void smaller_format() {
    const bool wide = question_.formats == std::vector{KvFormat::kBf16};
    if (!wide || question_.model->family->attention == "dsv4") return;
    MemoryQuestion changed = question_;
    changed.formats = {KvFormat::kFp8};
    if (question_.model->family->attention == "mla_dsa") changed.formats = {KvFormat::kFp8Scaled};
    offer(changed, Remedy::Kind::kFormat, 0);
  }

  void larger_fraction() {
    constexpr int kMostPercent = 95;
    if (question_.cache_bytes) return;
    const int first = static_cast<int>(std::floor(question_.fraction.nominal * 100 + 1e-6)) + 1;
    for (int percent = std::max(first, 1); percent <= kMostPercent; ++percent) {
      MemoryQuestion changed = question_;
      changed.fraction = Interval::exactly(percent / 100.0);
      if (offer(changed, Remedy::Kind::kFraction, percent / 100.0)) return;
    }
  }

  void more_ranks() {
    const auto heads = question_.model->family->number("num_attention_heads").value_or(0);
    for (double factor = 2; factor <= 8; factor *= 2) {
      MemoryQuestion changed = question_;
      changed.tensor *= factor;
      if (question_.expert > 1) changed.expert *= factor;
      const double gpus = static_cast<double>(fit_.gpus) * factor;
      if (gpus > static_cast<double>(question_.gpu->per_node)) return;
      if (heads == 0 || std::fmod(static_cast<double>(heads), changed.tensor) != 0) return;
      if (offer(changed, Remedy::Kind::kRanks, changed.tensor)) return;
    }
  }

  void shorter_length() {
    constexpr double kUnit = 1024;
    double fits = 0;  // in units
    double fails = std::ceil(question_.length / kUnit);
    while (fails - fits > 1) {
      const double middle = std::floor((fits + fails) / 2);
      MemoryQuestion changed = question_;
      changed.length = middle * kUnit;
      (passing(changed, Remedy::Kind::kLength, 0) ? fits : fails) = middle;
    }
    if (fits == 0) return;
    MemoryQuestion changed = question_;
    changed.length = fits * kUnit;
    offer(changed, Remedy::Kind::kLength, changed.length);
  }

  const MemoryQuestion& question_;
  const MemoryFit& fit_;
  const facts::MemoryFacts& facts_;
  std::vector<Remedy> remedies_;
};

}  // namespace

std::vector<Remedy> find_remedies(const MemoryQuestion& question, const MemoryFit& fit,
                                  const facts::MemoryFacts& facts) {
  return RemedyFinder(question, fit, facts).run();
}

}  // namespace recipelint::serving::memory
