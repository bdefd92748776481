// What each stage of a run costs, on the repository that RECIPELINT_BENCH_TREE names.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/baseline.h"
#include "analyzer/app/pull_request.h"
#include "analyzer/facts/catalog.h"
#include "analyzer/findings/collect.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/report/report.h"
#include "analyzer/serving/servers.h"
#include "analyzer/shell/parse.h"
#include "analyzer/yaml/document.h"
#include "rules/rule.h"
#include "rules/selection.h"
#include "tests/bench/allocations.h"
#include "tests/bench/bare_parsers.h"
#include "tests/bench/bench_tree.h"
#include "tests/bench/parsed_files.h"

namespace recipelint {
namespace {

app::LoadedRepository load() {
  app::SharedOptions options;
  options.paths = {bench::tree()};
  options.threads = 1;
  return std::move(app::load_repository(options)).value();
}

double as_double(std::size_t count) {
  return static_cast<double>(count);
}

enum class Files : std::uint8_t { kScripts, kYaml };

std::vector<const text::SourceFile*> parsed(const app::LoadedRepository& repository, Files files) {
  std::vector<const text::SourceFile*> found;
  for (const std::string& path : bench::parsed_files(bench::tree())) {
    if (bench::is_script(path) != (files == Files::kScripts)) continue;
    if (const auto file = repository.sources->load(path)) found.push_back(*file);
  }
  return found;
}

void count_bytes(benchmark::State& state, const std::vector<const text::SourceFile*>& files) {
  std::size_t bytes = 0;
  for (const text::SourceFile* file : files) bytes += file->bytes().size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["files"] = as_double(files.size());
}

void ParseScripts(benchmark::State& state) {
  const auto repository = load();
  const auto files = parsed(repository, Files::kScripts);
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    for (const text::SourceFile* file : files) {
      benchmark::DoNotOptimize(shell::parse_script(*file));
    }
  }
  count_bytes(state, files);
}

void ReadYaml(benchmark::State& state) {
  const auto repository = load();
  const auto files = parsed(repository, Files::kYaml);
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    for (const text::SourceFile* file : files) {
      benchmark::DoNotOptimize(yaml::Document::parse(*file));
    }
  }
  count_bytes(state, files);
}

// Finding the files, reading the search space, expanding its rows, and which script each runs.
void ExpandSearchSpace(benchmark::State& state) {
  std::size_t rows = 0;
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    const auto repository = load();
    rows = 0;
    for (const layout::Site& site : repository.workspace->sites()) rows += site.matrix.size();
  }
  state.counters["rows"] = as_double(rows);
}

void EvaluateCells(benchmark::State& state) {
  const auto repository = load();
  const facts::Catalog facts;
  std::size_t cells = 0;
  std::size_t launches = 0;
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    const layout::CellResults results(*repository.workspace, facts, 1);
    cells = results.all().size();
    launches = 0;
    for (const layout::EvaluatedCell& cell : results.all()) {
      launches += cell.launches->launches.size();
    }
  }
  state.counters["cells"] = as_double(cells);
  state.counters["launches"] = as_double(launches);
}

void DecodeServers(benchmark::State& state) {
  const auto repository = load();
  const facts::Catalog facts;
  const layout::CellResults cells(*repository.workspace, facts, 1);
  static_cast<void>(cells.all());
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    const serving::Servers servers(cells, facts, 1);
    benchmark::DoNotOptimize(servers.all().size());
  }
  state.counters["cells"] = as_double(cells.all().size());
}

void RunRules(benchmark::State& state) {
  const auto repository = load();
  const facts::Catalog facts;
  const layout::CellResults cells(*repository.workspace, facts, 1);
  const serving::Servers servers(cells, facts, 1);
  static_cast<void>(servers.all());
  const rules::RuleOptions options;
  const rules::RuleContext context{*repository.workspace, cells, servers, facts, options};
  std::size_t findings = 0;
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    findings::Collector collector;
    for (const rules::Rule& rule : rules::catalog()) {
      if (rule.run != nullptr) rule.run(context, collector);
    }
    findings = collector.take().size();
  }
  state.counters["findings"] = as_double(findings);
}

void WriteReport(benchmark::State& state, const std::string& format) {
  const auto repository = load();
  const facts::Catalog facts;
  app::CheckOptions options;
  options.shared.threads = 1;
  options.shared.paths = {bench::tree()};
  const auto analysis = app::analyse(repository, options, rules::Selection::make({}, {}).value(),
                                     facts, {app::Baseline()}, {});
  const report::Format* writer = report::find_format(format);
  std::size_t bytes = 0;
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) {
    std::ostringstream out;
    writer->write(analysis.report, {}, out);
    bytes = out.str().size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

BENCHMARK(ParseScripts)->Unit(benchmark::kMillisecond);
BENCHMARK(ReadYaml)->Unit(benchmark::kMillisecond);
BENCHMARK(ExpandSearchSpace)->Unit(benchmark::kMillisecond);
BENCHMARK(EvaluateCells)->Unit(benchmark::kMillisecond);
BENCHMARK(DecodeServers)->Unit(benchmark::kMillisecond);
BENCHMARK(RunRules)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteReport, text, "text")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteReport, json, "json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteReport, sarif, "sarif")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace recipelint
