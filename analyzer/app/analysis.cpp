#include "analyzer/app/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <utility>

#include "analyzer/app/command_line.h"
#include "analyzer/app/given_run.h"
#include "analyzer/app/pull_request.h"
#include "analyzer/findings/collect.h"
#include "analyzer/findings/ignores.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/servers.h"
#include "analyzer/space/key_pattern.h"
#include "analyzer/space/nearest_name.h"
#include "analyzer/text/parallel.h"
#include "analyzer/text/utf8.h"
#include "analyzer/yaml/document.h"

namespace recipelint::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnparsedYamlRule = "RL1002";
/// Where the package has the documentation: SARIF demands an address.
constexpr std::string_view kInstalledPage = "file:///usr/share/doc/recipelint/README.md";
constexpr std::string_view kUnusedIgnoreRule = "RL1004";
constexpr std::string_view kIgnoreWithoutReasonRule = "RL1005";

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

/// A remedy of a problem may be just the word to write.
std::string as_sentence(const std::string& remedy) {
  return remedy.ends_with('.') ? remedy : fmt::format("Write '{}'.", remedy);
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
  for (const std::string& remedy : problem.remedies) {
    finding.remedies.push_back(as_sentence(remedy));
  }
  finding.identity = problem.identity;
  return finding;
}

findings::RuleDescription describe(const rules::Rule& rule, const Configuration& configuration) {
  const auto configured = configuration.levels.find(rule.id);
  const bool has_level = configured != configuration.levels.end() && configured->second;
  return {std::string(rule.id),
          std::string(rule.name),
          std::string(group_of(rule)),
          has_level ? *configured->second : rule.level,
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

bool lies_in_excluded_file(const findings::Finding& finding, const Configuration& configuration) {
  return finding.primary.valid() && configuration.excludes(finding.primary.file->path());
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
    const std::vector<findings::Unevaluated>& unevaluated, const Scope& scope) {
  std::vector<report::Unevaluated> counts;
  for (const findings::Unevaluated& each : unevaluated) {
    if (!scope.contains_cell(each.cell)) continue;
    const bool same =
        !counts.empty() && counts.back().rule == each.rule && counts.back().cause == each.cause;
    if (!same) counts.push_back({each.rule, each.cause, 0});
    ++counts.back().cells;
  }
  return counts;
}

report::Summary summarize(const LoadedRepository& repository, const layout::CellResults& cells) {
  report::Summary summary;
  summary.files = repository.sources->file_count();
  for (const auto& path : repository.recipe_paths) summary.files += path.sources->file_count();
  for (const layout::Site& site : repository.workspace->sites()) {
    for (const space::MatrixRow& row : site.matrix) summary.cells += row.concurrencies.size();
  }
  for (const layout::RecipeRun& run : repository.workspace->recipe_runs()) {
    summary.cells += layout::cells_of(run).size();
  }
  summary.cells += repository.workspace->bare_scripts().size();
  count_evaluated(cells, summary);
  return summary;
}

bool decides_cells(const std::string& path, const layout::Discovery& discovery) {
  return std::any_of(discovery.sites.begin(), discovery.sites.end(),
                     [&](const layout::SiteFiles& site) {
                       const auto& masters = site.masters;
                       return path == site.runners ||
                              std::find(masters.begin(), masters.end(), path) != masters.end();
                     });
}

/// Whether it says that a file could not be read on which what was asked for depends: then the run
/// is not complete. A broken configuration leaves open which cells a named file has.
bool hides_cells(const findings::Finding& finding, const LoadedRepository& repository,
                 const Scope& scope) {
  if (finding.rule != kUnparsedYamlRule) return false;
  return !finding.primary.valid() || scope.contains(finding) ||
         decides_cells(finding.primary.file->path(), repository.workspace->discovery());
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
    findings::Finding finding = to_finding(problem);
    if (lies_in_excluded_file(finding, repository.configuration)) continue;
    if (hides_cells(finding, repository, scope)) analysis.incomplete = true;
    if (finding.primary.valid()) {
      sink.report(std::move(finding));
    } else {
      analysis.report.notifications.push_back(to_notification(finding));
    }
  }
}

bool takes_comments(std::string_view path) {
  return is_yaml(path) || path.ends_with(".sh");
}

/// The ignores of all files that were read.
findings::IgnoreList read_ignores(const LoadedRepository& repository) {
  findings::IgnoreList ignores([](std::string_view name) {
    const rules::Rule* rule = rules::find_rule(name);
    return rule == nullptr ? std::string() : std::string(rule->id);
  });
  const auto add_all = [&](const text::SourceStore& sources) {
    for (const text::SourceFile* file : sources.files()) {
      if (takes_comments(file->path())) ignores.add(*file);
    }
  };
  add_all(*repository.sources);
  for (const auto& path : repository.recipe_paths) add_all(*path.sources);
  return ignores;
}

findings::Finding unused_ignore(const findings::IgnoreList::Entry& entry) {
  const std::string& name = entry.ignore.rule;
  findings::Finding finding;
  finding.rule = kUnusedIgnoreRule;
  finding.level = findings::Level::kNote;
  finding.primary = entry.ignore.span;
  finding.identity = name;
  finding.remedies = {"Remove it."};
  if (!entry.id.empty()) {
    finding.message = fmt::format("'{}' reports nothing that this comment could suppress.", name);
    return finding;
  }
  finding.message = fmt::format("This comment suppresses nothing: no rule is called '{}'.", name);
  std::vector<std::string_view> names;
  for (const rules::Rule& rule : rules::catalog()) names.insert(names.end(), {rule.id, rule.name});
  const std::string_view nearest = space::nearest_name(name, names);
  if (!nearest.empty()) {
    finding.remedies.insert(finding.remedies.begin(), fmt::format("Write '{}'.", nearest));
  }
  return finding;
}

findings::Finding ignore_without_reason(const findings::Ignore& ignore) {
  findings::Finding finding;
  finding.rule = kIgnoreWithoutReasonRule;
  finding.level = findings::Level::kNote;
  finding.primary = ignore.comment;
  finding.message = "This comment does not say why the finding is accepted.";
  finding.remedies = {"Write the reason behind the bracket."};
  return finding;
}

/// The findings with those about the ignores themselves. Rules that were not asked for leave open
/// whether their ignores are of use.
std::vector<findings::Finding> with_findings_about(findings::IgnoreList& ignores,
                                                   std::vector<findings::Finding> all,
                                                   const rules::Selection& selection,
                                                   const Configuration& configuration) {
  if (ignores.entries().empty()) return all;
  findings::Collector collector;
  for (findings::Finding& finding : all) {
    ignores.suppressing(finding);
    collector.report(std::move(finding));
  }
  for (const findings::IgnoreList::Entry& entry : ignores.entries()) {
    const auto level = configuration.levels.find(entry.id);
    const bool is_off = level != configuration.levels.end() && !level->second;
    const bool asked_for = entry.id.empty() || (selection.contains(entry.id) && !is_off);
    if (!entry.used && asked_for) collector.report(unused_ignore(entry));
    if (entry.ignore.reason.empty()) collector.report(ignore_without_reason(entry.ignore));
  }
  return collector.take();
}

/// Removes the findings that an older revision has as well, wherever they stood there. One that has
/// become more severe since is new: now a row reaches it.
void drop_older(std::vector<findings::Finding>& findings, const Analysis& older) {
  std::map<std::string_view, findings::Level> levels;
  for (const findings::Finding& finding : older.report.findings) {
    levels.emplace(finding.fingerprint, finding.level);
  }
  std::erase_if(findings, [&levels](const findings::Finding& finding) {
    const auto before = levels.find(finding.fingerprint);
    return before != levels.end() && before->second >= finding.level;
  });
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

findings::Notification unreadable(const std::string& message, const std::string& path) {
  return {
      findings::NotificationKind::kUnreadable, findings::Level::kError, message + ".", path, {}};
}

std::optional<text::Error> replace_file(LoadedRepository& repository,
                                        const SharedOptions& options) {
  if (!options.replacement) return std::nullopt;
  const std::string& path = options.replacement->path;
  const auto relative = relative_to_root(repository.root, path);
  if (!relative || repository.tree->kind(*relative) != text::EntryKind::kFile) {
    return text::Error{
        fmt::format("--stdin-file '{}' names no file below the root '{}'", path, repository.root),
        {}};
  }
  repository.sources->replace(*relative, options.replacement->bytes);
  return std::nullopt;
}

std::optional<text::Error> name_paths(LoadedRepository& repository, const SharedOptions& options) {
  for (const std::string& path : options.paths) {
    const auto relative = relative_to_root(repository.root, path);
    std::error_code error;
    if (!relative && !fs::exists(fs::symlink_status(path, error))) {
      return text::Error{fmt::format("no command or path is called '{}'", path), {}};
    }
    if (!relative) {
      return text::Error{fmt::format("'{}' lies outside the root '{}'; name another --root", path,
                                     repository.root),
                         {}};
    }
    repository.named.push_back(*relative);
    const auto kind = repository.tree->kind(*relative);
    if (kind == text::EntryKind::kFile || kind == text::EntryKind::kFolder) continue;
    repository.unreadable.push_back(
        unreadable(repository.tree->read(*relative).error().message, *relative));
  }
  return std::nullopt;
}

/// What the files below a recipe path are called in front of their own path: outside of the root
/// they have no name but the absolute one.
std::string shown_folder(const LoadedRepository& repository, const std::string& path) {
  if (const auto relative = relative_to_root(repository.root, path)) return *relative;
  std::error_code error;
  const std::string absolute = fs::absolute(path, error).lexically_normal().generic_string();
  const std::size_t end = absolute.find_last_not_of('/');
  return absolute.substr(0, end == std::string::npos ? 1 : end + 1);
}

std::optional<text::Error> open_recipe_paths(LoadedRepository& repository,
                                             const SharedOptions& options) {
  for (const std::string& path : options.recipe_paths) {
    auto tree = text::DiskTree::open(path);
    if (!tree) return text::Error{fmt::format("--recipe-path: {}", tree.error().message), {}};
    LoadedRepository::RecipePath& added = repository.recipe_paths.emplace_back();
    added.tree = std::make_unique<text::DiskTree>(std::move(*tree));
    added.sources =
        std::make_unique<text::SourceStore>(*added.tree, shown_folder(repository, path));
  }
  return std::nullopt;
}

void load(LoadedRepository& repository, const SharedOptions& options, layout::GivenRun run) {
  std::vector<text::SourceStore*> recipe_paths;
  for (const auto& path : repository.recipe_paths) recipe_paths.push_back(path.sources.get());
  layout::WorkspaceLoader loader(*repository.sources);
  loader.name_paths(repository.named)
      .look_in(std::move(recipe_paths))
      .run_by_hand(std::move(run))
      .use_threads(options.threads);
  if (repository.configuration.profile) loader.use_profile(*repository.configuration.profile);
  repository.workspace = std::make_unique<layout::Workspace>(loader.load());
}

std::optional<text::Error> load_workspace(LoadedRepository& repository,
                                          const SharedOptions& options) {
  auto run = given_run(options);
  if (!run) return run.error();
  const bool by_hand = !run->empty();
  if (!by_hand) {
    load(repository, options, {});
    // Where there is a search space, --cell chooses some of it.
    if (options.cell.empty() || repository.workspace->has_search_space()) return std::nullopt;
  }
  run = with_cell_fields(*std::move(run), options);
  if (!run) return run.error();
  load(repository, options, *std::move(run));
  if (by_hand && repository.workspace->bare_scripts().empty()) {
    return text::Error{"--set, --image, --gpu and --model are about a script: name one", {}};
  }
  return std::nullopt;
}

/// Runs the rules on several threads. What they find is put together in their order, so that it is
/// the same on any number of threads.
void run_rules(const rules::Selection& selection, const rules::RuleContext& context,
               unsigned threads, findings::Collector& collector) {
  const auto& selected = selection.rules();
  std::vector<findings::Collector> collectors(selected.size());
  text::run_in_parallel(selected.size(), threads, [&](std::size_t i) {
    if (selected[i]->run != nullptr) selected[i]->run(context, collectors[i]);
  });
  for (findings::Collector& one : collectors) collector.add(std::move(one));
}

}  // namespace

bool recognised(const layout::Workspace& workspace) {
  const layout::Discovery& discovery = workspace.discovery();
  return !discovery.sites.empty() || !discovery.recipes.empty() || !discovery.scripts.empty() ||
         !workspace.bare_scripts().empty();
}

std::optional<text::Error> load_older_workspace(LoadedRepository& old, const LoadedRepository& now,
                                                const SharedOptions& options) {
  auto run = given_run(options);
  if (!run) return run.error();
  const bool by_hand = !run->empty() || !now.workspace->has_search_space();
  if (by_hand) run = with_cell_fields(*std::move(run), options);
  if (!run) return run.error();
  // What was named says which folders count; all of their findings are needed, since a cell may
  // have been reached in another way.
  old.named = now.named;
  if (auto error = open_recipe_paths(old, options)) return error;
  load(old, options, *std::move(run));
  old.named.clear();
  return std::nullopt;
}

text::Result<LoadedRepository> load_repository(const SharedOptions& options) {
  const auto root = find_root(options);
  if (!root) return root.error();
  auto tree = text::DiskTree::open(*root);
  if (!tree) return tree.error();
  LoadedRepository repository;
  repository.root = tree->root();
  repository.tree = std::make_unique<text::DiskTree>(std::move(*tree));
  repository.sources = std::make_unique<text::SourceStore>(*repository.tree);
  auto configuration = load_configuration(options, *repository.tree);
  if (!configuration) return configuration.error();
  repository.configuration = std::move(configuration).value();
  if (auto error = replace_file(repository, options)) return *error;
  if (auto error = name_paths(repository, options)) return *error;
  if (auto error = open_recipe_paths(repository, options)) return *error;
  if (auto error = load_workspace(repository, options)) return *error;
  if (!recognised(*repository.workspace) && unreadable_input(repository).empty()) {
    return text::Error{
        fmt::format("found no search space, recipe or launch script below '{}'", repository.root),
        {}};
  }
  return repository;
}

text::Result<std::unique_ptr<const facts::Catalog>> load_facts(const LoadedRepository& repository) {
  using Facts = std::unique_ptr<const facts::Catalog>;
  const std::string& path = repository.configuration.facts;
  if (path.empty()) return Facts(std::make_unique<facts::Catalog>());
  const auto file = repository.sources->load(path);
  if (!file) return file.error();
  auto facts = facts::Catalog::with_overrides(**file);
  if (facts) return facts;
  text::Error error = facts.error();
  const text::Span span = error.where.valid() ? error.where : (*file)->whole();
  const text::Position position = span.file->position(span.begin);
  error.message = fmt::format("{}:{}:{}: {}", path, position.line, position.column, error.message);
  return error;
}

Scope scope_of(const LoadedRepository& repository, const facts::Catalog& facts, unsigned threads) {
  Scope scope(*repository.workspace, repository.named);
  if (!scope.needs_readers()) return scope;
  const layout::CellResults cells(*repository.workspace, facts, threads);
  scope.add_readers(cells, facts.models());
  return scope;
}

std::vector<findings::Notification> unreadable_input(const LoadedRepository& repository) {
  std::vector<findings::Notification> notifications = repository.unreadable;
  const layout::Discovery& discovery = repository.workspace->discovery();
  const auto add_all = [&](const text::SourceStore& sources) {
    for (const text::SourceStore::Unreadable& file : sources.unreadable()) {
      notifications.push_back(unreadable(file.message, file.path));
    }
  };
  add_all(*repository.sources);
  for (const auto& path : repository.recipe_paths) add_all(*path.sources);
  if (discovery.truncated) {
    notifications.push_back({findings::NotificationKind::kLimit,
                             findings::Level::kError,
                             "there are too many folders below the root; the rest was not read.",
                             "",
                             {}});
  }
  return notifications;
}

int say_what_was_unreadable(const LoadedRepository& repository, std::ostream& out) {
  std::set<std::string> messages;
  for (const findings::Notification& notification : unreadable_input(repository)) {
    messages.insert(notification.message);
  }
  for (const space::Problem& problem : repository.workspace->problems()) {
    if (problem.rule != kUnparsedYamlRule) continue;
    std::string place;
    if (problem.span.valid()) {
      const text::Position position = problem.span.file->position(problem.span.begin);
      place = fmt::format("{}:{}:{}: ", problem.span.file->path(), position.line, position.column);
    }
    messages.insert(place + problem.message);
  }
  for (const std::string& message : messages) {
    out << "recipelint: " << text::to_valid_utf8(message) << '\n';
  }
  return messages.empty() ? kClean : kUnreadable;
}

Analysis analyse(const LoadedRepository& repository, const CheckOptions& options,
                 const rules::Selection& selection, const facts::Catalog& facts, const Known& known,
                 const PullRequestText& pull_request) {
  Analysis analysis;
  report::Report& report = analysis.report;
  report.version = RECIPELINT_VERSION;
  report.root = repository.root;
  report.home_page = RECIPELINT_HOME_PAGE;
  if (report.home_page.empty()) {
    report.home_page = kInstalledPage;
  } else {
    report.rule_page_base = report.home_page + "/blob/v" RECIPELINT_VERSION "/docs/rules/";
    report.rule_page_end = ".md";
  }
  report.category = options.sarif_category;
  const Configuration& configuration = repository.configuration;
  for (const rules::Rule& rule : rules::catalog()) {
    report.rules.push_back(describe(rule, configuration));
  }
  Scope scope(*repository.workspace, repository.named);
  layout::CellResults::KeyFilter asked_for;
  if (!scope.needs_readers()) {
    asked_for = [&](std::string_view key) { return scope.contains_key(key); };
  }
  const layout::CellResults cells(*repository.workspace, facts, options.shared.threads, asked_for);
  scope.add_readers(cells, facts.models());
  findings::Collector collector;
  report_problems(repository, scope, analysis, collector);
  rules::RuleOptions rule_options;
  rule_options.as_of = options.as_of;
  rule_options.image_pinning = configuration.image_pinning;
  rule_options.pull_request_title = pull_request.title.get();
  rule_options.pull_request_body = pull_request.body.get();
  if (pull_request.title || pull_request.body) {
    rule_options.pull_request_contract = pull_request_contract(repository);
  }
  const serving::Servers servers(cells, facts, options.shared.threads);
  const rules::RuleContext context{*repository.workspace,
                                   cells,
                                   servers,
                                   facts,
                                   rule_options,
                                   known.older == nullptr ? nullptr : known.older->workspace.get()};
  run_rules(selection, context, options.shared.threads, collector);

  std::optional<findings::IgnoreList> ignores;
  std::vector<findings::Finding> all = collector.take();
  if (!options.no_ignores) {
    ignores = read_ignores(repository);
    all = with_findings_about(*ignores, std::move(all), selection, configuration);
  }
  std::size_t suppressed = 0;
  std::vector<findings::Finding> not_ignored;
  const auto suppress = [&](findings::Finding finding, report::Suppressed::Kind kind,
                            std::string reason) {
    ++suppressed;
    if (!options.show_suppressed) return;
    report.suppressed.push_back({std::move(finding), kind, std::move(reason)});
  };
  // The text of a pull request is about all files.
  const auto in_scope = [&](const findings::Finding& finding) {
    const text::SourceFile* file = finding.primary.file;
    const bool of_pull_request =
        file != nullptr && (file == pull_request.title.get() || file == pull_request.body.get());
    return of_pull_request || scope.contains(finding);
  };
  for (findings::Finding& finding : all) {
    const Configuration::Level level = configuration.level_of(finding);
    // What makes the run incomplete is said whatever was asked for.
    const bool is_asked_for = selection.contains(finding.rule) && in_scope(finding) &&
                              matches_keys(finding, options.shared.keys);
    const bool wanted = level && (is_asked_for || hides_cells(finding, repository, scope)) &&
                        !lies_in_excluded_file(finding, configuration);
    if (!wanted) continue;
    finding.level = *level;
    const findings::Ignore* ignore = ignores ? ignores->suppressing(finding) : nullptr;
    if (ignore != nullptr) {
      suppress(std::move(finding), report::Suppressed::Kind::kComment, ignore->reason);
      continue;
    }
    not_ignored.push_back(std::move(finding));
  }
  analysis.found = Baseline::of(not_ignored);
  if (known.older_analysis != nullptr) drop_older(not_ignored, *known.older_analysis);
  for (findings::Finding& finding : not_ignored) {
    if (known.baseline.contains(finding)) {
      suppress(std::move(finding), report::Suppressed::Kind::kBaseline, "");
    } else {
      report.findings.push_back(std::move(finding));
    }
  }
  // Last: rules read files as well.
  for (findings::Notification& notification : unreadable_input(repository)) {
    analysis.incomplete = true;
    report.notifications.push_back(std::move(notification));
  }
  findings::normalize(report.notifications);
  report.summary = summarize(repository, cells);
  report.summary.unevaluated = count_unevaluated(collector.take_unevaluated(), scope);
  report.summary.suppressed = suppressed;
  return analysis;
}

}  // namespace recipelint::app
