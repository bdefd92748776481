#include "analyzer/facts/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "analyzer/facts/embedded.h"
#include "analyzer/facts/fact_reader.h"
#include "analyzer/yaml/document.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::string_view, 4> kEngines = {"vllm", "sglang", "trtllm", "atom"};

/// The embedded files are part of the program: a broken one is a defect of the build, which the
/// tests catch, and nothing that a run could report or survive.
[[noreturn]] void broken(std::string_view file, const text::Error& error) {
  fmt::print(stderr, "the embedded data file {} is broken: {}\n", file, error.message);
  std::abort();
}

template <typename Facts>
std::unique_ptr<Facts> read_embedded(std::string_view name) {
  const text::SourceFile file{std::string(name), std::string(embedded_data(name))};
  const auto document = yaml::Document::parse(file);
  if (!document) broken(name, document.error());
  auto facts = std::make_unique<Facts>();
  if (const auto error = facts->add((*document)->root())) broken(name, *error);
  return facts;
}

}  // namespace

Catalog::Catalog() = default;
Catalog::~Catalog() = default;

const ImageFacts& Catalog::images() const {
  std::call_once(images_once_, [this] { images_ = read_embedded<ImageFacts>("images.yaml"); });
  return *images_;
}

const BuildFacts& Catalog::builds() const {
  std::call_once(builds_once_, [this] { builds_ = read_embedded<BuildFacts>("builds.yaml"); });
  return *builds_;
}

const VersionFacts& Catalog::versions() const {
  std::call_once(versions_once_, [this] {
    auto facts =
        VersionFacts::read(embedded_data("engine_releases.tsv"),
                           embedded_data("engine_changes.tsv"), embedded_data("engine_matrix.tsv"));
    if (!facts) broken("engine_*.tsv", facts.error());
    versions_ = std::make_unique<VersionFacts>(std::move(facts).value());
  });
  return *versions_;
}

const Vocabulary* Catalog::vocabulary(std::string_view engine) const {
  const auto found = std::find(kEngines.begin(), kEngines.end(), engine);
  if (found == kEngines.end()) return nullptr;
  const auto index = static_cast<std::size_t>(found - kEngines.begin());
  std::call_once(vocabularies_once_[index], [&] {
    const auto table = [&](std::string_view topic) {
      return embedded_data(fmt::format("{}_{}.tsv", engine, topic));
    };
    if (table("flags").empty()) return;
    auto words = Vocabulary::read(*found, table("flags"), table("keys"), table("envs"));
    if (!words) broken(fmt::format("{}_*.tsv", engine), words.error());
    vocabularies_[index] = std::make_unique<Vocabulary>(std::move(words).value());
  });
  return vocabularies_[index].get();
}

const ModelFacts& Catalog::models() const {
  std::call_once(models_once_, [this] {
    auto facts = ModelFacts::read(embedded_data("model_families.tsv"), embedded_data("models.tsv"),
                                  embedded_data("gpus.tsv"));
    if (!facts) broken("models.tsv", facts.error());
    models_ = std::make_unique<ModelFacts>(std::move(facts).value());
  });
  return *models_;
}

EngineVersion Catalog::version_of(std::string_view image, std::string_view engine) const {
  return versions().version_of(images().classify(image), engine, builds());
}

text::Result<std::unique_ptr<const Catalog>> Catalog::with_overrides(const text::SourceFile& file) {
  const auto document = yaml::Document::parse(file);
  if (!document) return document.error();
  const auto root = (*document)->root();
  FactReader fields;
  fields.mapping(root, {"images", "builds"});
  if (!fields.ok()) return *fields.error();
  auto catalog = std::make_unique<Catalog>();
  catalog->images();
  catalog->builds();
  if (const auto images = root.find("images")) {
    if (auto error = catalog->images_->add(images)) return *std::move(error);
  }
  if (const auto builds = root.find("builds")) {
    if (auto error = catalog->builds_->add(builds)) return *std::move(error);
  }
  return std::unique_ptr<const Catalog>(std::move(catalog));
}

}  // namespace recipelint::facts
