#include "analyzer/facts/kv_connectors.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "analyzer/facts/embedded.h"
#include "analyzer/facts/table.h"

namespace recipelint::facts {
namespace {

constexpr std::size_t kColumns = 3;

const Table& table() {
  static const Table parsed = [] {
    auto result = Table::parse(embedded_data("kv_connectors.tsv"), kColumns);
    if (result) return std::move(result).value();
    // A part of the program, which the tests read: nothing that a run could report or survive.
    fmt::print(stderr, "the embedded data file kv_connectors.tsv is broken: {}\n",
               result.error().message);
    std::abort();
  }();
  return parsed;
}

std::optional<Table::Row> find(std::string_view connector) {
  for (std::size_t i = 0; i < table().size(); ++i) {
    if (table().row(i).cells[0] == connector) return table().row(i);
  }
  return std::nullopt;
}

}  // namespace

KvMovement kv_movement(std::string_view connector) {
  const auto row = find(connector);
  if (!row) return KvMovement::kUnknown;
  if (row->cells[1] == "offloads") return KvMovement::kOffloads;
  if (row->cells[1] == "hands-over") return KvMovement::kHandsOver;
  return KvMovement::kEither;
}

std::string kv_movement_fact(std::string_view connector) {
  const auto row = find(connector);
  if (!row) return {};
  return fmt::format("'{}' {}: {} ({})", connector, row->cells[1], row->cells[2],
                     to_string(*row->evidence));
}

}  // namespace recipelint::facts
