#include "analyzer/serving/memory/memory_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/serving/memory/engine_pools.h"
#include "analyzer/serving/memory/overhead.h"
#include "analyzer/serving/memory/remedies.h"
#include "analyzer/serving/memory/shape.h"

namespace recipelint::serving::memory {
namespace {

using facts::MemoryMeasurement;
using launch::Engine;

bool is_vllm(const MemoryQuestion& question) {
  return question.engine == Engine::kVllm;
}

Sharding sharding_of(const MemoryQuestion& question) {
  Sharding sharding;
  sharding.experts = question.tensor * question.prefill_context;
  sharding.others = question.tensor;
  sharding.pipeline = question.pipeline;
  sharding.experts_cut = question.expert <= 1;
  if (is_vllm(question)) {
    // Experts lie on all ranks together, cut or whole.
    sharding.experts *= question.data;
    sharding.replicated = question.data > 1;
  } else {
    sharding.others_at_most = question.tensor;
    sharding.others = std::max(1.0, question.tensor / question.attention_data);
    sharding.replicated = question.attention_data > 1;
  }
  return sharding;
}

/// Whether a measurement is of launches that lay their weights like this one.
bool lays_weights_like(const MemoryMeasurement& point, const MemoryQuestion& question) {
  return point.engine == launch::to_string(question.engine) &&
         point.family == question.model->family->name &&
         point.precision == question.model->precision && point.gpu == question.gpu->name &&
         static_cast<double>(point.tensor) == question.tensor &&
         static_cast<double>(point.data) == question.data &&
         static_cast<double>(point.expert) == question.expert && question.pipeline == 1 &&
         question.decode_context == 1 && question.prefill_context == 1 &&
         point.speculation == question.speculation && question.weight_offload == 0 &&
         point.weights.has_value();
}

/// The measurement of exactly this topology; null if there is none.
const MemoryMeasurement* find_measurement(const MemoryQuestion& question,
                                          const facts::MemoryFacts& facts) {
  const auto same = [&](const MemoryMeasurement& point) {
    return lays_weights_like(point, question) && point.release &&
           point.release == question.release && point.fraction &&
           Interval::exactly(*point.fraction) == question.fraction && point.step_tokens &&
           question.step_tokens == std::vector{static_cast<double>(*point.step_tokens)} &&
           !question.cache_bytes && point.available;
  };
  const auto found = std::ranges::find_if(facts.measurements(), same);
  return found == facts.measurements().end() ? nullptr : &*found;
}

/// What one build without a version loaded of these weights: likely for another one of which no
/// version is known, but no proof. Null if nobody looked.
const MemoryMeasurement* find_loaded_weights(const MemoryQuestion& question,
                                             const facts::MemoryFacts& facts) {
  if (question.version_known) return nullptr;
  const auto same = [&](const MemoryMeasurement& point) {
    return !point.release && lays_weights_like(point, question);
  };
  const auto found = std::ranges::find_if(facts.measurements(), same);
  return found == facts.measurements().end() ? nullptr : &*found;
}

/// Works the answer out part by part.
class Fitting {
 public:
  Fitting(const MemoryQuestion& question, const facts::MemoryFacts& facts)
      : question_(question), facts_(facts) {}

  MemoryFit run() {
    fit_.assumed = question_.assumed;
    if (question_.model == nullptr) missing_for_weights("the model");
    if (question_.gpu == nullptr) missing_for_weights("the GPU");
    append(fit_.unknown, question_.missing);
    append(fit_.weights_unknown, question_.missing_for_weights);
    if (question_.model == nullptr || question_.gpu == nullptr) return std::move(fit_);
    fit_.total = static_cast<double>(question_.gpu->bytes);
    fit_.gpus = static_cast<std::int64_t>(question_.tensor * question_.pipeline *
                                          question_.prefill_context *
                                          (is_vllm(question_) ? question_.data : 1));
    fit_.measured = find_measurement(question_, facts_);
    fit_.consequence = consequence_of(question_.engine);
    weigh();
    size_need();
    size_available();
    judge();
    return std::move(fit_);
  }

 private:
  static void append(std::vector<std::string>& facts, const std::vector<std::string>& more) {
    facts.insert(facts.end(), more.begin(), more.end());
  }
  void missing(std::string fact) { fit_.unknown.push_back(std::move(fact)); }
  void missing_for_weights(std::string fact) {
    fit_.weights_unknown.push_back(fact);
    missing(std::move(fact));
  }

  void weigh() {
    if (fit_.measured != nullptr) {
      fit_.weights = Interval::exactly(*fit_.measured->weights * kGib);
      fit_.has_weights = true;
      return;
    }
    const auto weights =
        weights_per_gpu(*question_.model, facts_, sharding_of(question_), question_.loaded);
    if (!weights) return missing_for_weights(weights.error().message);
    fit_.weights = *weights;
    const auto* loaded = find_loaded_weights(question_, facts_);
    if (loaded != nullptr) {
      beside_ = loaded->overhead.value_or(0) * kGib;
      const double bytes = *loaded->weights * kGib;
      fit_.weights = {std::min(bytes, weights->low), bytes, std::max(bytes, weights->high)};
      fit_.assumed.push_back(fmt::format("weights as another build loaded them ({})",
                                         facts::to_string(*loaded->evidence)));
    }
    for (double* bound : {&fit_.weights.low, &fit_.weights.nominal, &fit_.weights.high}) {
      *bound = std::max(0.0, *bound - question_.weight_offload);
    }
    fit_.has_weights = true;
  }

  // --- The need ---

  /// Every request that the open settings allow; the most likely one first.
  std::vector<KvRequest> possible_requests() const {
    std::vector<KvRequest> requests = {KvRequest()};
    KvRequest& first = requests.front();
    first.length = question_.length;
    first.tensor = std::max(1.0, question_.tensor / question_.attention_data);
    first.context = question_.decode_context;
    first.block_size = question_.block_size;
    first.speculative_tokens = question_.speculative_tokens;
    first.hybrid = question_.hybrid.value_or(true);
    first.state_element = question_.state_element;
    first.window_ratio = question_.window_ratio;
    const auto vary = [&requests](const auto& values, const auto& set) {
      const auto known = std::exchange(requests, {});
      for (const auto& value : values) {
        for (KvRequest request : known) {
          set(request, value);
          requests.push_back(request);
        }
      }
    };
    vary(in_flight(), [](KvRequest& request, double value) { request.in_flight = value; });
    vary(question_.formats, [](KvRequest& request, KvFormat value) { request.format = value; });
    vary(question_.indexes, [](KvRequest& request, IndexFormat value) { request.index = value; });
    vary(question_.prefix_caching,
         [](KvRequest& request, bool value) { request.prefix_caching = value; });
    vary(question_.draft_layers,
         [](KvRequest& request, double value) { request.draft_layers = value; });
    vary(question_.state_pools, [](KvRequest& request, const StatePool& value) {
      request.states = value.states;
      request.state_share = value.share;
    });
    return requests;
  }

  std::vector<double> in_flight() const {
    std::vector<double> values;
    for (const double tokens : question_.step_tokens) {
      for (const double steps : question_.steps_in_flight) values.push_back(tokens * steps);
    }
    return values;
  }

  void size_need() {
    if (question_.length <= 0) return;  // named already
    bool first = true;
    for (const KvRequest& request : possible_requests()) {
      const auto need = is_vllm(question_)
                            ? kv_need(*question_.model->family, request)
                            : pool_need(question_.engine, *question_.model->family, request);
      if (!need) return missing(need.error().message);
      const double bytes = share_of_stage(need->bytes());
      if (first) {
        fit_.need = Interval::exactly(bytes);
        fit_.terms = need->terms;
        for (KvTerm& term : fit_.terms) term.bytes = share_of_stage(term.bytes);
      }
      first = false;
      fit_.need.low = std::min(fit_.need.low, bytes);
      fit_.need.high = std::max(fit_.need.high, bytes);
    }
    if (first) return missing("the KV cache dtype");
    fit_.has_need = true;
  }

  /// The largest stage has at least the mean of all.
  double share_of_stage(double bytes) const { return bytes / question_.pipeline; }

  // --- What is left for it ---

  void size_available() {
    if (!fit_.has_weights) return;
    fit_.has_available = true;
    if (fit_.measured != nullptr) {
      fit_.available = Interval::exactly(*fit_.measured->available * kGib);
      return;
    }
    if (question_.cache_bytes) {
      fit_.available = Interval::exactly(*question_.cache_bytes);
      return;
    }
    if (question_.fraction.high <= 0) {
      fit_.has_available = false;
      return;  // named already
    }
    if (is_vllm(question_)) {
      const auto [overhead, measured] =
          overhead_of(facts_, {"vllm", question_.model->family->name, question_.gpu->name,
                               question_.data > 1, question_.tensor});
      if (!measured) fit_.assumed.emplace_back("an overhead as of other models or GPUs");
      fit_.available = {
          fit_.total * question_.fraction.low - fit_.weights.high - overhead.high,
          fit_.total * question_.fraction.nominal - fit_.weights.nominal - overhead.nominal,
          fit_.total * question_.fraction.high - fit_.weights.low - overhead.low};
      return;
    }
    fit_.available = pool_of(question_, fit_.weights, fit_.total);
    fit_.available.nominal -= beside_;
    fit_.available.low -= beside_;
  }

  // --- The verdict ---

  void judge() {
    if (!fit_.has_available || !question_.missing_for_weights.empty()) return;
    if (!question_.cache_bytes && fit_.measured == nullptr) {
      fit_.weights_too_large = fit_.weights.low > usable();
      if (fit_.available.high <= 0) {
        fit_.fits = Fits::kNo;
        fit_.consequence = Consequence::kDoesNotStart;
        return;
      }
    }
    if (!fit_.has_need || !question_.missing.empty()) return;
    fit_.tokens = fitting_tokens();
    fit_.fits = verdict();
    const bool nothing_left = fit_.fits == Fits::kUnlikely && fit_.available.nominal <= 0;
    if (nothing_left) fit_.consequence = Consequence::kDoesNotStart;
    if (!question_.hybrid && fit_.fits != Fits::kNo && needs_hybrid()) {
      missing("whether the KV connector leaves hybrid layers on");
      fit_.fits = Fits::kUnknown;
    }
  }

  /// The most that the engine may take of the GPU.
  double usable() const {
    const bool of_total = question_.engine != Engine::kTensorRtLlm;
    return fit_.total * (of_total ? question_.fraction.high : 1);
  }

  Fits verdict() const {
    if (fit_.need.low > fit_.available.high) return Fits::kNo;
    if (fit_.need.nominal > fit_.available.nominal) return Fits::kUnlikely;
    return fit_.need.high > fit_.available.low ? Fits::kTight : Fits::kYes;
  }

  bool needs_hybrid() const {
    const auto attention = question_.model->family->attention;
    return attention == "dsv4" || attention == "gqa_swa" || attention == "mla_kda" ||
           attention == "gqa_gdn";
  }

  /// By the part of the need that grows with the length.
  double fitting_tokens() const {
    double fixed = 0;
    double growing = 0;
    for (const KvTerm& term : fit_.terms) {
      (term.in_flight || term.fixed ? fixed : growing) += term.bytes;
    }
    if (growing <= 0) return 0;
    return std::max(0.0, (fit_.available.nominal - fixed) / growing * question_.length);
  }

  static Consequence consequence_of(Engine engine) {
    switch (engine) {
      case Engine::kSglang:
        return Consequence::kCutsRequests;
      case Engine::kTensorRtLlm:
        return Consequence::kShortensLength;
      case Engine::kAtom:
        return Consequence::kDropsRequests;
      default:
        return Consequence::kDoesNotStart;
    }
  }

  const MemoryQuestion& question_;
  const facts::MemoryFacts& facts_;
  double beside_ = 0;  // bytes that a build was seen to take beside the weights
  MemoryFit fit_;
};

}  // namespace

std::string_view to_string(Fits fits) {
  switch (fits) {
    case Fits::kYes:
      return "yes";
    case Fits::kTight:
      return "tight";
    case Fits::kUnlikely:
      return "unlikely";
    case Fits::kNo:
      return "no";
    case Fits::kUnknown:
      break;
  }
  return "unknown";
}

MemoryFit memory_fit_without_remedies(const MemoryQuestion& question,
                                      const facts::MemoryFacts& facts) {
  return Fitting(question, facts).run();
}

MemoryFit memory_fit(const MemoryQuestion& question, const facts::MemoryFacts& facts) {
  MemoryFit fit = memory_fit_without_remedies(question, facts);
  if (fit.fits != Fits::kYes && fit.fits != Fits::kUnknown) {
    fit.remedies = find_remedies(question, fit, facts);
  }
  return fit;
}

}  // namespace recipelint::serving::memory
