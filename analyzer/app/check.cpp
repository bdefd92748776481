#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <istream>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/cell_filter.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/output.h"
#include "analyzer/app/progress.h"
#include "analyzer/app/pull_request.h"
#include "analyzer/app/read_anywhere.h"
#include "analyzer/app/revision.h"
#include "analyzer/app/watchdog.h"
#include "analyzer/report/report.h"

namespace recipelint::app {
namespace {

report::Color color_for(ColorChoice choice, const Streams& streams) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool automatic = streams.out_is_terminal && !refused;
  const bool wanted = choice == ColorChoice::kAlways || (choice == ColorChoice::kAuto && automatic);
  return wanted ? report::Color::kAlways : report::Color::kNever;
}

/// Writes every requested document; the first failure is kept, the others are still written.
std::optional<text::Error> write_documents(const CheckOptions& options, const Analysis& analysis,
                                           const Streams& streams) {
  std::optional<text::Error> failure;
  for (const OutputRequest& request : options.outputs) {
    const report::Format* format = report::find_format(request.format);
    report::TextOptions text_options;
    text_options.summary = !options.shared.quiet;
    if (request.file.empty()) {
      text_options.color = color_for(options.shared.color, streams);
      format->write(analysis.report, text_options, streams.out);
      continue;
    }
    auto error = write_file(request.file, [&](std::ostream& out) {
      format->write(analysis.report, text_options, out);
    });
    if (error && !failure) failure = std::move(error);
  }
  return failure;
}

bool fails(const CheckOptions& options, const Configuration& configuration,
           const report::Report& report) {
  const Configuration::Level lowest = options.fail_on.value_or(
      configuration.fail_on.value_or(Configuration::Level(findings::Level::kWarning)));
  return lowest && std::any_of(report.findings.begin(), report.findings.end(),
                               [&](const findings::Finding& f) { return f.level >= *lowest; });
}

void say_what_was_not_concerned(const Analysis& analysis, const Streams& streams) {
  for (const std::string& path : analysis.unaffecting) {
    streams.err << "recipelint: '" << path << "' takes part in no cell; nothing to check\n";
  }
}

/// Takes the content of --stdin-file from standard input. Without a PATH, the file is the PATH.
std::optional<text::Error> read_standard_input(CheckOptions& options, const Streams& streams) {
  if (options.stdin_file.empty()) return std::nullopt;
  std::string bytes;
  std::array<char, 1u << 16u> buffer{};
  while (streams.in.read(buffer.data(), std::ssize(buffer)) || streams.in.gcount() > 0) {
    bytes.append(buffer.data(), static_cast<std::size_t>(streams.in.gcount()));
    if (bytes.size() > text::DiskTree::kLargestFileBytes) {
      return text::Error{fmt::format("standard input has more bytes than the limit of {}",
                                     text::DiskTree::kLargestFileBytes),
                         {}};
    }
  }
  if (options.shared.paths.empty()) options.shared.paths.push_back(options.stdin_file);
  options.shared.replacement = {options.stdin_file, std::move(bytes)};
  return std::nullopt;
}

/// The baseline of the command line, else the one that the configuration names.
text::Result<Baseline> load_baseline(const CheckOptions& options,
                                     const LoadedRepository& repository) {
  const std::string& configured = repository.configuration.baseline;
  const bool named = !options.baseline.empty();
  if (!named && configured.empty()) return Baseline();
  const std::string& path = named ? options.baseline : configured;
  const auto bytes = named ? read_anywhere(path) : repository.tree->read(path);
  if (!bytes) {
    return text::Error{fmt::format("{}; --write-baseline makes a baseline", bytes.error().message),
                       {}};
  }
  return Baseline::parse(*bytes, path);
}

/// Whether all of the repository is asked for.
bool is_whole(const LoadedRepository& repository) {
  const std::vector<std::string>& named = repository.named;
  return named.empty() || std::find(named.begin(), named.end(), "") != named.end();
}

/// A baseline that exists only loses what is gone: a new finding is to be repaired, not added.
std::optional<text::Error> write_baseline(const CheckOptions& options, const Analysis& analysis) {
  const std::string& path = options.write_baseline;
  if (path.empty()) return std::nullopt;
  Baseline baseline = analysis.found;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    const auto bytes = read_anywhere(path);
    if (!bytes) return bytes.error();
    const auto before = Baseline::parse(*bytes, path);
    if (!before) return before.error();
    baseline = before->tightened_to(baseline);
  }
  return write_file(path, [&](std::ostream& out) { baseline.write(out); });
}

/// The older revision and what the rules say about it.
struct Older {
  std::unique_ptr<Revision> revision;
  Analysis analysis;

  Known known(const Baseline& baseline) const {
    if (!revision) return {baseline};
    return {baseline, &revision->repository, &analysis};
  }
};

/// Judges the revision of --diff-base: all of it, by the same rules, with its own comments.
text::Result<Older> judge_older(const CheckOptions& given, const LoadedRepository& repository,
                                const rules::Selection& selection, const facts::Catalog& facts) {
  Older older;
  if (given.diff_base.empty()) return older;
  auto revision = load_revision(repository, given);
  if (!revision) return revision.error();
  older.revision = std::move(*revision);
  CheckOptions options = given;
  options.show_suppressed = false;
  const LoadedRepository& old = older.revision->repository;
  if (recognised(*old.workspace)) {
    older.analysis = analyse(old, options, selection, facts, {Baseline()}, {});
  }
  const auto unreadable = unreadable_input(old);
  if (unreadable.empty()) return older;
  return text::Error{
      fmt::format("--diff-base '{}': {}", given.diff_base, unreadable.front().message), {}};
}

bool asks_for_sarif(const CheckOptions& options) {
  return std::any_of(options.outputs.begin(), options.outputs.end(),
                     [](const OutputRequest& request) { return request.format == "sarif"; });
}

void say_how_long_it_took(const CheckOptions& options, const LoadedRepository& repository,
                          std::chrono::steady_clock::time_point start, const Streams& streams) {
  if (!options.shared.verbose) return;
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  streams.err << fmt::format("recipelint: {} files, {} bytes, {:.0f} ms\n",
                             repository.sources->file_count(), repository.sources->byte_count(),
                             taken.count());
}

}  // namespace

int run_check(const CheckOptions& given, const Streams& streams) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Watchdog> watchdog(std::in_place, std::chrono::duration<double>(given.max_seconds),
                                   given.max_memory_mib);
  std::optional<Progress> progress(std::in_place, streams);
  const auto fail = [&](const text::Error& error) {
    progress.reset();
    return usage_failure(error, streams);
  };
  CheckOptions options = given;
  if (auto error = read_standard_input(options, streams)) return fail(*error);
  const auto selection = rules::Selection::make(options.select, options.ignore);
  if (!selection) return fail(selection.error());
  const auto repository = load_repository(options.shared);
  if (!repository) return fail(repository.error());
  if (!options.shared.cell.empty() && repository->workspace->has_search_space()) {
    return fail(
        {"'check' judges all cells of a search space; with --set, --image, --gpu or "
         "--model, --cell describes the run of a script",
         {}});
  }
  const auto unmatched = keys_that_match_nothing(options.shared, *repository->workspace);
  if (!unmatched.empty() && unreadable_input(*repository).empty()) {
    return fail(
        {fmt::format("no key matches --keys '{}'; see: recipelint cells", unmatched[0]), {}});
  }
  if (!options.write_baseline.empty() && !is_whole(*repository)) {
    return fail({"--write-baseline needs a whole run: name no files or folders", {}});
  }
  const auto facts = load_facts(*repository);
  if (!facts) return fail(facts.error());
  const auto baseline = load_baseline(options, *repository);
  if (!baseline) return fail(baseline.error());

  const auto pull_request = read_pull_request(options, repository->root);
  if (!pull_request) return fail(pull_request.error());

  const auto older = judge_older(options, *repository, *selection, **facts);
  if (!older) return fail(older.error());
  Analysis analysis =
      analyse(*repository, options, *selection, **facts, older->known(*baseline), *pull_request);
  if (asks_for_sarif(options)) {
    analysis.report.version_control = version_control_of(repository->root);
  }
  watchdog.reset();
  progress.reset();
  if (older->revision) streams.err << older->revision->note;
  if (auto error = write_documents(options, analysis, streams)) {
    return fail(*error);
  }
  if (!analysis.incomplete) {
    if (auto error = write_baseline(options, analysis)) return fail(*error);
  }
  say_what_was_not_concerned(analysis, streams);
  say_how_long_it_took(options, *repository, start, streams);
  if (analysis.incomplete) return kUnreadable;
  return fails(options, repository->configuration, analysis.report) ? kFindings : kClean;
}

}  // namespace recipelint::app
