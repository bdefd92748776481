#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ostream>
#include <string>

#include "analyzer/app/analysis.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/output.h"
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

bool fails(const CheckOptions& options, const report::Report& report) {
  return options.fail_on &&
         std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const findings::Finding& f) { return f.level >= *options.fail_on; });
}

void say_what_was_not_concerned(const Analysis& analysis, const Streams& streams) {
  for (const std::string& path : analysis.unaffecting) {
    streams.err << "recipelint: '" << path << "' takes part in no cell; nothing to check\n";
  }
}

}  // namespace

int run_check(const CheckOptions& options, const Streams& streams) {
  const auto start = std::chrono::steady_clock::now();
  const auto selection = rules::Selection::make(options.select, options.ignore);
  if (!selection) return usage_failure(selection.error(), streams);
  const auto repository = load_repository(options.shared);
  if (!repository) return usage_failure(repository.error(), streams);
  if (!options.shared.cell.empty() && !repository->workspace->sites().empty()) {
    return usage_failure(
        {"'check' judges all cells of a search space; with --set, --image, --gpu or "
         "--model, --cell describes the run of a script",
         {}},
        streams);
  }

  const facts::Catalog facts;
  const Analysis analysis = analyse(*repository, options, *selection, facts);
  if (auto error = write_documents(options, analysis, streams)) {
    return usage_failure(*error, streams);
  }
  say_what_was_not_concerned(analysis, streams);
  if (options.shared.verbose) {
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    streams.err << fmt::format("recipelint: {} files, {} bytes, {:.0f} ms\n",
                               repository->sources->file_count(), repository->sources->byte_count(),
                               taken.count());
  }
  if (analysis.incomplete) return kUnreadable;
  return fails(options, analysis.report) ? kFindings : kClean;
}

}  // namespace recipelint::app
