#include "analyzer/space/duplicate_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "analyzer/space/field_reader.h"

namespace recipelint::space {
namespace {

/// One concurrency of one matrix row.
struct Point {
  const MatrixRow* row = nullptr;
  const Concurrency* concurrency = nullptr;
};

struct PairHash {
  template <class A, class B>
  std::size_t operator()(const std::pair<A, B>& pair) const {
    return std::hash<A>{}(pair.first) * 0x9E3779B97F4A7C15u + std::hash<B>{}(pair.second);
  }
};

/// Points of one row (or entry) that repeat points of another.
struct Group {
  Point first;     // the earlier of the first such pair
  Point repeated;  // the later
  std::vector<std::int64_t> concurrencies;
};

class Finder {
 public:
  void add(const MatrixRow& row, std::uint32_t topology);
  const std::vector<Group>& groups() const { return groups_; }

 private:
  using GroupKey = std::pair<const void*, const void*>;

  void repeat(const Point& first, const Point& repeated);

  std::unordered_map<std::pair<std::uint32_t, std::int64_t>, Point, PairHash> points_;
  std::unordered_map<GroupKey, std::size_t, PairHash> index_;
  std::vector<Group> groups_;  // in the order of the matrix
};

void Finder::add(const MatrixRow& row, std::uint32_t topology) {
  for (const Concurrency& concurrency : row.concurrencies) {
    const Point point{&row, &concurrency};
    const auto [known, added] = points_.emplace(std::pair{topology, concurrency.value}, point);
    if (!added) repeat(known->second, point);
  }
}

void Finder::repeat(const Point& first, const Point& repeated) {
  const bool same_entry = first.row->entry == repeated.row->entry;
  const GroupKey key = same_entry ? GroupKey{first.row->row, repeated.row->row}
                                  : GroupKey{first.row->entry, repeated.row->entry};
  const auto [known, added] = index_.emplace(key, groups_.size());
  if (added) groups_.push_back({first, repeated, {}});
  groups_[known->second].concurrencies.push_back(repeated.concurrency->value);
}

std::string join(std::vector<std::int64_t> values) {
  constexpr std::size_t kMost = 12;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMost); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
  }
  return values.size() > kMost ? text + ", ..." : text;
}

void report_within_row(const Group& group, Problem& problem) {
  problem.message = fmt::format(
      "Concurrency {} occurs more than once in this row; such a point is measured twice.",
      join(group.concurrencies));
  problem.span = group.repeated.concurrency->span;
  problem.related.push_back({group.first.concurrency->span, "first written here"});
}

void report_between_rows(const Group& group, Problem& problem) {
  problem.message = fmt::format(
      "The row repeats points of another row of its entry (concurrency {}); they are measured "
      "twice.",
      join(group.concurrencies));
  problem.span = head_of(group.repeated.row->row->node);
  problem.related.push_back({head_of(group.first.row->row->node), "the other row"});
}

void report_between_entries(const Group& group, Problem& problem) {
  const std::string_view first = group.first.row->entry->key;
  const std::string_view repeated = group.repeated.row->entry->key;
  const std::size_t count = group.concurrencies.size();
  // Two entries can share points on purpose, to compare two runs of the same.
  problem.severity = Severity::kNote;
  problem.message = fmt::format("Entry '{}' repeats {} of entry '{}'; {} measured twice.", repeated,
                                count == 1 ? "a point" : fmt::format("{} points", count), first,
                                count == 1 ? "it is" : "they are");
  problem.span = head_of(group.repeated.row->row->node);
  problem.related.push_back(
      {head_of(group.first.row->row->node), fmt::format("the same points in '{}'", first)});
  problem.entries.emplace_back(first);
}

void report_group(const Group& group, std::vector<Problem>& problems) {
  Problem& problem = problems.emplace_back();
  problem.rule = kDuplicatePointRule;
  problem.severity = Severity::kWarning;
  problem.entries.emplace_back(group.repeated.row->entry->key);
  if (group.first.row->entry != group.repeated.row->entry) {
    report_between_entries(group, problem);
  } else if (group.first.row->row != group.repeated.row->row) {
    report_between_rows(group, problem);
  } else {
    report_within_row(group, problem);
  }
  std::ranges::sort(problem.entries);
  problem.identity =
      fmt::format("{}/points/{}", problem.entries.front(),
                  problem.entries.size() > 1 ? problem.entries.back() : join(group.concurrencies));
}

}  // namespace

void report_duplicate_points(std::span<const MatrixRow> matrix,
                             std::span<const std::uint32_t> topologies,
                             std::vector<Problem>& problems) {
  Finder finder;
  for (std::size_t i = 0; i < matrix.size(); ++i) finder.add(matrix[i], topologies[i]);
  const std::size_t count = std::min(finder.groups().size(), Reporter::kMostProblems);
  for (std::size_t i = 0; i < count; ++i) report_group(finder.groups()[i], problems);
}

}  // namespace recipelint::space
