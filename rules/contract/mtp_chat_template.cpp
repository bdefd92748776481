#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "analyzer/serving/servers.h"
#include "rules/clients.h"
#include "rules/contract/contract.h"
#include "rules/pages.h"
#include "rules/recipe_uses.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::CellServers;
using serving::Server;

constexpr std::string_view kId = "RL7001";

/// A server of the cell that certainly drafts tokens; null if there is none.
const Server* speculating(const CellServers& cell) {
  for (const Server& server : cell.servers) {
    const auto& tokens = server.config.speculation.tokens;
    if (server.launch->certain && tokens.value && *tokens.value > 0) return &server;
  }
  return nullptr;
}

/// The client puts the prompts into the template itself, or the server does behind a chat endpoint.
bool is_templated(const Client& client) {
  for (const std::string_view flag :
       {"--use-chat-template", "--dsv4", "--apply-chat-template", "--custom-chat-template"}) {
    if (client.has(flag)) return true;
  }
  for (const std::string_view option : {"--backend", "--endpoint", "--endpoint-type"}) {
    const auto found = client.option(option);
    if (found && found->value.find("chat") != std::string::npos) return true;
  }
  return false;
}

std::string speculation_in_words(const Server& server) {
  const auto& speculation = server.config.speculation;
  return fmt::format("{} token{} with '{}'", *speculation.tokens.value,
                     *speculation.tokens.value == 1 ? "" : "s",
                     speculation.method.value_or("a draft model"));
}

std::string remedy(const launch::Launch& client, const text::Span& place) {
  if (client.program == "vllm bench") {
    return "Use '--backend openai-chat --endpoint /v1/chat/completions': the server applies the "
           "template.";
  }
  if (client.program == "python3 -m sglang.bench_serving") return "Pass '--apply-chat-template'.";
  return fmt::format("Pass '--use-chat-template' to '{}'.", command_at(place));
}

bool is_false(std::string_view text) {
  for (const std::string_view word : {"false", "False", "FALSE", "no", "No", "off", "Off"}) {
    if (text == word) return true;
  }
  return false;
}

class ChatTemplates {
 public:
  ChatTemplates(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    std::map<const layout::EvaluatedCell*, const CellServers*> servers;
    for (const CellServers& cell : context_.servers.all()) servers.emplace(cell.cell, &cell);
    for_each_client(context_, [&](const layout::EvaluatedCell& cell, const Client& client) {
      const Server* server = speculating(*servers.at(&cell));
      if (server != nullptr) judge(cell, client, *server);
    });
    judge_recipes();
    worst_.report(sink_);
  }

 private:
  void judge(const layout::EvaluatedCell& cell, const Client& client, const Server& server) {
    if (!client.sends_random_tokens() || is_templated(client)) return;
    if (!client.options_are_known()) {
      sink_.report_unevaluated(
          {std::string(kId), "an argument of the client is unknown", cell.name()});
      return;
    }
    Finding finding;
    finding.rule = kId;
    // Whether it starts at all, as after a server that came up, is not the question.
    const bool depends = can_start_instead(cell, client.launch(), is_templated);
    finding.level = depends ? Level::kWarning : Level::kError;
    finding.primary = place_of_call(cell, client.launch());
    if (!finding.primary.valid()) return;
    finding.message = fmt::format(
        "The server drafts {}, but the client sends random tokens without the chat template: what "
        "is accepted then is not what is accepted of conversations.",
        speculation_in_words(server));
    if (server.config.speculation.tokens.span.valid()) {
      finding.related.push_back({server.config.speculation.tokens.span, "drafts tokens"});
    }
    if (client.launch().span != finding.primary && client.launch().span.valid()) {
      finding.related.push_back({client.launch().span, "the client is started here"});
    }
    finding.remedies = {remedy(client.launch(), finding.primary)};
    finding.identity = client.launch().program;
    worst_.add(std::move(finding), 0, cell.name());
  }

  /// The client of a recipe file is srtctl's own; `benchmark:` in the file says what it does.
  void judge_recipes() {
    std::map<const layout::RowLaunch*, std::pair<const Server*, std::vector<std::string>>> rows;
    for (const CellServers& cell : context_.servers.all()) {
      const bool runs_recipe = cell.cell->site != nullptr &&
                               cell.cell->target().kind == layout::Target::Kind::kRecipe &&
                               cell.cell->cell.mode == layout::Mode::kThroughput;
      const Server* server = runs_recipe ? speculating(cell) : nullptr;
      if (server == nullptr) continue;
      auto& row = rows[&cell.cell->site->row_of(cell.cell->cell.matrix_row)];
      row.first = server;
      row.second.push_back(cell.cell->name());
    }
    for_each_pair(context_, [&](const RecipePair& pair) {
      const auto row = rows.find(&pair.row);
      if (row == rows.end() || pair.mode != layout::Mode::kThroughput || !pair.variant.isl) return;
      const auto& setting = pair.variant.root.find("benchmark").find("use_chat_template");
      if (!setting || !setting.is_scalar() || !is_false(setting.node().text())) return;
      for (const std::string& cell : row->second.second) {
        worst_.add(recipe_finding(setting.span(), *row->second.first), 0, cell);
      }
    });
  }

  static Finding recipe_finding(const text::Span& setting, const Server& server) {
    Finding finding;
    finding.rule = kId;
    finding.level = Level::kError;
    finding.primary = setting;
    finding.message = fmt::format(
        "The servers draft {}, but the benchmark of the recipe sends random tokens without the chat "
        "template: what is accepted then is not what is accepted of conversations.",
        speculation_in_words(server));
    if (server.config.speculation.tokens.span.valid()) {
      finding.related.push_back({server.config.speculation.tokens.span, "drafts tokens"});
    }
    finding.remedies = {"Write 'use_chat_template: true'."};
    finding.identity = "use_chat_template";
    return finding;
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
};

}  // namespace

Rule mtp_chat_template() {
  return {kId,
          "mtp-chat-template",
          Level::kError,
          Precision::kHigh,
          "A server that drafts tokens is measured with random tokens outside the chat template.",
          embedded_pages("mtp_chat_template.md"),
          [](const RuleContext& context, findings::FindingSink& sink) {
            ChatTemplates(context, sink).run();
          }};
}

}  // namespace recipelint::rules
