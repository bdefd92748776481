#include "rules/graph_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/serving/what_if.h"

namespace recipelint::rules {
namespace {

using launch::Engine;
using serving::Capture;
using serving::ServerConfig;

/// The options of an engine that decide what is captured.
struct GraphOptions {
  Engine engine;
  std::string_view maximum;      // empty if there is none
  std::string_view maximum_key;  // in the object that can hold it; empty if there is none
  std::string_view sizes;
  std::string_view sequences;
  bool sizes_in_brackets;  // one word "[1,2]" rather than several words
};

constexpr GraphOptions kOptions[] = {
    {Engine::kVllm, "--max-cudagraph-capture-size", "max_cudagraph_capture_size",
     "--cudagraph-capture-sizes", "--max-num-seqs", false},
    {Engine::kSglang, "--cuda-graph-max-bs", "", "", "", false},
    {Engine::kAtom, "", "", "--cudagraph-capture-sizes", "--max-num-seqs", true},
};

/// Longer lists are no remedy that anybody would type.
constexpr std::size_t kLongestList = 24;
constexpr std::int64_t kTries = 16;

/// Looks for changes that pass.
class Search {
 public:
  Search(const RuleContext& context, const serving::CellServers& cell,
         const serving::Server& server, const DecodeDemand& demand, std::int64_t sequences)
      : context_(context),
        cell_(cell),
        server_(server),
        demand_(demand),
        target_(sequences),
        options_(std::ranges::find(kOptions, server.config.engine, &GraphOptions::engine)) {}

  std::vector<std::string> run(std::int64_t least_sequences) {
    if (server_.config.engine == Engine::kTensorRtLlm) try_document();
    if (options_ == std::end(kOptions)) return std::move(remedies_);
    try_maximum();
    try_list();
    try_sequences(least_sequences);
    return std::move(remedies_);
  }

 private:
  std::int64_t width() const {
    const bool tokens = !server_.config.captures.empty() &&
                        server_.config.captures.front().unit == Capture::Unit::kTokens;
    return tokens ? demand_.width : 1;
  }

  bool passes(const launch::Launch& launch, std::int64_t sequences) const {
    const auto config = serving::decode_in(launch, cell_.setup, context_.facts);
    if (!config || !covers(*config, sequences)) return false;
    // A change must not make the engine refuse what it took before.
    return refusals(*config) <= refusals(server_.config);
  }

  static std::int64_t refusals(const ServerConfig& config) {
    return std::ranges::count(config.problems, serving::Severity::kError,
                              &serving::Problem::severity);
  }

  /// The maximum, rounded up to what the ladder of sizes holds.
  void try_maximum() {
    if (options_->maximum.empty()) return;
    const std::int64_t needed = target_ * width();
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{8}, std::int64_t{16}}) {
      const std::int64_t size = (needed + step - 1) / step * step;
      if (try_maximum(size)) return;
    }
  }

  bool try_maximum(std::int64_t size) {
    const std::string number = std::to_string(size);
    if (passes(serving::with_words(*server_.launch, {std::string(options_->maximum), number}),
               target_)) {
      remedies_.push_back(fmt::format("Use '{} {}'.", options_->maximum, number));
      return true;
    }
    const auto& word = server_.config.graphs.maximum.word;
    if (!word || options_->maximum_key.empty()) return false;
    const auto changed = serving::with_key(*server_.launch, *word, options_->maximum_key, number);
    if (!changed || !passes(*changed, target_)) return false;
    remedies_.push_back(fmt::format("Set the key '{}' to {}.", options_->maximum_key, number));
    return true;
  }

  /// TensorRT-LLM takes its graph settings from a document only.
  void try_document() {
    const std::string line =
        fmt::format("cuda_graph_config: {{enable_padding: true, max_batch_size: {}}}", target_);
    const auto changed = serving::with_line(*server_.launch, line);
    if (!changed || !passes(*changed, target_)) return;
    remedies_.push_back(fmt::format("Write '{}' in the configuration of the engine.", line));
  }

  /// Powers of two of sequences, and the target itself.
  std::vector<std::int64_t> sizes() const {
    std::vector<std::int64_t> sizes;
    for (std::int64_t n = 1; n < target_; n *= 2) sizes.push_back(n * width());
    sizes.push_back(target_ * width());
    return sizes;
  }

  void try_list() {
    const auto list = sizes();
    if (options_->sizes.empty() || list.size() > kLongestList) return;
    std::vector<std::string> words = {std::string(options_->sizes)};
    std::string shown;
    for (const std::int64_t size : list) {
      if (!options_->sizes_in_brackets) words.push_back(std::to_string(size));
      shown += fmt::format("{}{}",
                           shown.empty()                 ? ""
                           : options_->sizes_in_brackets ? ","
                                                         : " ",
                           size);
    }
    if (options_->sizes_in_brackets) {
      shown = fmt::format("[{}]", shown);
      words.push_back(shown);
    }
    if (!passes(serving::with_words(*server_.launch, words), target_)) return;
    remedies_.push_back(fmt::format("Use '{} {}'.", options_->sizes, shown));
  }

  /// The nearest limit of sequences that is covered as a whole.
  void try_sequences(std::int64_t least) {
    if (options_->sequences.empty() || target_ < demand_.capacity) return;
    const auto& captures = server_.config.captures;
    std::int64_t most = 0;
    for (const Capture& capture : captures) most = std::max(most, capture.covered());
    for (std::int64_t s = most; s > most - kTries && s >= std::max<std::int64_t>(least, 1); --s) {
      const std::vector<std::string> words = {std::string(options_->sequences), std::to_string(s)};
      if (!passes(serving::with_words(*server_.launch, words), s)) continue;
      remedies_.push_back(fmt::format("Use '{} {}'.", options_->sequences, s));
      return;
    }
  }

  const RuleContext& context_;
  const serving::CellServers& cell_;
  const serving::Server& server_;
  const DecodeDemand& demand_;
  const std::int64_t target_;
  const GraphOptions* const options_;
  std::vector<std::string> remedies_;
};

}  // namespace

bool covers(const ServerConfig& config, std::int64_t sequences) {
  return std::ranges::any_of(config.captures, [&](const Capture& capture) {
    return capture.failure == Capture::Failure::kNone && capture.covered() >= sequences;
  });
}

std::vector<std::string> graph_remedies(const RuleContext& context,
                                        const serving::CellServers& cell,
                                        const serving::Server& server, const DecodeDemand& demand,
                                        std::int64_t sequences, std::int64_t least_sequences) {
  return Search(context, cell, server, demand, sequences).run(least_sequences);
}

}  // namespace recipelint::rules
