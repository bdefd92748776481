#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "analyzer/space/constraints.h"
#include "analyzer/space/field_reader.h"
#include "analyzer/space/key_pattern.h"
#include "analyzer/space/nearest_name.h"
#include "analyzer/space/read.h"
#include "analyzer/space/read_support.h"

namespace recipelint::space {
namespace {

/// Names that are compared with an unknown one.
constexpr std::size_t kMostCandidates = 500;

using EntryIndex = std::unordered_map<std::string_view, const Entry*>;

/// The first entry of each key.
EntryIndex index_entries(const SearchSpace& space) {
  EntryIndex index;
  for (const MasterConfig& master : space.masters) {
    for (const Entry& entry : master.entries) index.emplace(entry.key, &entry);
  }
  return index;
}

void check_keys_in_two_files(const SearchSpace& space, const EntryIndex& index,
                             Reporter& reporter) {
  for (const MasterConfig& master : space.masters) {
    for (const Entry& entry : master.entries) {
      const Entry& first = *index.at(entry.key);
      if (&first == &entry) continue;
      reporter.enter(entry.key);
      auto& problem = reporter.report(
          entry.key_span(),
          fmt::format("Entry '{}' is already in '{}'; the generator refuses a key in two files.",
                      entry.key, first.key_span().file->path()),
          "key/two-files");
      problem.related.push_back({first.key_span(), "first written here"});
    }
  }
}

std::vector<std::string_view> label_names(const Runners& runners) {
  std::vector<std::string_view> names;
  for (const RunnerLabel& label : runners.labels) names.push_back(label.name);
  return names;
}

/// The label that was meant: the cluster of that name, or one that is spelled nearly so.
std::string suggest_label(std::string_view runner, const Runners& runners,
                          std::span<const std::string_view> names) {
  const std::string cluster = fmt::format("cluster:{}", runner);
  if (runners.find_label(cluster) != nullptr) return cluster;
  return std::string(nearest_name(runner, names.first(std::min(names.size(), kMostCandidates))));
}

/// The entries that name one label which does not exist, in the order of the files.
using UnknownRunner = std::vector<const Entry*>;

std::vector<UnknownRunner> unknown_runners(const SearchSpace& space,
                                           std::span<const std::string_view> sorted_labels) {
  std::vector<UnknownRunner> unknown;
  std::unordered_map<std::string_view, std::size_t> index;
  for (const MasterConfig& master : space.masters) {
    for (const Entry& entry : master.entries) {
      if (!entry.runner || std::ranges::binary_search(sorted_labels, *entry.runner)) continue;
      const auto [known, is_new] = index.emplace(*entry.runner, unknown.size());
      if (is_new) unknown.emplace_back();
      unknown[known->second].push_back(&entry);
    }
  }
  return unknown;
}

void report_unknown_runner(const UnknownRunner& entries, const Runners& runners,
                           std::span<const std::string_view> names, Reporter& reporter) {
  const String& runner = entries.front()->runner;
  const std::string nearest = suggest_label(*runner, runners, names);
  std::string message =
      fmt::format("Runner '{}' is not a label of '{}', so no machine runs the jobs of {}.", *runner,
                  runners.document->file().path(),
                  entries.size() == 1 ? "this entry" : fmt::format("{} entries", entries.size()));
  if (!nearest.empty()) message += fmt::format(" Did you mean '{}'?", nearest);
  auto& problem =
      reporter.report(runner.span(), std::move(message), fmt::format("runner/{}", *runner));
  problem.rule = kUnknownRunnerRule;
  if (!nearest.empty()) problem.remedies.push_back(nearest);
  for (const Entry* entry : entries) {
    problem.entries.emplace_back(entry->key);
    if (entry == entries.front()) continue;
    problem.related.push_back({entry->runner.span(), fmt::format("entry '{}' too", entry->key)});
  }
  std::ranges::sort(problem.entries);
  problem.entries.erase(std::unique(problem.entries.begin(), problem.entries.end()),
                        problem.entries.end());
}

/// One problem for each label, since one mistake in the runners file can concern many entries.
void check_runners(const SearchSpace& space, const Runners& runners, Reporter& reporter) {
  const std::vector<std::string_view> names = label_names(runners);
  std::vector<std::string_view> sorted = names;
  std::ranges::sort(sorted);
  reporter.enter({});
  std::size_t reported = 0;
  for (const UnknownRunner& entries : unknown_runners(space, sorted)) {
    if (++reported > Reporter::kMostProblems) return;
    report_unknown_runner(entries, runners, names, reporter);
  }
}

/// Rows that offload to CPU memory are left to expand(): there the generator itself refuses them.
void check_node_size(const Row& row, const RunnerHardware& hardware, Reporter& reporter) {
  if (row.kv_offloading && *row.kv_offloading == "dram") return;
  if (!row.tp || !hardware.gpus_per_node) return;
  const auto gpus = replica_gpus(row.tp, row.pp, row.pcp_size);
  if (gpus && *gpus <= *hardware.gpus_per_node) return;
  auto& problem = reporter.report(
      row.tp.span(),
      fmt::format("The row needs {} GPUs (tp * pp * pcp-size), but a node of '{}' has {}.",
                  gpus ? fmt::format("{}", *gpus) : "more than 2^63", hardware.label,
                  *hardware.gpus_per_node),
      "tp/node");
  problem.rule = kTopologyRowRule;
  problem.related.push_back({hardware.gpus_per_node.span(), "GPUs of a node"});
}

void check_node_sizes(const SearchSpace& space, const Runners& runners, Reporter& reporter) {
  std::unordered_map<std::string_view, const RunnerHardware*> index;
  for (const RunnerHardware& hardware : runners.hardware) index.emplace(hardware.label, &hardware);
  for (const MasterConfig& master : space.masters) {
    for (const Entry& entry : master.entries) {
      if (entry.is_multinode || !entry.runner) continue;
      const auto hardware = index.find(*entry.runner);
      if (hardware == index.end()) continue;
      reporter.enter(entry.key);
      for (const Scenario& scenario : entry.scenarios) {
        for (const Row& row : scenario.rows) check_node_size(row, *hardware->second, reporter);
      }
    }
  }
}

bool is_placeholder(const String& link) {
  constexpr std::array<std::string_view, 2> kPlaceholders = {
      "XXX", "https://github.com/SemiAnalysisAI/InferenceX/pull/XXX"};
  return link && std::ranges::find(kPlaceholders, *link) != kPlaceholders.end();
}

bool names_an_entry(std::string_view pattern, const EntryIndex& index) {
  if (pattern.find('*') == std::string_view::npos) return index.contains(pattern);
  return std::ranges::any_of(
      index, [pattern](const auto& known) { return matches_changelog_key(pattern, known.first); });
}

/// The first keys in the order of the files, for suggestions.
std::vector<std::string_view> candidate_keys(const SearchSpace& space) {
  std::vector<std::string_view> keys;
  for (const MasterConfig& master : space.masters) {
    for (const Entry& entry : master.entries) {
      if (keys.size() == kMostCandidates) return keys;
      keys.push_back(entry.key);
    }
  }
  return keys;
}

void check_keys(const ChangelogEntry& entry, const SearchSpace& space, const EntryIndex& index,
                Reporter& reporter) {
  constexpr std::size_t kMostKeys = 1'000;
  const std::size_t count = std::min(entry.config_keys.size(), kMostKeys);
  for (std::size_t i = 0; i < count; ++i) {
    const String& key = entry.config_keys[i];
    if (names_an_entry(*key, index)) continue;
    const bool wildcard = key->find('*') != std::string_view::npos;
    const std::string_view nearest =
        wildcard ? std::string_view{} : nearest_name(*key, candidate_keys(space));
    std::string message = fmt::format("'{}' matches no key of the master configurations.", *key);
    if (!nearest.empty()) message += fmt::format(" Did you mean '{}'?", nearest);
    auto& problem =
        reporter.report(key.span(), std::move(message), fmt::format("config-keys/{}", *key));
    if (!nearest.empty()) problem.remedies.emplace_back(nearest);
  }
}

/// The last entry is new on a pull request, and so is one whose link is still a placeholder.
void check_new_changelog_keys(const SearchSpace& space, const EntryIndex& index,
                              std::vector<Problem>& problems) {
  constexpr std::size_t kMostNewEntries = 100;
  if (index.empty()) return;
  Reporter reporter(problems, kChangelogRule);
  const std::vector<ChangelogEntry>& entries = space.changelog->entries;
  std::size_t checked = 0;
  for (const ChangelogEntry& entry : entries) {
    if (!is_placeholder(entry.pr_link) && &entry != &entries.back()) continue;
    if (++checked > kMostNewEntries) return;
    check_keys(entry, space, index, reporter);
  }
}

}  // namespace

void check_changelog_keys(const ChangelogEntry& entry, const SearchSpace& space,
                          std::vector<Problem>& problems) {
  Reporter reporter(problems, kChangelogRule);
  check_keys(entry, space, index_entries(space), reporter);
}

void check_together(const SearchSpace& space, std::vector<Problem>& problems) {
  const std::size_t before = problems.size();
  Reporter reporter(problems, kSchemaRule);
  const EntryIndex index = index_entries(space);
  check_keys_in_two_files(space, index, reporter);
  if (space.runners) {
    check_runners(space, *space.runners, reporter);
    check_node_sizes(space, *space.runners, reporter);
  }
  if (space.changelog) check_new_changelog_keys(space, index, problems);
  sort_from(problems, before);
}

}  // namespace recipelint::space
