#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/row_label.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Engine;
using serving::CellServers;
using serving::Parallelism;
using serving::Server;
using Size = serving::Setting<std::int64_t>;

constexpr std::string_view kId = "RL4001";
constexpr std::int64_t kMostGpus = 1 << 20;

std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) {
    if (factor < 1 || factor > kMostGpus / result) return 0;
    result *= factor;
  }
  return result;
}

/// Compares what is said about one server with what is launched.
class LabelCheck {
 public:
  LabelCheck(const CellServers& cell, const Server& server, WorstFindings& worst,
             findings::FindingSink& sink)
      : cell_(cell),
        server_(server),
        parallel_(server.config.parallel),
        label_(cell, server),
        worst_(worst),
        sink_(sink) {}

  void run() {
    const bool size_agrees = check_tensor();
    check_attention();
    check_equal("pp", parallel_.pipeline, "pipeline-parallel size");
    check_equal("dcp-size", parallel_.decode_context, "decode-context-parallel size");
    check_prefill_context();
    // The size of the expert group follows from the others: one finding is enough.
    if (size_agrees) check_experts();
  }

 private:
  Engine engine() const { return server_.config.engine; }
  /// Data-parallel ranks of vLLM and ATOM have GPUs of their own, those of SGLang and TensorRT-LLM
  /// share the ones of the tensor-parallel group.
  bool ranks_have_gpus() const { return engine() == Engine::kVllm || engine() == Engine::kAtom; }

  bool known(const Size& size) {
    if (size.value) return true;
    std::string cause = size.reason.empty() ? "a size of parallelism is not known" : size.reason;
    leave_open(sink_, kId, std::move(cause), cell_);
    return false;
  }

  bool check_tensor();
  bool accepts_tensor(std::int64_t label) const;
  void check_attention();
  void check_prefill_context();
  void check_experts();
  void check_equal(std::string_view field, const Size& launched, std::string_view what);
  std::string tensor_terms() const;
  std::string expert_terms() const;
  std::vector<std::string> expert_remedies(std::int64_t label, std::int64_t launched) const;

  void report(std::string_view field, const Size& launched, std::string what,
              std::vector<std::string> remedies);

  const CellServers& cell_;
  const Server& server_;
  const Parallelism& parallel_;
  RowLabel label_;
  WorstFindings& worst_;
  findings::FindingSink& sink_;
};

void LabelCheck::report(std::string_view field, const Size& launched, std::string what,
                        std::vector<std::string> remedies) {
  Finding finding;
  finding.rule = kId;
  finding.level = level_for_launch(Level::kError, server_);
  finding.message = std::move(what);
  finding.remedies = std::move(remedies);
  finding.identity = std::string(field);
  place_finding(finding, label_, field, launched.span, launched.word, server_);
  if (finding.primary.valid()) worst_.add(std::move(finding), 0, cell_.cell->name());
}

/// "vLLM 0.26.0 is launched with a tensor-parallel size of 4": the field as such.
void LabelCheck::check_equal(std::string_view field, const Size& launched, std::string_view what) {
  const auto label = label_.number(field);
  if (!label || !known(launched) || *launched.value == *label) return;
  report(field, launched,
         fmt::format("{} {} {}{}, but {} is launched with a {} of {}.", label_.says(), field,
                     *label, label_.whose(), engine_title(server_.config), what, *launched.value),
         {label_.correction(field, std::to_string(*launched.value)),
          fmt::format("Launch it with a {} of {}.", what, *label)});
}

/// Rows give the GPUs of the whole worker, or of one data-parallel rank: both are in use.
bool LabelCheck::accepts_tensor(std::int64_t label) const {
  const std::int64_t tensor = *parallel_.tensor.value;
  const std::int64_t data = parallel_.data.value_or(1);
  const std::int64_t context = std::max(
      parallel_.prefill_context.value_or(1),
      engine() == Engine::kTensorRtLlm ? parallel_.decode_context.value_or(1) : std::int64_t{1});
  const std::array accepted = {tensor, product({tensor, data}), product({tensor, context}),
                               product({tensor, data, context})};
  if (std::ranges::find(accepted, label) != accepted.end()) return true;
  // SGLang's context-parallel ranks are part of its tensor-parallel group.
  return engine() == Engine::kSglang &&
         product({label, label_.number("pcp-size").value_or(1)}) == tensor;
}

std::string LabelCheck::tensor_terms() const {
  const std::int64_t data = parallel_.data.value_or(1);
  if (!ranks_have_gpus() || data == 1) return std::to_string(*parallel_.tensor.value);
  return fmt::format("{} in each of {} data-parallel ranks", *parallel_.tensor.value, data);
}

/// Whether there is nothing to complain about, so that sizes that follow from it can be judged.
bool LabelCheck::check_tensor() {
  const auto label = label_.number("tp");
  if (!label) return true;
  if (!known(parallel_.tensor) || !known(parallel_.data)) return false;
  if (accepts_tensor(*label)) return true;
  const std::int64_t all = ranks_have_gpus()
                               ? product({*parallel_.tensor.value, *parallel_.data.value})
                               : *parallel_.tensor.value;
  report(
      "tp", parallel_.tensor,
      fmt::format("{} tp {}{}, but {} is launched with a tensor-parallel size of {}.",
                  label_.says(), *label, label_.whose(), engine_title(server_.config),
                  tensor_terms()),
      {label_.correction("tp", std::to_string(all)), fmt::format("Launch it on {} GPUs.", *label)});
  return false;
}

void LabelCheck::check_attention() {
  const auto label = label_.truth("dp-attn");
  if (!label) return;
  const Size& ranks = parallel_.attention_data;
  if (!known(ranks) || !known(parallel_.tensor)) return;
  const bool launched = *ranks.value > 1;
  if (launched == *label) return;
  // One GPU is one rank in any case; what context parallelism makes of ranks is not clear.
  const bool single = *parallel_.tensor.value * std::max<std::int64_t>(1, *ranks.value) == 1;
  if (!launched && (single || parallel_.prefill_context.value_or(1) > 1)) return;
  std::string what =
      launched
          ? fmt::format("launched with {} data-parallel ranks of attention", *ranks.value)
          : fmt::format("launched with one rank of attention on {} GPUs", *parallel_.tensor.value);
  report("dp-attn", ranks,
         fmt::format("{} 'dp-attn: {}'{}, but {} is {}.", label_.says(), *label, label_.whose(),
                     engine_title(server_.config), what),
         {label_.correction("dp-attn", launched ? "true" : "false"),
          launched ? "Launch it without data parallelism."
                   : "Launch it with data-parallel attention."});
}

/// Rows of SGLang count its context-parallel ranks in `tp`, or apart.
void LabelCheck::check_prefill_context() {
  if (engine() == Engine::kSglang && label_.number("pcp-size").value_or(1) == 1) return;
  // Older options of SGLang turn it on with a size of their own.
  if (engine() == Engine::kSglang && !parallel_.prefill_context.is_explicit()) return;
  check_equal("pcp-size", parallel_.prefill_context, "prefill-context-parallel size");
}

std::string LabelCheck::expert_terms() const {
  if (parallel_.expert.value == 1) return "cuts its experts like other weights";
  if (ranks_have_gpus()) {
    return fmt::format("spreads its experts over {} GPUs, tensor {} * data {}{}",
                       *parallel_.expert.value, parallel_.tensor.value_or(1),
                       parallel_.data.value_or(1),
                       parallel_.prefill_context.value_or(1) > 1
                           ? fmt::format(" * context {}", *parallel_.prefill_context.value)
                           : std::string());
  }
  const std::string& reason = parallel_.expert.reason;
  return fmt::format("is launched with an expert-parallel size of {}{}", *parallel_.expert.value,
                     reason.empty() ? std::string() : fmt::format(" ({})", reason));
}

std::vector<std::string> LabelCheck::expert_remedies(std::int64_t label,
                                                     std::int64_t launched) const {
  std::vector<std::string> remedies = {label_.correction("ep", std::to_string(launched))};
  if (label == 1) {
    remedies.emplace_back("Launch it without expert parallelism.");
  } else if (!ranks_have_gpus()) {
    remedies.push_back(fmt::format("Launch it with an expert-parallel size of {}.", label));
  } else if (launched == 1 && product({parallel_.tensor.value_or(1), parallel_.data.value_or(1),
                                       parallel_.prefill_context.value_or(1)}) == label) {
    remedies.emplace_back("Launch it with '--enable-expert-parallel'.");
  }
  return remedies;
}

void LabelCheck::check_experts() {
  const auto label = label_.number("ep");
  const Size& experts = parallel_.expert;
  if (!label || !known(experts) || *experts.value == *label) return;
  // Context parallelism widens the group, which rows need not count.
  const std::int64_t without_context =
      product({parallel_.tensor.value_or(1), parallel_.data.value_or(1)});
  if (ranks_have_gpus() && *experts.value > 1 && *label == without_context) return;
  report("ep", experts,
         fmt::format("{} ep {}{}, but {} {}.", label_.says(), *label, label_.whose(),
                     engine_title(server_.config), expert_terms()),
         expert_remedies(*label, *experts.value));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  WorstFindings worst;
  for (const CellServers& cell : context.servers.all()) {
    if (!label_is_about_one_server(cell)) continue;
    for (const Server& server : cell.servers) LabelCheck(cell, server, worst, sink).run();
  }
  worst.report(sink);
}

}  // namespace

Rule parallelism_label() {
  return {kId,
          "parallelism-label",
          Level::kError,
          Precision::kVeryHigh,
          "The parallel sizes that a row is published under are not those that are launched.",
          embedded_pages("parallelism_label.md"),
          run};
}

}  // namespace recipelint::rules
