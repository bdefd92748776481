// Compares a whole run with the least that any reader of the same files must do: tree-sitter's
// parser over the scripts and yaml-cpp's event parser, with a handler that does nothing, over the
// YAML. Only the ratio of the two, taken in one run, says anything.
//
// RECIPELINT_BENCH_TREE names the repository to run on (default: the bundled demo).

#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/app/command_line.h"
#include "tests/bench/allocations.h"
#include "tests/bench/bare_parsers.h"
#include "tests/bench/bench_tree.h"
#include "tests/bench/parsed_files.h"

namespace recipelint {
namespace {

/// The texts of the files that a default run parses.
struct Texts {
  std::vector<std::string> scripts;
  std::vector<std::string> yaml;
};

Texts parsed_texts() {
  Texts texts;
  for (const std::string& path : bench::parsed_files(bench::tree())) {
    std::ifstream in(bench::tree() + "/" + path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    (bench::is_script(path) ? texts.scripts : texts.yaml).push_back(text);
  }
  return texts;
}

// Functions of their own, so that a profiler can count one of them alone.
[[gnu::noinline]] void parse_floor(const Texts& texts) {
  for (const std::string& text : texts.yaml) bench::read_bare_yaml(text);
  for (const std::string& text : texts.scripts) {
    benchmark::DoNotOptimize(bench::parse_bare_script(text));
  }
}

[[gnu::noinline]] int check_whole_tree(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  return app::run(arguments, {in, out, err});
}

void Floor(benchmark::State& state) {
  const Texts texts = parsed_texts();
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) parse_floor(texts);
  std::size_t bytes = 0;
  for (const std::string& text : texts.scripts) bytes += text.size();
  for (const std::string& text : texts.yaml) bytes += text.size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}
BENCHMARK(Floor)->Unit(benchmark::kMillisecond)->UseRealTime();

void check(benchmark::State& state, std::vector<std::string> more) {
  std::vector<std::string> arguments = {"check",     bench::tree(), "--format", "sarif",
                                        "--fail-on", "never",       "-j"};
  arguments.push_back(std::to_string(state.range(0)));
  arguments.insert(arguments.end(), more.begin(), more.end());
  const bench::AllocationCount allocations(state);
  for (auto iteration : state) benchmark::DoNotOptimize(check_whole_tree(arguments));
}

void WholeCheck(benchmark::State& state) {
  check(state, {});
}
// The rules that look at the search space alone: no script is evaluated.
void CheckWithoutCells(benchmark::State& state) {
  check(state, {"--select", "schema"});
}
BENCHMARK(WholeCheck)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(CheckWithoutCells)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace recipelint
