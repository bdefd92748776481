// Reads JSON Lines {"script", "env", ...} from standard input and writes for each what the
// evaluator says the script launches. The other half of compare_argv.py.
#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/launch/recognize.h"
#include "analyzer/shell/evaluate.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/source_store.h"

namespace {

using nlohmann::json;
using namespace recipelint;

json place(text::Span span) {
  if (!span.valid()) return nullptr;
  return span.file->path() + ":" + std::to_string(span.file->position(span.begin).line);
}

json word(const shell::Value& value) {
  return {
      {"text", value.text()}, {"known", value.is_known()}, {"at", place(value.origin().span())}};
}

json launch_json(const launch::Launch& launch) {
  json out = {{"program", launch.program},
              {"program_index", launch.program_index},
              {"engine", launch::to_string(launch.engine)},
              {"role", launch::to_string(launch.role)},
              {"certain", launch.certain},
              {"at", place(launch.span)}};
  for (const shell::Value& value : launch.argv) out["argv"].push_back(word(value));
  for (const auto& [name, value] : launch.environment) out["env"][name] = value.text();
  for (const launch::ConfigFile& file : launch.config_files) {
    out["config_files"][file.path] = file.content.text();
  }
  return out;
}

json result_json(const shell::Evaluation& result) {
  constexpr std::array<std::string_view, 4> kOutcomes = {"complete", "partial", "rejected",
                                                         "missing"};
  json out = {{"status", kOutcomes[static_cast<std::size_t>(result.outcome)]},
              {"steps", result.steps},
              {"worlds", result.most_worlds},
              {"launches", json::array()},
              {"ends", json::array()},
              {"diagnostics", json::array()}};
  for (const launch::Launch& launch : launch::launches_of(result)) {
    out["launches"].push_back(launch_json(launch));
  }
  for (const shell::WorldEnd& end : result.ends) {
    json assumptions = json::array();
    for (const shell::Assumption& a : end.assumptions) {
      assumptions.push_back({{"cause", a.cause}, {"outcome", a.outcome}, {"at", place(a.span)}});
    }
    out["ends"].push_back(
        {{"status", end.status.known ? json(end.status.value) : json(end.status.cause)},
         {"reason", end.reason},
         {"at", place(end.span)},
         {"executions", end.executions.size()},
         {"assumptions", assumptions}});
  }
  for (const shell::Diagnostic& diagnostic : result.diagnostics) {
    out["diagnostics"].push_back({{"kind", static_cast<int>(diagnostic.kind)},
                                  {"message", diagnostic.message},
                                  {"certain", diagnostic.certain},
                                  {"at", place(diagnostic.span)}});
  }
  return out;
}

shell::EvaluationInput input_of(const json& cell, shell::ScriptCache& scripts) {
  shell::EvaluationInput input;
  input.scripts = &scripts;
  input.script = cell.at("script");
  input.invoked_as = input.script;
  input.working_directory = cell.value("cwd", "/workspace");
  input.mounts = {{"/workspace", ""}, {"/ix", ""}};
  for (const auto& [name, value] : cell.at("env").items()) {
    input.environment.push_back({name, shell::Value::of(value.get<std::string>())});
  }
  input.wanted = [](std::span<const shell::Value> argv) {
    return launch::recognize(argv).has_value();
  };
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} ROOT < cells.jsonl\n", argv[0]);
    return 2;
  }
  const auto tree = text::DiskTree::open(argv[1]);
  if (!tree) {
    fmt::print(stderr, "{}\n", tree.error().message);
    return 3;
  }
  const bool quiet = argc > 2 && std::string_view(argv[2]) == "--quiet";
  text::SourceStore files(*tree);
  shell::ScriptCache scripts(files);
  std::string line;
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t steps = 0;
  while (std::getline(std::cin, line)) {
    const json cell = json::parse(line);
    const shell::EvaluationInput input = input_of(cell, scripts);
    text::OriginPool pool;
    const auto begin = std::chrono::steady_clock::now();
    const shell::Evaluation result = shell::evaluate(input, pool);
    steps += result.steps;
    if (quiet) continue;
    json out = result_json(result);
    out["microseconds"] = std::chrono::duration_cast<std::chrono::microseconds>(
                              std::chrono::steady_clock::now() - begin)
                              .count();
    fmt::print("{}\n", out.dump(-1, ' ', false, json::error_handler_t::replace));
  }
  fmt::print(stderr, "{} steps, {:.3f} s\n", steps,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return 0;
}
