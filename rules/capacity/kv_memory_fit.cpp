#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "rules/capacity/capacity.h"
#include "rules/memory_findings.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::memory::Consequence;
using serving::memory::Fits;
using serving::memory::KvTerm;
using serving::memory::MemoryFit;
using serving::memory::Topology;

constexpr std::string_view kId = "RL2003";

/// What is needed and left follows from a release's own code: a build that no release is known for,
/// and a launch that may not happen, prove nothing.
bool is_provable(const Topology& topology) {
  return topology.question.version_known && topology.server->launch->certain;
}

/// The level of a finding; nothing for what fits, or is no business of this rule. An engine that
/// starts all the same gets one level less.
std::optional<Level> level_of(const Topology& topology) {
  const MemoryFit& fit = topology.fit;
  if (fit.weights_too_large) return std::nullopt;  // RL2004
  const bool starts = fit.consequence != Consequence::kDoesNotStart;
  switch (fit.fits) {
    case Fits::kNo:
      return starts || !is_provable(topology) ? Level::kWarning : Level::kError;
    case Fits::kUnlikely:
      return starts ? Level::kNote : Level::kWarning;
    default:
      return std::nullopt;
  }
}

std::string consequence_text(Consequence consequence) {
  switch (consequence) {
    case Consequence::kDoesNotStart:
      return "the server does not start";
    case Consequence::kCutsRequests:
      return "SGLang starts, and refuses or cuts requests of this length";
    case Consequence::kShortensLength:
      return "TensorRT-LLM lowers its maximum length";
    case Consequence::kDropsRequests:
      break;
  }
  return "ATOM starts, and drops requests of this length";
}

/// The bound that failed, and how sure that is.
struct Bound {
  double need = 0;
  double available = 0;
  std::string_view words;
};

Bound bound_of(const Topology& topology) {
  const MemoryFit& fit = topology.fit;
  if (fit.fits == Fits::kNo) {
    return {fit.need.low, fit.available.high, fit.measured == nullptr ? "at best" : "as measured"};
  }
  return {
      fit.need.nominal, fit.available.nominal,
      topology.question.engine == launch::Engine::kVllm ? "by the usual overhead" : "most likely"};
}

std::string terms_text(const Topology& topology) {
  std::string text;
  double in_flight = 0;
  for (const KvTerm& term : topology.fit.terms) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", term.name, gib(term.bytes));
    if (term.in_flight) in_flight += term.bytes;
  }
  const auto& need = topology.fit.need;
  text = bound_of(topology).need < need.nominal
             ? fmt::format(" The most likely need, {}, is made of {}.", gib(need.nominal), text)
             : fmt::format(" The need is made of {}.", text);
  const auto& tokens = topology.question.step_tokens;
  if (in_flight > 0 && !tokens.empty()) {
    text += fmt::format(
        " {} of it grow not with the length but with the {} tokens of each step ({} in flight).",
        gib(in_flight), tokens.front(), topology.question.steps_in_flight.front());
  }
  return text;
}

std::string message_of(const Topology& topology) {
  const MemoryFit& fit = topology.fit;
  const Bound bound = bound_of(topology);
  if (!fit.has_need) {
    return fmt::format(
        "The weights of {} take at least {} on each GPU, which leaves no room for a "
        "KV cache: {}.",
        subject_of(topology), gib(fit.weights.low), consequence_text(fit.consequence));
  }
  if (bound.available <= 0) {
    std::string text = fmt::format(
        "The weights of {} take {} on each GPU {}, and the engine may use {}: nothing is left for "
        "a "
        "KV cache, and {}.",
        subject_of(topology), gib(fit.weights.nominal), bound.words,
        gib(topology.question.fraction.nominal * fit.total), consequence_text(fit.consequence));
    for (const std::string& assumed : fit.assumed) text += fmt::format(" Assumed: {}.", assumed);
    return text;
  }
  std::string text = fmt::format(
      "One request of {} tokens needs {} of KV cache on each rank of {}, and {} are left {}: {}.",
      topology.question.length, gib(bound.need), subject_of(topology), gib(bound.available),
      bound.words, consequence_text(fit.consequence));
  text += terms_text(topology);
  if (!topology.question.cache_bytes) {
    text += fmt::format(" A GPU has {}, of which {:.2f} are used; the weights take {} to {}.",
                        gib(fit.total), topology.question.fraction.nominal, gib(fit.weights.low),
                        gib(fit.weights.high));
  }
  for (const std::string& assumed : fit.assumed) text += fmt::format(" Assumed: {}.", assumed);
  return text;
}

/// Where a finding points to: the length, or the fraction if that leaves nothing whatever the
/// length.
Finding finding_at_culprit(const Topology& topology, Level level) {
  const auto& config = topology.server->config;
  const auto& fraction = config.cache.memory_fraction;
  if (bound_of(topology).available > 0 || !fraction.span.valid()) {
    return memory_finding(topology, kId, level, config.limits.model_length);
  }
  return memory_finding(topology, kId, level, fraction);
}

Finding finding_of(const Topology& topology, Level level) {
  const auto& limits = topology.server->config.limits;
  Finding finding = finding_at_culprit(topology, level);
  finding.message = message_of(topology);
  if (limits.step_tokens.span.valid()) {
    finding.related.push_back({limits.step_tokens.span, "tokens of a step"});
  }
  const text::Span fraction = topology.server->config.cache.memory_fraction.span;
  if (fraction.valid() && fraction != finding.primary) {
    finding.related.push_back({fraction, "fraction of the memory"});
  }
  finding.remedies = remedies_of(topology);
  return finding;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Topology& topology : context.servers.topologies()) {
    const auto level = level_of(topology);
    if (level) sink.report(finding_of(topology, *level));
    const bool open = topology.fit.fits == Fits::kUnknown;
    if (open) leave_topology_open(sink, kId, topology, topology.fit.unknown);
  }
}

}  // namespace

Rule kv_memory_fit() {
  return {kId,
          "kv-memory-fit",
          Level::kError,
          Precision::kHigh,
          "One request of the committed length needs more KV cache than a GPU has left.",
          embedded_pages("kv_memory_fit.md"),
          run};
}

}  // namespace recipelint::rules
