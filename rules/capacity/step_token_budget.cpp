#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/facts/catalog.h"
#include "analyzer/serving/servers.h"
#include "rules/capacity/capacity.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Engine;
using launch::Role;
using serving::CellServers;
using serving::Server;
using serving::ServerConfig;

constexpr std::string_view kId = "RL2005";
/// Beyond every limit that makes sense.
constexpr std::int64_t kMost = std::int64_t{1} << 40;

class Budget {
 public:
  Budget(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for (const CellServers& cell : context_.servers.all()) {
      for (const Server& server : cell.servers) judge(cell, server);
    }
    worst_.report(sink_);
  }

 private:
  void judge(const CellServers& cell, const Server& server) {
    // SGLang's decode steps have no budget of tokens.
    const Engine engine = server.config.engine;
    if (engine == Engine::kSglang) return;
    const auto& budget = server.config.limits.step_tokens;
    if (!budget.value) {
      return leave_open(sink_, kId,
                        budget.reason.empty() ? "the token budget is not known" : budget.reason,
                        cell);
    }
    if (engine == Engine::kVllm && fails_at_start(cell, server)) return;
    check_prompt(cell, server);
    if (role_of(cell, server) != Role::kPrefill) check_decode(cell, server);
  }

  Finding finding_for(const Server& server, std::string_view identity) const {
    const ServerConfig& config = server.config;
    const auto& budget = config.limits.step_tokens;
    const auto& sequences = config.limits.sequences;
    Finding finding;
    finding.rule = kId;
    finding.primary = budget.is_explicit() || !sequences.is_explicit()
                          ? place_of(budget, server)
                          : place_of(sequences, server);
    finding.flow =
        flow_of(budget.is_explicit() ? budget.origin : sequences.origin, finding.primary);
    finding.identity = identity;
    add_related(finding, budget, "the token budget of a step");
    add_related(finding, sequences, "the limit of sequences of one rank");
    add_related(finding, config.speculation.tokens, "the speculative tokens");
    return finding;
  }

  void add(Finding finding, std::int64_t measure, const CellServers& cell, const Server& server) {
    if (!finding.primary.valid()) return;
    finding.level = level_for_launch(finding.level, server);
    worst_.add(std::move(finding), measure, cell.cell->name());
  }

  /// SchedulerConfig.verify_max_model_len() and VllmConfig, see the page.
  bool fails_at_start(const CellServers& cell, const Server& server) {
    const ServerConfig& config = server.config;
    const std::int64_t budget = *config.limits.step_tokens.value;
    const auto& sequences = config.limits.sequences;
    if (sequences.is_explicit() && sequences.value && budget < *sequences.value) {
      refuse(cell, server,
             fmt::format("the token budget of a step, {}, is below the limit of sequences, {}",
                         budget, *sequences.value),
             fmt::format("Give a budget of at least {} tokens.", *sequences.value));
      return true;
    }
    const std::int64_t slots = slots_of_drafting(config);
    if (slots > 0 && budget <= slots) {
      refuse(cell, server,
             fmt::format("the token budget of a step, {}, does not exceed the {} slots that "
                         "drafting takes",
                         budget, slots),
             fmt::format("Give a budget of more than {} tokens.", slots));
      return true;
    }
    const std::int64_t adapted = least_with_adapters(config);
    if (budget < adapted) {
      refuse(cell, server,
             fmt::format("with LoRA adapters the token budget of a step, {}, must hold what all "
                         "sequences verify, {} x (1 + {}) = {} tokens",
                         budget, *sequences.value, *config.speculation.tokens.value, adapted),
             fmt::format("Give a budget of at least {} tokens.", adapted));
      return true;
    }
    const auto& length = config.limits.model_length;
    const bool chunked = config.limits.chunked_prefill.value_or(true);
    if (!chunked && length.value && budget < *length.value &&
        config.limits.step_tokens.is_explicit()) {
      refuse(cell, server,
             fmt::format("without chunked prefill the token budget of a step, {}, must not be "
                         "below the model length, {}",
                         budget, *length.value),
             fmt::format("Give a budget of at least {} tokens, or allow chunked prefill.",
                         *length.value));
      return true;
    }
    return false;
  }

  /// What drafting adds to a step, at least: for every sequence that is admitted up to vLLM 0.26,
  /// for one of them later.
  std::int64_t slots_of_drafting(const ServerConfig& config) const {
    const std::int64_t slots = config.speculation.draft_slots.value_or(0);
    const auto& sequences = config.limits.sequences.value;
    if (slots <= 0 || !sequences || *sequences < 1 || *sequences > kMost / slots) return slots;
    const auto* change =
        context_.facts.versions().find_change("vllm", "draft-slots-of-one-sequence");
    const bool of_all = config.version.has(*change) == facts::EngineVersion::Answer::kNo;
    return of_all ? slots * *sequences : slots;
  }

  /// The smallest budget with which adapters and speculation start together; 0 if they do not meet.
  static std::int64_t least_with_adapters(const ServerConfig& config) {
    const auto& sequences = config.limits.sequences.value;
    const std::int64_t tokens = config.speculation.tokens.value_or(0);
    if (!config.lora.value_or(false) || tokens <= 0 || tokens >= kMost) return 0;
    if (!sequences || *sequences < 1 || *sequences > kMost / (1 + tokens)) return 0;
    return *sequences * (1 + tokens);
  }

  void refuse(const CellServers& cell, const Server& server, std::string why, std::string remedy) {
    Finding finding = finding_for(server, "start");
    finding.level = level_for_version(Level::kError, server.config);
    finding.message =
        fmt::format("{} does not start: {}.", engine_phrase(server.config), std::move(why));
    finding.remedies = {std::move(remedy)};
    add(std::move(finding), 0, cell, server);
  }

  /// A prompt that no step can take.
  void check_prompt(const CellServers& cell, const Server& server) {
    const ServerConfig& config = server.config;
    const std::int64_t prompt = cell.cell->number("isl").value_or(0);
    const std::int64_t budget = *config.limits.step_tokens.value;
    const bool chunked = config.limits.chunked_prefill.value_or(true);
    if (role_of(cell, server) == Role::kDecode || chunked || is_agentic(cell) || prompt <= budget) {
      return;
    }
    Finding finding = finding_for(server, "prompt");
    finding.level = level_for_version(Level::kWarning, config);
    finding.message = fmt::format(
        "Prompts of {} tokens do not fit into a step of {} tokens, and chunked prefill is off: "
        "{} refuses them.",
        prompt, budget, engine_phrase(config));
    finding.remedies = {fmt::format("Give a budget of at least {} tokens.", prompt),
                        "Allow chunked prefill."};
    add(std::move(finding), prompt - budget, cell, server);
  }

  void check_decode(const CellServers& cell, const Server& server) {
    std::string cause;
    const auto load = load_of(cell, server, cause);
    const auto demand = load ? decode_demand(server.config, *load, cause) : std::nullopt;
    if (!demand) return leave_open(sink_, kId, std::move(cause), cell);
    const std::int64_t budget = *server.config.limits.step_tokens.value;
    const std::int64_t wanted = std::min(demand->sequences, load->per_rank);
    if (wanted * demand->width > budget) {
      report_decode(cell, server, *load, *demand, wanted, shortage_level(server.config));
    } else if (demand->sequences * demand->width > budget &&
               server.config.limits.sequences.is_explicit()) {
      report_decode(cell, server, *load, *demand, demand->sequences, Level::kNote);
    }
  }

  /// TensorRT-LLM's limits are both written into the recipe, and contradict each other.
  static Level shortage_level(const ServerConfig& config) {
    const bool both =
        config.limits.step_tokens.is_explicit() && config.limits.sequences.is_explicit();
    return config.engine == Engine::kTensorRtLlm && both ? Level::kError : Level::kWarning;
  }

  void report_decode(const CellServers& cell, const Server& server, const Load& load,
                     const DecodeDemand& demand, std::int64_t sequences, Level level) {
    const std::int64_t budget = *server.config.limits.step_tokens.value;
    Finding finding = finding_for(server, "decode");
    finding.level = level;
    finding.message = fmt::format(
        "A decode step of {} sequences takes {} x {} = {} tokens, and its budget is {}: each step "
        "serves {} of them. The cell sends {} to each rank.",
        sequences, sequences, demand.width, sequences * demand.width, budget, budget / demand.width,
        load.arithmetic());
    finding.remedies = {
        fmt::format("Give a budget of at least {} tokens.", sequences * demand.width)};
    add(std::move(finding), sequences * demand.width - budget, cell, server);
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  Budget(context, sink).run();
}

}  // namespace

Rule step_token_budget() {
  return {kId,
          "step-token-budget",
          Level::kError,
          Precision::kHigh,
          "The token budget of a step is too small: the server does not start, refuses prompts, or "
          "serves fewer sequences a step than it admits.",
          embedded_pages("step_token_budget.md"),
          run};
}

}  // namespace recipelint::rules
