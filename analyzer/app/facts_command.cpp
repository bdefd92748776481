#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>

#include "analyzer/app/commands.h"
#include "analyzer/app/facts_topics.h"

namespace recipelint::app {
namespace {

std::string topic_names() {
  std::string names;
  for (const FactsTopic& topic : facts_topics()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", topic.name);
  }
  return names;
}

}  // namespace

std::span<const FactsTopic> facts_topics() {
  static constexpr std::array kTopics = {
      FactsTopic{"engines", "releases of the engines, and what changed in them",
                 print_engine_facts},
      FactsTopic{"flags", "options and variables of the engines, and since when they are there",
                 print_flag_facts},
      FactsTopic{"gpus", "memory and architecture of the GPUs", print_gpu_facts},
      FactsTopic{"images", "who publishes container images, and what becomes of their tags",
                 print_image_facts},
      FactsTopic{"models", "shape and size of the models", print_model_facts},
  };
  return kTopics;
}

std::span<const std::string_view> fact_engines() {
  static constexpr std::array<std::string_view, 4> kEngines = {"vllm", "sglang", "trtllm", "atom"};
  return kEngines;
}

int run_facts(const FactsOptions& options, const Streams& streams) {
  const auto topics = facts_topics();
  if (options.topic.empty()) {
    for (const FactsTopic& topic : topics) {
      streams.out << fmt::format("{:<9} {}\n", topic.name, topic.summary);
    }
    return kClean;
  }
  const auto topic = std::ranges::find(topics, options.topic, &FactsTopic::name);
  if (topic == topics.end()) {
    return usage_failure(
        {fmt::format("there are no facts about '{}'; topics: {}", options.topic, topic_names()),
         {}},
        streams);
  }
  const facts::Catalog facts;
  if (topic->print(facts, options.name, streams.out)) return kClean;
  return usage_failure({fmt::format("there is no '{}' among the facts about {}; 'recipelint facts "
                                    "{}' lists them all",
                                    options.name, topic->name, topic->name),
                        {}},
                       streams);
}

}  // namespace recipelint::app
