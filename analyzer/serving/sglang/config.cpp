#include "analyzer/serving/sglang/config.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "analyzer/serving/launch_context.h"
#include "analyzer/serving/sglang/conflicts.h"
#include "analyzer/serving/sglang/decoding.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::sglang {
namespace {

/// Reads a launch part by part. Later parts use earlier ones.
class Decoder {
 public:
  Decoder(const launch::Launch& launch, const Situation& situation, const facts::Catalog& catalog)
      : decoding_{launch, situation, catalog,
                  TurningPoints("sglang", situation.version, catalog.versions()),
                  Arguments::parse(launch.argv, first_argument(launch), frontend_of(launch.program),
                                   situation.version, catalog)} {}

  ServerConfig run() {
    config_.engine = launch::Engine::kSglang;
    config_.version = decoding_.situation.version;
    decoding_.phase = phase();
    read_model();
    read_parallelism(decoding_, config_);
    read_speculation(decoding_, config_);
    read_limits(decoding_, config_);
    read_cache(decoding_, config_);
    config_.environment = read_environment(*decoding_.catalog.vocabulary("sglang"),
                                           decoding_.launch, decoding_.situation);
    plan_capture(decoding_, config_);
    collect_problems();
    return std::move(config_);
  }

 private:
  Phase phase() const {
    const auto mode = decoding_.arguments.string("--disaggregation-mode");
    if (mode.value == "prefill") return Phase::kPrefill;
    if (mode.value == "decode") return Phase::kDecode;
    if (mode.value) return Phase::kBoth;
    switch (decoding_.launch.role) {
      case launch::Role::kPrefill:
        return Phase::kPrefill;
      case launch::Role::kDecode:
        return Phase::kDecode;
      default:
        return Phase::kBoth;
    }
  }

  void read_model() {
    config_.model = decoding_.arguments.string("--model-path");
    decoding_.model = decoding_.situation.model;
    if (decoding_.model == nullptr && config_.model.value) {
      decoding_.model = decoding_.catalog.models().find_model(*config_.model.value);
    }
    config_.host = or_default(decoding_.arguments.string("--host"), std::string("127.0.0.1"));
    config_.port = or_default(decoding_.arguments.integer("--port"), std::int64_t{30000});
  }

  void collect_problems() {
    config_.problems = decoding_.arguments.problems();
    VocabularyCheck check(*decoding_.catalog.vocabulary("sglang"), decoding_.situation.version,
                          decoding_.catalog.versions(), decoding_.arguments.words());
    check_conflicts(decoding_, config_, check);
    for (const auto& [name, value] : decoding_.launch.environment) {
      if (name.starts_with("SGLANG_")) check.check_variable(name, value.origin().span());
    }
    for (Problem& problem : check.take()) config_.problems.push_back(std::move(problem));
    std::ranges::stable_sort(config_.problems, [](const Problem& a, const Problem& b) {
      constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
      return a.word.value_or(kLast) < b.word.value_or(kLast);
    });
  }

  Decoding decoding_;
  ServerConfig config_;
};

}  // namespace

std::optional<std::int64_t> Decoding::gpu_gib() const {
  constexpr std::int64_t kGib = std::int64_t{1} << 30;
  if (situation.gpu == nullptr) return std::nullopt;
  return situation.gpu->bytes / kGib;
}

ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog) {
  return Decoder(launch, situation, catalog).run();
}

}  // namespace recipelint::serving::sglang
