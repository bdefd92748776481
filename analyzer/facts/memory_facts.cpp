#include "analyzer/facts/memory_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace recipelint::facts {
namespace {

text::Error broken_line(std::string_view table, const Table::Row& row, std::string_view what) {
  return {fmt::format("{}: line {}: '{}': {}", table, row.line, row.cells[0], what), {}};
}

/// False for a cell that holds something else. An empty cell is no number, and none of the table's
/// numbers is negative.
template <typename T>
bool read_number(std::string_view text, std::optional<T>& number) {
  number.reset();
  if (text.empty()) return true;
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr T kMost = static_cast<T>(std::int64_t{1} << 40);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (!(value >= 0 && value <= kMost)) return false;
  number = value;
  return true;
}

bool read_size(std::string_view text, std::int64_t& size) {
  std::optional<std::int64_t> number;
  if (!read_number(text, number) || !number || *number < 1) return false;
  size = *number;
  return true;
}

}  // namespace

text::Result<MemoryFacts> MemoryFacts::read(Table formats, Table measurements) {
  MemoryFacts facts;
  facts.format_table_ = std::move(formats);
  facts.measurement_table_ = std::move(measurements);
  if (auto error = facts.read_formats()) return *error;
  if (auto error = facts.read_measurements()) return *error;
  return facts;
}

std::optional<text::Error> MemoryFacts::read_formats() {
  for (std::size_t i = 0; i < format_table_.size(); ++i) {
    const auto row = format_table_.row(i);
    const auto fail = [&](std::string_view what) {
      return broken_line("weight formats", row, what);
    };
    std::optional<double> bytes;
    if (!read_number(row.cells[1], bytes) || !bytes) return fail("bytes is a number");
    if (row.cells[2] != "same" && row.cells[2] != "any") return fail("drafts are same or any");
    std::optional<std::int64_t> width;
    if (!read_number(row.cells[3], width)) return fail("a width is a number");
    if (find_format(row.cells[0]) != nullptr) return fail("this format is there twice");
    formats_.push_back(
        {row.cells[0], *bytes, row.cells[2] == "any", width.value_or(0), row.evidence});
  }
  return std::nullopt;
}

std::optional<text::Error> MemoryFacts::read_measurements() {
  for (std::size_t i = 0; i < measurement_table_.size(); ++i) {
    const auto row = measurement_table_.row(i);
    const auto fail = [&](std::string_view what) {
      return broken_line("memory measurements", row, what);
    };
    MemoryMeasurement point;
    point.engine = row.cells[0];
    point.family = row.cells[1];
    point.precision = row.cells[2];
    point.gpu = row.cells[3];
    point.release = parse_release(row.cells[4]);
    if (!point.release && !row.cells[4].empty()) return fail("a release has numbers");
    const bool sizes = read_size(row.cells[5], point.tensor) &&
                       read_size(row.cells[6], point.data) && read_size(row.cells[7], point.expert);
    if (!sizes) return fail("tensor, data and expert are numbers from 1");
    const bool numbers =
        read_number(row.cells[8], point.fraction) && read_number(row.cells[9], point.step_tokens) &&
        read_number(row.cells[11], point.weights) && read_number(row.cells[12], point.overhead) &&
        read_number(row.cells[13], point.available);
    if (!numbers) return fail("the measures are numbers");
    if (!point.weights && !point.overhead && !point.available) return fail("nothing is measured");
    point.speculation = row.cells[10];
    point.note = row.cells[14];
    point.evidence = row.evidence;
    measurements_.push_back(point);
  }
  return std::nullopt;
}

const WeightFormat* MemoryFacts::find_format(std::string_view precision) const {
  const auto found = std::ranges::find(formats_, precision, &WeightFormat::precision);
  return found == formats_.end() ? nullptr : &*found;
}

}  // namespace recipelint::facts
