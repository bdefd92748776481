#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rules/cell_diagnostics.h"
#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/row_label.h"
#include "rules/server_load.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::CellServers;
using serving::Server;

constexpr std::string_view kId = "RL4002";
constexpr std::string_view kField = "spec-decoding";

std::optional<bool> speculates(const Server& server) {
  const auto& speculation = server.config.speculation;
  if (!speculation.method.known()) return std::nullopt;
  if (!speculation.method.value) return false;
  if (speculation.tokens.value == 0) return false;
  return true;
}

/// One cell that can be judged, and the server that shows whether it speculates.
struct Seen {
  const CellServers* cell = nullptr;
  const Server* server = nullptr;
  bool speculates = false;
};

/// A row of the search space, or a script that is run by hand.
struct Group {
  std::vector<Seen> seen;
  bool open = false;  // of one of its cells it is not known
};

/// The server that decides for a cell: the first one that speculates, else the first that decodes.
/// Nullopt if that is not known. Prefill workers need not speculate.
std::optional<Seen> look_at(const CellServers& cell) {
  std::optional<Seen> seen;
  bool open = false;
  for (const Server& server : cell.servers) {
    const auto found = speculates(server);
    if (found.value_or(false)) return Seen{&cell, &server, true};
    if (!found) open = true;
    const bool decodes = role_of(cell, server) != launch::Role::kPrefill;
    if (decodes && !seen) seen = Seen{&cell, &server, false};
  }
  if (open) return std::nullopt;
  return seen;
}

/// What findings at one place say together: scripts serve several rows of an entry.
struct Complaint {
  Finding finding;
  std::string beginning;
  std::string end;
  std::set<std::int64_t> at;
  std::set<std::int64_t> otherwise;
};

class SpeculationCheck {
 public:
  SpeculationCheck(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for (const auto& [row, group] : groups()) judge(group);
    for (auto& [place, complaint] : complaints_) report(complaint);
  }

 private:
  using RowId = std::tuple<const layout::Site*, const space::Row*, const layout::BareScript*>;
  using PlaceId = std::tuple<text::Span, std::string>;
  struct PlaceOrder {
    bool operator()(const PlaceId& a, const PlaceId& b) const {
      const auto order = text::compare(std::get<0>(a), std::get<0>(b));
      return order != 0 ? order < 0 : std::get<1>(a) < std::get<1>(b);
    }
  };

  std::vector<std::pair<RowId, Group>> groups();
  void judge(const Group& group);
  void complain(const Seen& seen, const std::string& label, const std::vector<std::int64_t>& others,
                Level level);
  void report(Complaint& complaint);

  const RuleContext& context_;
  findings::FindingSink& sink_;
  std::map<PlaceId, Complaint, PlaceOrder> complaints_;
};

std::vector<std::pair<SpeculationCheck::RowId, Group>> SpeculationCheck::groups() {
  std::vector<std::pair<RowId, Group>> result;
  std::map<RowId, std::size_t> index;
  for (const CellServers& cell : context_.servers.all()) {
    // Evaluations speculate as the throughput cells of their row do, or not at all.
    if (cell.cell->row() != nullptr && cell.cell->cell.mode == layout::Mode::kEval) continue;
    const auto* row = cell.cell->row();
    const RowId id{cell.cell->site, row == nullptr ? nullptr : row->row, cell.cell->bare};
    const auto [found, added] = index.emplace(id, result.size());
    if (added) result.emplace_back(id, Group{});
    Group& group = result[found->second].second;
    if (const auto seen = look_at(cell)) {
      group.seen.push_back(*seen);
    } else {
      group.open = true;
      if (!cell.servers.empty()) {
        leave_open(sink_, kId, "whether the server speculates", cell);
      }
    }
  }
  return result;
}

void SpeculationCheck::judge(const Group& group) {
  if (group.seen.empty()) return;
  const auto label = group.seen.front().cell->cell->field(kField);
  if (!label) return;
  const bool promised = label->text != "none";
  std::vector<std::int64_t> kept;
  for (const Seen& seen : group.seen) {
    if (seen.speculates == promised) kept.push_back(seen.cell->cell->number("conc").value_or(0));
  }
  // If nothing speculates where that is known, the other cells may.
  if (promised && kept.empty() && group.open) return;
  const Level level = promised && !kept.empty() ? Level::kNote : Level::kWarning;
  for (const Seen& seen : group.seen) {
    if (seen.speculates != promised) complain(seen, label->text, kept, level);
  }
}

void SpeculationCheck::complain(const Seen& seen, const std::string& label,
                                const std::vector<std::int64_t>& others, Level level) {
  const Server& server = *seen.server;
  const RowLabel row(*seen.cell, server);
  const auto& method = server.config.speculation.method;
  Finding finding;
  finding.rule = kId;
  finding.level = level_for_launch(level, server);
  place_finding(finding, row, kField, method.span, method.word, server);
  if (!finding.primary.valid()) return;
  const std::string_view entry =
      seen.cell->cell->row() == nullptr ? "" : seen.cell->cell->row()->entry->key;
  finding.identity = fmt::format("{} {}", entry, to_string(level));
  if (seen.speculates) {
    finding.remedies = {row.correction(kField, "mtp"), "Launch it without speculative decoding."};
  } else if (level == Level::kNote) {
    finding.remedies = {"Launch these with speculative decoding, too.",
                        "Give them a row of their own, without 'spec-decoding'."};
  } else {
    finding.remedies = {"Launch it with speculative decoding.", row.correction(kField, "none")};
  }
  Complaint& complaint = complaints_[{finding.primary, finding.identity}];
  complaint.finding.cells.push_back(seen.cell->cell->name());
  complaint.at.insert(seen.cell->cell->number("conc").value_or(0));
  complaint.otherwise.insert(others.begin(), others.end());
  if (!complaint.beginning.empty()) return;
  finding.cells = std::move(complaint.finding.cells);
  complaint.finding = std::move(finding);
  complaint.beginning = fmt::format("{} '{}: {}', but {} is launched", row.says(), kField, label,
                                    engine_title(server.config));
  complaint.end = seen.speculates
                      ? fmt::format("with speculative decoding ({})", method.value.value_or(""))
                      : std::string("without speculative decoding");
}

void SpeculationCheck::report(Complaint& complaint) {
  Finding& finding = complaint.finding;
  finding.message = fmt::format("{} {}.", complaint.beginning, complaint.end);
  if (finding.level == Level::kNote && !complaint.otherwise.empty()) {
    finding.message = fmt::format("{} {} at concurrency {}; at {} it speculates.",
                                  complaint.beginning, complaint.end, fmt::join(complaint.at, ", "),
                                  fmt::join(complaint.otherwise, ", "));
  }
  make_set(finding.cells);
  sink_.report(std::move(finding));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  SpeculationCheck(context, sink).run();
}

}  // namespace

Rule speculation_label() {
  return {kId,
          "speculation-label",
          Level::kWarning,
          Precision::kVeryHigh,
          "A row says that requests are decoded speculatively, and they are not, or the reverse.",
          embedded_pages("speculation_label.md"),
          run};
}

}  // namespace recipelint::rules
