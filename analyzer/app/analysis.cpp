#include "analyzer/app/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "analyzer/app/given_run.h"
#include "analyzer/app/scope.h"
#include "analyzer/findings/collect.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/servers.h"
#include "analyzer/space/key_pattern.h"
#include "analyzer/yaml/document.h"

namespace recipelint::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnparsedYamlRule = "RL1002";

findings::Level to_level(space::Severity severity) {
  switch (severity) {
    case space::Severity::kNote:
      return findings::Level::kNote;
    case space::Severity::kWarning:
      return findings::Level::kWarning;
    case space::Severity::kError:
      return findings::Level::kError;
  }
  return findings::Level::kError;
}

findings::Finding to_finding(const space::Problem& problem) {
  findings::Finding finding;
  finding.rule = problem.rule;
  finding.level = to_level(problem.severity);
  finding.message = problem.message;
  finding.primary = problem.span;
  for (const space::RelatedPlace& place : problem.related) {
    finding.related.push_back({place.span, place.label});
  }
  finding.cells = problem.entries;
  finding.remedies = problem.remedies;
  finding.identity = problem.identity;
  return finding;
}

findings::RuleDescription describe(const rules::Rule& rule) {
  return {std::string(rule.id),
          std::string(rule.name),
          std::string(group_of(rule)),
          rule.level,
          std::string(to_string(rule.precision)),
          std::string(rule.summary),
          std::string(rule.page)};
}

bool is_yaml(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

/// A YAML file that was named and that nothing else has read must still be readable.
std::optional<space::Problem> problem_of_named_file(text::SourceStore& sources,
                                                    const std::string& path) {
  space::Problem problem;
  problem.rule = kUnparsedYamlRule;
  problem.identity = path;
  const auto file = sources.load(path);
  if (!file) {
    problem.message = file.error().message + ".";
    return problem;
  }
  if (!is_yaml(path)) return std::nullopt;
  const auto document = yaml::Document::parse(**file);
  if (document) return std::nullopt;
  problem.message = document.error().message;
  problem.span = document.error().where;
  return problem;
}

bool matches_keys(const findings::Finding& finding, const std::vector<std::string>& globs) {
  if (globs.empty() || finding.cells.empty()) return true;
  return std::any_of(finding.cells.begin(), finding.cells.end(), [&](const std::string& cell) {
    const std::string_view key = std::string_view(cell).substr(0, cell.find('|'));
    return std::any_of(globs.begin(), globs.end(),
                       [&](const std::string& glob) { return space::matches_glob(glob, key); });
  });
}

/// Findings without a place cannot be shown as such: they become notifications.
findings::Notification to_notification(const findings::Finding& finding) {
  findings::Notification notification;
  notification.kind = findings::NotificationKind::kUnreadable;
  notification.level = finding.level;
  notification.message = finding.message;
  notification.path = finding.identity;
  return notification;
}

void count_evaluated(const layout::CellResults& cells, report::Summary& summary) {
  using Status = layout::CellLaunches::Status;
  if (!cells.evaluated()) return;
  for (const layout::EvaluatedCell& cell : cells.all()) {
    if (cell.cell.mode != layout::Mode::kThroughput) continue;
    if (cell.launches->status == Status::kComplete) ++summary.cells_evaluated;
    if (cell.launches->status == Status::kPartial) ++summary.cells_partial;
  }
}

/// How many cells each rule could not judge for each cause.
std::vector<report::Unevaluated> count_unevaluated(
    const std::vector<findings::Unevaluated>& unevaluated) {
  std::vector<report::Unevaluated> counts;
  for (const findings::Unevaluated& each : unevaluated) {
    const bool same = !counts.empty() && counts.back().rule == each.rule &&
                      counts.back().cause == each.cause;
    if (!same) counts.push_back({each.rule, each.cause, 0});
    ++counts.back().cells;
  }
  return counts;
}

report::Summary summarize(const LoadedRepository& repository, const layout::CellResults& cells) {
  report::Summary summary;
  summary.files = repository.sources->file_count();
  for (const layout::Site& site : repository.workspace->sites()) {
    for (const space::MatrixRow& row : site.matrix) summary.cells += row.concurrencies.size();
  }
  summary.cells += repository.workspace->bare_scripts().size();
  count_evaluated(cells, summary);
  return summary;
}

void report_problems(const LoadedRepository& repository, const Scope& scope, Analysis& analysis,
                     findings::FindingSink& sink) {
  std::vector<space::Problem> problems = repository.workspace->problems();
  for (const std::string& path : scope.unaffecting()) {
    if (auto problem = problem_of_named_file(*repository.sources, path)) {
      problems.push_back(std::move(*problem));
    } else {
      analysis.unaffecting.push_back(path);
    }
  }
  for (const space::Problem& problem : problems) {
    if (problem.rule == kUnparsedYamlRule) analysis.incomplete = true;
    findings::Finding finding = to_finding(problem);
    if (finding.primary.valid()) {
      sink.report(std::move(finding));
    } else {
      analysis.report.notifications.push_back(to_notification(finding));
    }
  }
}

/// The root of the first path that exists: a mistyped name must not make us read what lies above
/// it.
text::Result<std::string> find_root(const SharedOptions& options) {
  if (options.root) return *options.root;
  if (options.paths.empty()) return layout::default_root(".");
  std::error_code error;
  for (const std::string& path : options.paths) {
    if (fs::exists(fs::symlink_status(path, error))) return layout::default_root(path);
  }
  return text::Error{fmt::format("no command or path is called '{}'", options.paths.front()), {}};
}

/// `path` relative to the root; nullopt if it lies outside.
std::optional<std::string> relative_to_root(const std::string& root, const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path parent = fs::weakly_canonical(absolute.parent_path(), error);
  const fs::path resolved = fs::is_directory(absolute, error) ? fs::canonical(absolute, error)
                                                              : parent / absolute.filename();
  const std::string relative = resolved.lexically_relative(root).generic_string();
  if (relative.empty() || relative == ".." || relative.starts_with("../")) return std::nullopt;
  return text::normalize_path(relative);
}

bool recognised(const layout::Workspace& workspace) {
  const layout::Discovery& discovery = workspace.discovery();
  return !discovery.sites.empty() || !discovery.recipes.empty() || !discovery.scripts.empty() ||
         !workspace.bare_scripts().empty();
}

std::optional<text::Error> name_paths(LoadedRepository& repository, const SharedOptions& options) {
  for (const std::string& path : options.paths) {
    const auto relative = relative_to_root(repository.tree->root(), path);
    std::error_code error;
    if (!relative && !fs::exists(fs::symlink_status(path, error))) {
      return text::Error{fmt::format("no command or path is called '{}'", path), {}};
    }
    if (!relative) {
      return text::Error{fmt::format("'{}' lies outside the root '{}'; name another --root", path,
                                     repository.tree->root()),
                         {}};
    }
    const auto kind = repository.tree->kind(*relative);
    auto& list = kind == text::EntryKind::kMissing ? repository.missing : repository.named;
    list.push_back(*relative);
  }
  return std::nullopt;
}

void load(LoadedRepository& repository, const SharedOptions& options, layout::GivenRun run) {
  repository.workspace =
      std::make_unique<layout::Workspace>(layout::WorkspaceLoader(*repository.sources)
                                              .name_paths(repository.named)
                                              .run_by_hand(std::move(run))
                                              .use_threads(options.threads)
                                              .load());
}

std::optional<text::Error> load_workspace(LoadedRepository& repository,
                                          const SharedOptions& options) {
  auto run = given_run(options);
  if (!run) return run.error();
  const bool by_hand = !run->empty();
  if (!by_hand) {
    load(repository, options, {});
    // Where there is a search space, --cell chooses some of it.
    if (options.cell.empty() || !repository.workspace->sites().empty()) return std::nullopt;
  }
  run = with_cell_fields(*std::move(run), options);
  if (!run) return run.error();
  load(repository, options, *std::move(run));
  if (by_hand && repository.workspace->bare_scripts().empty()) {
    return text::Error{"--set, --image, --gpu and --model are about a script: name one", {}};
  }
  return std::nullopt;
}

}  // namespace

text::Result<LoadedRepository> load_repository(const SharedOptions& options) {
  const auto root = find_root(options);
  if (!root) return root.error();
  auto tree = text::DiskTree::open(*root);
  if (!tree) return tree.error();
  LoadedRepository repository;
  repository.tree = std::make_unique<text::DiskTree>(std::move(*tree));
  repository.sources = std::make_unique<text::SourceStore>(*repository.tree);
  if (auto error = name_paths(repository, options)) return *error;
  if (auto error = load_workspace(repository, options)) return *error;
  if (!recognised(*repository.workspace) && repository.missing.empty()) {
    return text::Error{fmt::format("found no search space, recipe or launch script below '{}'",
                                   repository.tree->root()),
                       {}};
  }
  return repository;
}

Analysis analyse(const LoadedRepository& repository, const CheckOptions& options,
                 const rules::Selection& selection, const facts::Catalog& facts) {
  Analysis analysis;
  report::Report& report = analysis.report;
  report.version = RECIPELINT_VERSION;
  report.root = repository.tree->root();
  report.category = options.sarif_category;
  for (const rules::Rule& rule : rules::catalog()) report.rules.push_back(describe(rule));
  for (const std::string& path : repository.missing) {
    analysis.incomplete = true;
    report.notifications.push_back({findings::NotificationKind::kUnreadable,
                                    findings::Level::kError,
                                    fmt::format("cannot read '{}': no such file.", path),
                                    path,
                                    {}});
  }

  const Scope scope(*repository.workspace, repository.named);
  findings::Collector collector;
  report_problems(repository, scope, analysis, collector);
  const rules::RuleOptions rule_options{options.as_of};
  const layout::CellResults cells(*repository.workspace, facts, options.shared.threads,
                                  [&](std::string_view key) { return scope.contains_key(key); });
  const serving::Servers servers(cells, facts, options.shared.threads);
  const rules::RuleContext context{*repository.workspace, cells, servers, facts, rule_options};
  for (const rules::Rule* rule : selection.rules()) {
    if (rule->run != nullptr) rule->run(context, collector);
  }

  for (findings::Finding& finding : collector.take()) {
    const bool wanted = selection.contains(finding.rule) && scope.contains(finding) &&
                        matches_keys(finding, options.shared.keys);
    if (wanted) report.findings.push_back(std::move(finding));
  }
  findings::normalize(report.notifications);
  report.summary = summarize(repository, cells);
  report.summary.unevaluated = count_unevaluated(collector.take_unevaluated());
  return analysis;
}

}  // namespace recipelint::app
