#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/golden_tables.h"
#include "analyzer/serving/draft_sampling.h"
#include "analyzer/serving/servers.h"
#include "rules/contract/contract.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using facts::GoldenTable;
using findings::Finding;
using findings::Level;
using launch::Engine;
using launch::Role;
using serving::Acceptance;
using serving::CellServers;
using serving::Server;

constexpr std::string_view kId = "RL7002";

/// How far a made-up length may be from the golden one: less than the last digit of either.
constexpr double kTolerance = 1e-5;

/// What an engine calls a draft method, in the words of the tables.
std::string method_of(const Server& server) {
  std::string method = server.config.speculation.method.value_or("");
  std::transform(method.begin(), method.end(), method.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  // SGLang runs the model's own draft layers as EAGLE; a draft of its own makes it another method.
  const bool own_layers = method == "nextn" || method == "eagle" || method.ends_with("_mtp");
  const bool has_draft = server.config.speculation.draft_model.value.has_value();
  if (own_layers && (!has_draft || method != "eagle")) return "mtp";
  return method;
}

/// The mean length that the made-up acceptance comes to; rates count each position.
std::optional<double> length_of(const Acceptance& acceptance) {
  if (acceptance.length) return acceptance.length;
  if (acceptance.rates.empty()) return std::nullopt;
  double length = 1;
  for (const double rate : acceptance.rates) length += rate;
  return length;
}

std::string digits(double number) {
  std::string text = fmt::format("{:.5f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text += '0';
  return text;
}

/// One length that a table allows.
struct Golden {
  const GoldenTable* table = nullptr;
  const GoldenTable::Length* length = nullptr;
};

bool is_near(const Golden& golden, double length) {
  return std::abs(golden.length->tokens - length) < kTolerance;
}

/// "2.49 (dsv4_mtp.yaml, thinking_on)".
std::string in_words(const Golden& golden) {
  return fmt::format("{} ({}, {})", digits(golden.length->tokens), golden.table->file,
                     golden.table->thinking);
}

std::string list_of(const std::vector<Golden>& goldens) {
  std::string text;
  for (std::size_t i = 0; i < goldens.size(); ++i) {
    if (i > 0) text += i + 1 == goldens.size() ? " or " : ", ";
    text += in_words(goldens[i]);
  }
  return text;
}

/// How the engine is told to make up this length with so many drafted tokens.
std::string spelling(const Server& server, double length) {
  switch (server.config.engine) {
    case Engine::kVllm:
      return fmt::format("\"synthetic_acceptance_length\": {}", digits(length));
    case Engine::kSglang:
      return fmt::format("SGLANG_SIMULATE_ACC_LEN={}", digits(length));
    case Engine::kTensorRtLlm:
      return fmt::format("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS={}", digits(length - 1));
    default:
      return fmt::format("--spec-decode-acceptance-length {}", digits(length));
  }
}

class Lengths {
 public:
  Lengths(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for (const CellServers& cell : context_.servers.all()) {
      for (const Server& server : cell.servers) {
        const auto& acceptance = server.config.speculation.acceptance;
        // A prefill worker verifies nothing.
        if (!acceptance.value || role_of(cell, server) == Role::kPrefill) continue;
        if (server.config.speculation.tokens.value_or(1) < 1) continue;
        if (cell.cell->cell.mode == layout::Mode::kEval) {
          report_eval(cell, server);
        } else {
          judge(cell, server);
        }
      }
    }
    worst_.report(sink_);
  }

 private:
  const std::vector<GoldenTable>& tables_of(const layout::Site* site) {
    if (site == nullptr) return facts::embedded_golden_tables();
    const auto found = tables_.find(site);
    if (found != tables_.end()) return found->second;
    return tables_.emplace(site, layout::golden_tables(context_.workspace, *site)).first->second;
  }

  /// What tables say about this model, method and number of drafted tokens.
  std::vector<Golden> goldens_for(const CellServers& cell, const Server& server,
                                  std::int64_t drafted) {
    const std::string method = method_of(server);
    std::string_view model = cell.cell->model();
    const auto& served = server.config.model.value;
    if (model.empty() && served) model = *served;
    std::vector<Golden> goldens;
    for (const GoldenTable& table : tables_of(cell.cell->site)) {
      if (table.method != method || !facts::same_model(table.model, model)) continue;
      if (const auto* length = table.find(drafted)) goldens.push_back({&table, length});
    }
    return goldens;
  }

  void judge(const CellServers& cell, const Server& server) {
    const auto& speculation = server.config.speculation;
    if (!speculation.tokens.value || !speculation.method.value) {
      const bool tokens = !speculation.tokens.value;
      leave_open(sink_, kId, tokens ? speculation.tokens.reason : speculation.method.reason, cell);
      return;
    }
    const std::int64_t drafted = *speculation.tokens.value;
    const auto length = length_of(*speculation.acceptance.value);
    const auto goldens = goldens_for(cell, server, drafted);
    if (!length) return;
    if (goldens.empty()) {
      leave_open(sink_, kId,
                 fmt::format("no golden table has '{}' with {} tokens drafted by '{}'",
                             cell.cell->model(), drafted, method_of(server)),
                 cell);
      return;
    }
    const auto matches = [&](const Golden& golden) { return is_near(golden, *length); };
    const auto fitting = of_sampling(goldens, server);
    if (std::any_of(fitting.begin(), fitting.end(), matches)) return;
    const auto other = std::find_if(goldens.begin(), goldens.end(), matches);
    if (other != goldens.end()) {
      report_sampling(cell, server, *other, fitting);
    } else {
      report_length(cell, server, *length, fitting);
    }
  }

  /// Those that were measured with the sampling of drafts that the server uses, if there are some.
  static std::vector<Golden> of_sampling(const std::vector<Golden>& goldens, const Server& server) {
    const auto sampling = serving::draft_sampling(*server.launch);
    if (!sampling) return goldens;
    std::vector<Golden> fitting;
    for (const Golden& golden : goldens) {
      if (golden.table->draft_sampling == *sampling) fitting.push_back(golden);
    }
    return fitting.empty() ? goldens : fitting;
  }

  static Finding finding_for(const Server& server, Level level) {
    const auto& acceptance = server.config.speculation.acceptance;
    Finding finding;
    finding.rule = kId;
    finding.level = level_for_launch(level, server);
    // A variable is where it is set, a key where its value is written: no option says it better.
    finding.primary = acceptance.span.valid() ? acceptance.span : server.launch->span;
    finding.flow = flow_of(acceptance.origin, server.launch->span);
    return finding;
  }

  static void add_places(Finding& finding, const std::vector<Golden>& goldens) {
    for (const Golden& golden : goldens) {
      if (!golden.length->span.valid()) continue;
      finding.related.push_back({golden.length->span, "a golden length"});
    }
  }

  static std::string remedy(const Server& server, const Golden& golden) {
    return fmt::format("Use '{}'.", spelling(server, golden.length->tokens));
  }

  static std::string drafts(const Server& server) {
    const std::int64_t drafted = *server.config.speculation.tokens.value;
    return fmt::format("{} token{} drafted by '{}'", drafted, drafted == 1 ? "" : "s",
                       *server.config.speculation.method.value);
  }

  void report_length(const CellServers& cell, const Server& server, double length,
                     const std::vector<Golden>& goldens) {
    Finding finding = finding_for(server, Level::kError);
    finding.message =
        fmt::format("The made-up acceptance length is {}, but the golden one for {} is {}.{}",
                    digits(length), drafts(server), list_of(goldens), arithmetic(server, length));
    for (const Golden& golden : goldens) {
      const std::string help = remedy(server, golden);
      const auto& all = finding.remedies;
      if (std::find(all.begin(), all.end(), help) == all.end()) finding.remedies.push_back(help);
    }
    add_places(finding, goldens);
    finding.identity = "length";
    worst_.add(std::move(finding), 0, cell.cell->name());
  }

  /// What the engine is told, where that is not the length itself.
  static std::string arithmetic(const Server& server, double length) {
    if (server.config.engine == Engine::kTensorRtLlm) {
      return fmt::format(" The variable counts drafts alone: {} + 1 = {}.", digits(length - 1),
                         digits(length));
    }
    const auto& rates = server.config.speculation.acceptance.value->rates;
    if (rates.empty()) return "";
    std::string sum = "1";
    for (const double rate : rates) sum += fmt::format(" + {}", digits(rate));
    return fmt::format(" The rates come to {} = {}.", sum, digits(length));
  }

  void report_sampling(const CellServers& cell, const Server& server, const Golden& used,
                       const std::vector<Golden>& fitting) {
    const auto described = [](const std::string& sampling) {
      return sampling.empty() ? std::string("the default sampling of drafts")
                              : fmt::format("'draft_sample_method' '{}'", sampling);
    };
    Finding finding = finding_for(server, Level::kWarning);
    finding.message = fmt::format(
        "The made-up acceptance length {} was measured with {}, but the server uses {}: {} is the "
        "golden one for that.",
        in_words(used), described(used.table->draft_sampling),
        described(serving::draft_sampling(*server.launch).value_or("")), list_of(fitting));
    for (const Golden& golden : fitting) finding.remedies.push_back(remedy(server, golden));
    if (!used.table->draft_sampling.empty()) {
      finding.remedies.push_back(fmt::format(
          "Or sample the drafts so: \"draft_sample_method\": \"{}\".", used.table->draft_sampling));
    }
    add_places(finding, fitting);
    finding.identity = "sampling";
    worst_.add(std::move(finding), 0, cell.cell->name());
  }

  void report_eval(const CellServers& cell, const Server& server) {
    Finding finding = finding_for(server, Level::kError);
    finding.message =
        "Acceptance is made up in an evaluation: tokens that the model would refuse are part of "
        "the "
        "answers that are judged.";
    finding.remedies = {"Leave it out if EVAL_ONLY is 'true'."};
    finding.identity = "eval";
    worst_.add(std::move(finding), 0, cell.cell->name());
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
  std::map<const layout::Site*, std::vector<GoldenTable>> tables_;
};

}  // namespace

Rule acceptance_length() {
  return {kId,
          "acceptance-length",
          Level::kError,
          Precision::kVeryHigh,
          "Acceptance is made up with a length that no golden table has, or in an evaluation.",
          embedded_pages("acceptance_length.md"),
          [](const RuleContext& context, findings::FindingSink& sink) {
            Lengths(context, sink).run();
          }};
}

}  // namespace recipelint::rules
