#include "analyzer/facts/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace recipelint::facts {
namespace {

text::Error error_at(std::size_t line, std::string message) {
  return {fmt::format("line {}: {}", line, std::move(message)), {}};
}

/// Cuts the text up to the next separator, or all of it, off the front.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

/// Reads "@source" and "@date" lines. A source opens a block, and its date completes it.
class Directives {
 public:
  explicit Directives(std::deque<Evidence>& evidence) : evidence_(evidence) {}

  bool complete() const { return complete_; }

  /// What is wrong with the line, if anything is.
  std::optional<std::string> read(std::string_view line) {
    const auto name = take_until(line, '\t');
    if (line.empty()) return fmt::format("'{}' has no value", name);
    if (name == "@source") {
      evidence_.push_back({std::string(line), {}});
      complete_ = false;
      return std::nullopt;
    }
    if (name != "@date") return fmt::format("there is no directive '{}'", name);
    const auto date = parse_date(line);
    if (!date) return fmt::format("'{}' is no day", line);
    if (evidence_.empty() || complete_) return "a date follows its source";
    evidence_.back().date = *date;
    complete_ = true;
    return std::nullopt;
  }

 private:
  std::deque<Evidence>& evidence_;
  bool complete_ = false;
};

}  // namespace

text::Result<Table> Table::parse(std::string_view bytes, std::size_t columns) {
  Table table;
  table.columns_ = columns;
  Directives directives(table.evidence_);
  for (std::uint32_t number = 1; !bytes.empty(); ++number) {
    auto line = take_until(bytes, '\n');
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '@') {
      if (auto wrong = directives.read(line)) return error_at(number, *std::move(wrong));
      continue;
    }
    if (!directives.complete()) return error_at(number, "a source and a date come first");
    const std::size_t begin = table.cells_.size();
    do {
      const auto cell = take_until(line, '\t');
      if (cell.empty()) return error_at(number, "a cell is empty; '-' stands for nothing");
      table.cells_.push_back(cell == "-" ? std::string_view{} : cell);
    } while (!line.empty());
    const std::size_t found = table.cells_.size() - begin;
    if (found != columns) {
      return error_at(number, fmt::format("{} cells instead of {}", found, columns));
    }
    table.lines_.push_back({number, static_cast<std::uint32_t>(table.evidence_.size() - 1)});
  }
  return table;
}

Table::Row Table::row(std::size_t index) const {
  const Line& line = lines_[index];
  return {std::span(cells_).subspan(index * columns_, columns_), &evidence_[line.evidence],
          line.number};
}

void Table::append(const Row& row) {
  cells_.insert(cells_.end(), row.cells.begin(), row.cells.end());
  if (evidence_.empty() || !(evidence_.back() == *row.evidence)) evidence_.push_back(*row.evidence);
  lines_.push_back({row.line, static_cast<std::uint32_t>(evidence_.size() - 1)});
}

void Table::put_first(const Table& first, std::size_t key_columns) {
  const auto same_key = [&](const Row& a, const Row& b) {
    return std::ranges::equal(a.cells.first(key_columns), b.cells.first(key_columns));
  };
  Table merged;
  merged.columns_ = columns_;
  for (std::size_t i = 0; i < first.size(); ++i) merged.append(first.row(i));
  for (std::size_t i = 0; i < size(); ++i) {
    bool replaced = false;
    for (std::size_t j = 0; j < first.size(); ++j) replaced |= same_key(row(i), first.row(j));
    if (!replaced) merged.append(row(i));
  }
  *this = std::move(merged);
}

}  // namespace recipelint::facts
