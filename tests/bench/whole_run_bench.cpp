// Compares a whole run with the least that any reader of the same files must do: yaml-cpp's event
// parser with a handler that does nothing. Only the ratio of the two, taken in one run, says
// anything.
//
// RECIPELINT_BENCH_TREE names the repository to run on (default: the bundled demo).

#include <benchmark/benchmark.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/command_line.h"
#include "analyzer/layout/workspace.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

std::string tree() {
  const char* given = std::getenv("RECIPELINT_BENCH_TREE");
  return given != nullptr ? given : testing::source_dir() + "/fixtures/demo";
}

class IgnoreEvents final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// The YAML files that a default run parses; more are only glanced at.
std::set<std::string> parsed_files(const layout::Workspace& workspace) {
  std::set<std::string> paths;
  for (const layout::Site& site : workspace.sites()) {
    paths.insert(site.files.masters.begin(), site.files.masters.end());
    paths.insert({site.files.runners, site.files.ci_priority, site.files.changelog});
    for (const layout::SelectedRecipe& recipe : site.recipes) paths.insert(recipe.path);
  }
  for (const layout::SelectedRecipe& recipe : workspace.recipes()) paths.insert(recipe.path);
  paths.erase("");
  return paths;
}

std::vector<std::string> yaml_texts() {
  app::SharedOptions options;
  options.paths = {tree()};
  const auto repository = app::load_repository(options);
  std::vector<std::string> texts;
  for (const std::string& path : parsed_files(*repository->workspace)) {
    if (const auto file = repository->sources->load(path)) texts.emplace_back((*file)->bytes());
  }
  return texts;
}

// Functions of their own, so that a profiler can count one of them alone.
[[gnu::noinline]] void read_events(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    std::istringstream in(text);
    YAML::Parser parser(in);
    IgnoreEvents ignore;
    while (parser.HandleNextDocument(ignore)) {
    }
  }
}

[[gnu::noinline]] int check_whole_tree(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  return app::run(arguments, {in, out, err});
}

void BareYamlEvents(benchmark::State& state) {
  const auto texts = yaml_texts();
  for (auto iteration : state) read_events(texts);
}
BENCHMARK(BareYamlEvents)->Unit(benchmark::kMillisecond)->UseRealTime();

void WholeCheck(benchmark::State& state) {
  const std::vector<std::string> arguments = {"check",     tree(),
                                              "--format",  "sarif",
                                              "--fail-on", "never",
                                              "--ignore",  "shell,RL1001,RL1003,RL5005",
                                              "-j",        std::to_string(state.range(0))};
  for (auto iteration : state) benchmark::DoNotOptimize(check_whole_tree(arguments));
}
BENCHMARK(WholeCheck)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace recipelint
