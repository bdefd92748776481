#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/facts/split.h"
#include "analyzer/launch/documents.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/decode.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/text_with_holes.h"

namespace recipelint::fuzz {

/// What a target says about its engine.
struct EngineInput {
  launch::Engine engine = launch::Engine::kOther;
  std::span<const std::string_view> program;
  std::string_view repository;
  std::span<const std::string_view> tags;
};

inline void demand_sense(const serving::ServerConfig& config) {
  for (const auto& problem : config.problems) {
    demand(!problem.message.empty(), "a problem has a message");
  }
  for (const auto& capture : config.captures) {
    for (std::size_t i = 1; i < capture.sizes.size(); ++i) {
      demand(capture.sizes[i - 1] <= capture.sizes[i], "captured sizes are sorted");
    }
  }
  static_cast<void>(serving::describe(config));
}

/// Decodes a command line: the first byte chooses the version and the GPU, then come the words, one
/// a line; after a line "%" the environment as NAME=VALUE lines, and after another one the file
/// c.yaml.
inline void decode_launch(std::string_view input, const EngineInput& engine) {
  static const facts::Catalog catalog;
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input.front());
  const auto parts = parts_of(input.substr(1), 3);
  launch::Launch launch;
  launch.engine = engine.engine;
  for (const auto word : engine.program) {
    launch.argv.push_back(shell::Value::of(std::string(word)));
    launch.program += (launch.program.empty() ? "" : " ") + std::string(word);
  }
  launch.arguments_index = launch.argv.size();
  for (const auto word : facts::split(parts[0], '\n')) {
    launch.argv.push_back(text_with_holes(word));
  }
  for (const auto line : facts::split(parts[1], '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    launch.environment[std::string(line.substr(0, equals))] =
        text_with_holes(line.substr(equals + 1));
  }
  launch.config_files.push_back({"c.yaml", text_with_holes(parts[2])});
  serving::Situation situation;
  const auto image =
      std::string(engine.repository) + ":" + std::string(engine.tags[choice % engine.tags.size()]);
  situation.version = catalog.version_of(image, to_string(engine.engine));
  constexpr std::array<std::string_view, 4> kGpus = {"b200", "", "mi355x", "h200"};
  situation.gpu = catalog.models().find_gpu(kGpus[choice / 16u % kGpus.size()]);
  const auto config = serving::decode(launch, situation, catalog);
  if (config) demand_sense(*config);
  for (const auto& document : launch::invalid_documents(launch)) {
    demand(!document.problem.empty(), "an invalid document says why");
  }
}

}  // namespace recipelint::fuzz
