#include <fmt/format.h>

#include "rules/capacity/capacity.h"
#include "rules/memory_findings.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::memory::Topology;

constexpr std::string_view kId = "RL2004";

Finding finding_of(const Topology& topology) {
  const auto& config = topology.server->config;
  const auto& fit = topology.fit;
  Finding finding = memory_finding(topology, kId, Level::kError, config.parallel.tensor);
  const double fraction = topology.question.engine == launch::Engine::kTensorRtLlm
                              ? 1
                              : topology.question.fraction.high;
  finding.message = fmt::format(
      "The weights of {} take at least {} on each GPU, and the engine may use {} ({:.2f} of {}): "
      "the server does not start.",
      subject_of(topology), gib(fit.weights.low), gib(fraction * fit.total), fraction,
      gib(fit.total));
  if (!topology.server->launch->certain) finding.level = Level::kWarning;
  if (config.cache.memory_fraction.span.valid()) {
    finding.related.push_back({config.cache.memory_fraction.span, "fraction of the memory"});
  }
  finding.remedies = remedies_of(topology);
  if (finding.remedies.empty()) {
    finding.remedies = {"Use more GPUs for one server, or a checkpoint with smaller weights."};
  }
  return finding;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Topology& topology : context.servers.topologies()) {
    if (topology.fit.weights_too_large) sink.report(finding_of(topology));
    leave_topology_open(sink, kId, topology, topology.fit.weights_unknown);
  }
}

}  // namespace

Rule weights_do_not_fit() {
  return {kId,
          "weights-do-not-fit",
          Level::kError,
          Precision::kVeryHigh,
          "The weights alone are more than the engine may use of a GPU.",
          embedded_pages("weights_do_not_fit.md"),
          run};
}

}  // namespace recipelint::rules
