#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

constexpr std::string_view kId = "RL2006";
/// The variable in which scripts hand the context of an evaluation to the client.
constexpr std::string_view kEvaluationContext = "EVAL_MAX_MODEL_LEN";
/// No chat template is shorter: where a text begins, who speaks, who answers.
constexpr std::int64_t kLeastTemplate = 3;
/// What generated configurations leave for it.
constexpr std::int64_t kUsualAllowance = 256;

bool is_set(const ServerConfig& config, std::string_view variable) {
  const auto found = config.environment.find(variable);
  if (found == config.environment.end()) return false;
  return found->second.value != "0" && found->second.value != "false";
}

/// Tokens that SGLang keeps back of each request while it speculates with a draft of the EAGLE
/// family: the tokens that one step verifies.
std::int64_t speculative_reserve(const ServerConfig& config) {
  if (config.engine != Engine::kSglang) return 0;
  std::string method = config.speculation.method.value_or("");
  std::ranges::transform(method, method.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  const bool eagle = method.starts_with("EAGLE") || method == "NEXTN" || method == "MTP";
  return eagle ? 1 + config.speculation.tokens.value_or(0) : 0;
}

/// Who puts the prompts of a cell into a chat template.
enum class Template { kNone, kByClient, kByServer };

/// The requests of a chat end point are put into one by the server.
Template template_of(const CellServers& cell) {
  Template found = Template::kNone;
  for (const launch::Launch& launch : cell.cell->launches->launches) {
    if (launch.role != Role::kClient) continue;
    for (const shell::Value& word : launch.argv) {
      if (!word.is_known()) continue;
      const std::string text = word.text();
      if (text.ends_with("/chat/completions")) return Template::kByServer;
      if (text == "--use-chat-template") found = Template::kByClient;
    }
  }
  return found;
}

/// A positive number among variables; nullopt if it is not set, not known, or something else.
std::optional<std::int64_t> number_in(
    const std::map<std::string, shell::Value, std::less<>>& variables, std::string_view name) {
  const auto found = variables.find(name);
  if (found == variables.end() || !found->second.is_known()) return std::nullopt;
  const std::string text = found->second.text();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

class Lengths {
 public:
  Lengths(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for (const CellServers& cell : context_.servers.all()) {
      for (const Server& server : cell.servers) judge(cell, server);
    }
    worst_.report(sink_);
  }

 private:
  void judge(const CellServers& cell, const Server& server) {
    const auto& length = server.config.limits.model_length;
    if (!length.is_explicit() || !length.value) {
      if (!length.known()) leave_open(sink_, kId, length.reason, cell);
      return;
    }
    check_model(cell, server);
    // What an evaluation asks for stands in its dataset.
    if (cell.cell->cell.mode == layout::Mode::kEval) return check_evaluation(cell, server);
    if (!is_agentic(cell)) check_workload(cell, server);
  }

  Finding finding_for(const Server& server, std::string_view identity) const {
    const auto& length = server.config.limits.model_length;
    Finding finding;
    finding.rule = kId;
    finding.primary = place_of(length, server);
    finding.flow = flow_of(length.origin, finding.primary);
    finding.identity = identity;
    return finding;
  }

  void add(Finding finding, std::int64_t measure, const CellServers& cell, const Server& server) {
    if (!finding.primary.valid()) return;
    finding.level = level_for_launch(finding.level, server);
    worst_.add(std::move(finding), measure, cell.cell->name());
  }

  void check_workload(const CellServers& cell, const Server& server) {
    const auto isl = cell.cell->number("isl");
    const auto osl = cell.cell->number("osl");
    if (!isl || !osl) return leave_open(sink_, kId, "the workload is not known", cell);
    const std::int64_t length = *server.config.limits.model_length.value;
    // Prefill workers hand over after the first token.
    const bool prefill = role_of(cell, server) == Role::kPrefill;
    const std::int64_t needed = prefill ? *isl : *isl + *osl;
    const std::string sum = prefill ? fmt::format("{} tokens of prompt", needed)
                                    : fmt::format("{} + {} = {} tokens", *isl, *osl, needed);
    if (length < needed) return report_short(cell, server, needed, sum);
    const std::int64_t reserve = prefill ? 0 : speculative_reserve(server.config);
    if (length < needed + reserve) return report_reserve(cell, server, needed, reserve, sum);
    const Template by = prefill ? Template::kNone : template_of(cell);
    if (by == Template::kNone || length >= needed + reserve + kLeastTemplate) return;
    report_template(cell, server, needed + reserve, by, sum);
  }

  static void add_workload(Finding& finding, const CellServers& cell) {
    if (cell.cell->row() == nullptr) return;
    finding.related.push_back({cell.cell->row()->scenario->span(), "the workload"});
  }

  void report_short(const CellServers& cell, const Server& server, std::int64_t needed,
                    const std::string& sum) {
    const std::int64_t length = *server.config.limits.model_length.value;
    Finding finding = finding_for(server, "length");
    finding.level = Level::kError;
    finding.message = fmt::format(
        "Requests of this workload take up to {}, and the server accepts {}.", sum, length);
    add_workload(finding, cell);
    finding.remedies = {fmt::format("Give a length of at least {} tokens.", needed)};
    add(std::move(finding), needed - length, cell, server);
  }

  void report_reserve(const CellServers& cell, const Server& server, std::int64_t needed,
                      std::int64_t reserve, const std::string& sum) {
    const std::int64_t length = *server.config.limits.model_length.value;
    Finding finding = finding_for(server, "reserve");
    finding.level = level_for_version(Level::kWarning, server.config);
    finding.message = fmt::format(
        "Requests of this workload take up to {}, {} keeps {} more back while it speculates, and "
        "the length is {}: it refuses the longest ones.",
        sum, engine_phrase(server.config), reserve, length);
    add_workload(finding, cell);
    finding.remedies = {fmt::format("Give a length of at least {} tokens.", needed + reserve)};
    add(std::move(finding), needed + reserve - length, cell, server);
  }

  void report_template(const CellServers& cell, const Server& server, std::int64_t needed,
                       Template by, const std::string& sum) {
    const std::int64_t length = *server.config.limits.model_length.value;
    Finding finding = finding_for(server, "template");
    finding.level = by == Template::kByServer ? Level::kWarning : Level::kNote;
    finding.message =
        by == Template::kByServer
            ? fmt::format(
                  "Requests of this workload take up to {}, the server adds a chat template "
                  "of {} tokens or more, and the length is {}: it refuses the longest ones.",
                  sum, kLeastTemplate, length)
            : fmt::format(
                  "Requests of this workload take up to {}, and the length of {} leaves no "
                  "room for a chat template. The client takes its template off the prompt, "
                  "but a prompt that gets longer when it is tokenized again is refused.",
                  sum, length);
    add_workload(finding, cell);
    finding.remedies = {
        fmt::format("Give a length of at least {} tokens.", needed + kUsualAllowance)};
    add(std::move(finding), needed + kUsualAllowance - length, cell, server);
  }

  /// An evaluation fills the context that its script computed, whatever the server was told.
  void check_evaluation(const CellServers& cell, const Server& server) {
    const auto context = number_in(server.launch->environment, kEvaluationContext);
    const std::int64_t length = *server.config.limits.model_length.value;
    if (!context || *context <= length) return;
    Finding finding = finding_for(server, "evaluation");
    finding.level = Level::kWarning;
    finding.message =
        fmt::format("The evaluation takes a context of {} tokens ({}), and the server accepts {}.",
                    *context, kEvaluationContext, length);
    const auto& value = server.launch->environment.find(kEvaluationContext)->second;
    if (value.origin().span().valid()) {
      finding.related.push_back({value.origin().span(), "the context of the evaluation"});
    }
    finding.remedies = {fmt::format("Give the server the length {} in eval mode.", *context)};
    add(std::move(finding), *context - length, cell, server);
  }

  /// Engines refuse more than the model's own length unless they are told that it is meant.
  void check_model(const CellServers& cell, const Server& server) {
    const ServerConfig& config = server.config;
    const bool meant = is_set(config, "VLLM_ALLOW_LONG_MAX_MODEL_LEN") ||
                       is_set(config, "SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN");
    const auto* family = cell.setup.model == nullptr ? nullptr : cell.setup.model->family;
    const auto limit = family == nullptr ? std::nullopt : family->number("max_position_embeddings");
    const std::int64_t length = *config.limits.model_length.value;
    // TensorRT-LLM and ATOM take what they are given.
    const bool refuses = config.engine == Engine::kVllm || config.engine == Engine::kSglang;
    if (meant || !refuses || !limit || length <= *limit) return;
    Finding finding = finding_for(server, "model");
    finding.level = level_for_version(Level::kWarning, config);
    finding.message = fmt::format("The length, {}, is above what '{}' is made for, {}.", length,
                                  cell.setup.model->repository, *limit);
    finding.facts = {fmt::format("'{}' max_position_embeddings {} ({})", family->name, *limit,
                                 to_string(*family->evidence))};
    finding.remedies = {fmt::format("Give a length of at most {} tokens.", *limit)};
    add(std::move(finding), length - *limit, cell, server);
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  Lengths(context, sink).run();
}

}  // namespace

Rule committed_length() {
  return {kId,
          "committed-length",
          Level::kError,
          Precision::kHigh,
          "The context length of a server is too short for the requests of its workload, or longer "
          "than its model is made for.",
          embedded_pages("committed_length.md"),
          run};
}

}  // namespace recipelint::rules
