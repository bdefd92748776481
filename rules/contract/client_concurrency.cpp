#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/cell_diagnostics.h"
#include "rules/clients.h"
#include "rules/contract/contract.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;

constexpr std::string_view kId = "RL7005";
constexpr std::string_view kConcurrency = "--max-concurrency";
constexpr std::string_view kPrompts = "--num-prompts";

/// Where one script asks for one client, and what it sends in which cells.
struct Use {
  Finding finding;
  std::set<std::int64_t> concurrencies;
  std::set<std::int64_t> prompts;
  std::vector<std::string> cells;
};

class Counts {
 public:
  Counts(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for_each_client(context_, [&](const layout::EvaluatedCell& cell, const Client& client) {
      const auto concurrency = cell.number("conc");
      if (!concurrency) return;
      check_concurrency(cell, client, *concurrency);
      check_prompts(cell, client, *concurrency);
    });
    worst_.report(sink_);
    for (auto& [place, use] : uses_) report_constant(use);
  }

 private:
  /// At the option, or at the call that leads to the client if a library writes the option.
  Finding finding_for(const layout::EvaluatedCell& cell, const Client& client,
                      const Client::Option& option, std::string_view name) const {
    Finding finding;
    finding.rule = kId;
    finding.level = Level::kError;
    finding.primary = place_of_call(cell, client.launch());
    const auto value = client.launch().argv[option.word].origin();
    finding.flow = flow_of(value, finding.primary);
    if (finding.flow.empty() && value.span().valid() && value.span() != finding.primary) {
      finding.related.push_back({value.span(), "its value is written here"});
    }
    finding.identity = name;
    return finding;
  }

  void check_concurrency(const layout::EvaluatedCell& cell, const Client& client,
                         std::int64_t concurrency) {
    const auto given = client.number(kConcurrency);
    if (!given || *given == concurrency) return;
    const auto fits = [&](const Client& other) {
      return other.number(kConcurrency) == concurrency;
    };
    if (can_start_instead(cell, client.launch(), fits)) return;
    Finding finding = finding_for(cell, client, *client.option(kConcurrency), kConcurrency);
    finding.message = fmt::format(
        "The client keeps {} requests in flight, but the cell is about {}.", *given, concurrency);
    finding.remedies = {fmt::format("Give '{}' the concurrency of the row.", kConcurrency)};
    worst_.add(std::move(finding),
               *given > concurrency ? *given - concurrency : concurrency - *given, cell.name());
  }

  void check_prompts(const layout::EvaluatedCell& cell, const Client& client,
                     std::int64_t concurrency) {
    const auto prompts = client.number(kPrompts);
    if (!prompts) return;
    Finding finding = finding_for(cell, client, *client.option(kPrompts), kPrompts);
    const auto fits = [&](const Client& other) {
      return other.number(kPrompts).value_or(concurrency) >= concurrency;
    };
    if (*prompts < concurrency && can_start_instead(cell, client.launch(), fits)) return;
    if (*prompts < concurrency) {
      finding.message = fmt::format(
          "The client sends {} prompts in all, fewer than the {} that the cell keeps in flight.",
          *prompts, concurrency);
      finding.remedies = {remedy()};
      worst_.add(std::move(finding), concurrency - *prompts, cell.name());
      return;
    }
    Use& use = uses_.try_emplace(Place{finding.primary}, Use{}).first->second;
    if (use.cells.empty()) use.finding = std::move(finding);
    use.concurrencies.insert(concurrency);
    use.prompts.insert(*prompts);
    use.cells.push_back(cell.name());
  }

  /// The same number at every concurrency. With enough prompts for each of them it is no proof of a
  /// mistake.
  void report_constant(Use& use) {
    if (use.concurrencies.size() < 2 || use.prompts.size() != 1) return;
    Finding& finding = use.finding;
    finding.level = Level::kWarning;
    finding.message = fmt::format(
        "The client sends {} prompts at every concurrency from {} to {}: the number does not "
        "follow "
        "from the cell, so the measured part of the run shrinks as the concurrency grows.",
        *use.prompts.begin(), *use.concurrencies.begin(), *use.concurrencies.rbegin());
    finding.remedies = {remedy()};
    finding.cells = std::move(use.cells);
    make_set(finding.cells);
    sink_.report(std::move(finding));
  }

  static std::string remedy() {
    return fmt::format("Compute '{}' from the concurrency: 10 times it, for example.", kPrompts);
  }

  struct Place {
    text::Span span;
    bool operator<(const Place& other) const { return text::compare(span, other.span) < 0; }
  };

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
  std::map<Place, Use> uses_;
};

}  // namespace

Rule client_concurrency() {
  return {
      kId,
      "client-concurrency",
      Level::kError,
      Precision::kHigh,
      "The client's concurrency or number of prompts does not follow from the cell.",
      embedded_pages("client_concurrency.md"),
      [](const RuleContext& context, findings::FindingSink& sink) { Counts(context, sink).run(); }};
}

}  // namespace recipelint::rules
