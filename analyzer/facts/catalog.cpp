#include "analyzer/facts/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "analyzer/facts/embedded.h"
#include "analyzer/facts/fact_reader.h"
#include "analyzer/yaml/document.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::string_view, 4> kEngines = {"vllm", "sglang", "trtllm", "atom"};

/// A table of data/, without what its rows mean.
struct TableShape {
  std::string_view name;
  std::size_t columns;
  std::size_t keys;  // columns that make a row what it is
};

constexpr std::array<TableShape, 8> kTables = {{
    {"engine_changes", VersionFacts::kChangeColumns, VersionFacts::kChangeKeys},
    {"engine_matrix", VersionFacts::kMatrixColumns, VersionFacts::kMatrixKeys},
    {"engine_releases", VersionFacts::kReleaseColumns, VersionFacts::kReleaseKeys},
    {"gpus", ModelFacts::kGpuColumns, ModelFacts::kKeys},
    {"memory_measurements", MemoryFacts::kMeasurementColumns, MemoryFacts::kMeasurementKeys},
    {"model_families", ModelFacts::kFamilyColumns, ModelFacts::kKeys},
    {"models", ModelFacts::kModelColumns, ModelFacts::kKeys},
    {"weight_formats", MemoryFacts::kFormatColumns, MemoryFacts::kFormatKeys},
}};

/// Of each engine, after "<engine>_".
constexpr std::array<TableShape, 3> kVocabularyTables = {{
    {"envs", Vocabulary::kVariableColumns, Vocabulary::kVariableKeys},
    {"flags", Vocabulary::kFlagColumns, Vocabulary::kFlagKeys},
    {"keys", Vocabulary::kKeyColumns, Vocabulary::kKeyKeys},
}};

std::optional<TableShape> shape_of(std::string_view name) {
  for (const TableShape& shape : kTables) {
    if (shape.name == name) return shape;
  }
  for (const auto engine : kEngines) {
    if (!name.starts_with(engine) || name.substr(engine.size()).empty()) continue;
    for (const TableShape& shape : kVocabularyTables) {
      if (name.substr(engine.size() + 1) == shape.name) return shape;
    }
  }
  return std::nullopt;
}

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

template <typename Facts>
std::unique_ptr<Facts> checked(text::Result<Facts> facts, std::string_view name) {
  if (!facts) broken(name, facts.error());
  return std::make_unique<Facts>(std::move(facts).value());
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

text::Result<Table> Catalog::table(std::string_view name) const {
  const TableShape shape = shape_of(name).value();
  auto embedded = Table::parse(embedded_data(fmt::format("{}.tsv", name)), shape.columns);
  if (!embedded) broken(name, embedded.error());
  const auto found = overrides_.find(name);
  if (found == overrides_.end()) return embedded;
  const auto override_rows = Table::parse(found->second, shape.columns);
  if (!override_rows) return override_rows.error();
  embedded.value().put_first(*override_rows, shape.keys);
  return embedded;
}

text::Result<VersionFacts> Catalog::read_versions() const {
  auto releases = table("engine_releases");
  auto changes = table("engine_changes");
  auto matrix = table("engine_matrix");
  for (const auto* each : {&releases, &changes, &matrix}) {
    if (!*each) return each->error();
  }
  return VersionFacts::read(std::move(releases).value(), std::move(changes).value(),
                            std::move(matrix).value());
}

text::Result<Vocabulary> Catalog::read_vocabulary(std::string_view engine) const {
  auto flags = table(fmt::format("{}_flags", engine));
  auto keys = table(fmt::format("{}_keys", engine));
  auto environment = table(fmt::format("{}_envs", engine));
  for (const auto* each : {&flags, &keys, &environment}) {
    if (!*each) return each->error();
  }
  return Vocabulary::read(engine, std::move(flags).value(), std::move(keys).value(),
                          std::move(environment).value());
}

text::Result<ModelFacts> Catalog::read_models() const {
  auto families = table("model_families");
  auto models = table("models");
  auto gpus = table("gpus");
  for (const auto* each : {&families, &models, &gpus}) {
    if (!*each) return each->error();
  }
  return ModelFacts::read(std::move(families).value(), std::move(models).value(),
                          std::move(gpus).value());
}

text::Result<MemoryFacts> Catalog::read_memory() const {
  auto formats = table("weight_formats");
  auto measurements = table("memory_measurements");
  for (const auto* each : {&formats, &measurements}) {
    if (!*each) return each->error();
  }
  return MemoryFacts::read(std::move(formats).value(), std::move(measurements).value());
}

const VersionFacts& Catalog::versions() const {
  std::call_once(versions_once_, [this] { versions_ = checked(read_versions(), "engine_*.tsv"); });
  return *versions_;
}

const Vocabulary* Catalog::vocabulary(std::string_view engine) const {
  const auto found = std::find(kEngines.begin(), kEngines.end(), engine);
  if (found == kEngines.end()) return nullptr;
  const auto index = static_cast<std::size_t>(found - kEngines.begin());
  std::call_once(vocabularies_once_[index], [&] {
    auto words = checked(read_vocabulary(*found), engine);
    if (!words->flags().empty()) vocabularies_[index] = std::move(words);
  });
  return vocabularies_[index].get();
}

const ModelFacts& Catalog::models() const {
  std::call_once(models_once_, [this] { models_ = checked(read_models(), "models.tsv"); });
  return *models_;
}

const MemoryFacts& Catalog::memory() const {
  std::call_once(memory_once_, [this] { memory_ = checked(read_memory(), "memory tables"); });
  return *memory_;
}

EngineVersion Catalog::version_of(std::string_view image, std::string_view engine) const {
  return versions().version_of(images().classify(image), engine, builds());
}

std::optional<text::Error> Catalog::check_tables() const {
  if (auto facts = read_versions(); !facts) return facts.error();
  if (auto facts = read_models(); !facts) return facts.error();
  if (auto facts = read_memory(); !facts) return facts.error();
  for (const auto engine : kEngines) {
    if (auto words = read_vocabulary(engine); !words) return words.error();
  }
  return std::nullopt;
}

text::Result<std::unique_ptr<const Catalog>> Catalog::with_overrides(const text::SourceFile& file) {
  const auto document = yaml::Document::parse(file);
  if (!document) return document.error();
  const auto root = (*document)->root();
  if (!root.is_mapping())
    return text::Error{"a mapping from topics to facts is needed", root.span()};
  auto catalog = std::make_unique<Catalog>();
  for (const auto& [key, value] : root.entries()) {
    const auto topic = key.text();
    std::optional<text::Error> error;
    if (topic == "images") {
      catalog->images();
      error = catalog->images_->add(value);
    } else if (topic == "builds") {
      catalog->builds();
      error = catalog->builds_->add(value);
    } else if (!shape_of(topic)) {
      error = text::Error{fmt::format("the key '{}' is not known here", topic), key.span()};
    } else {
      catalog->overrides_.insert_or_assign(std::string(topic), std::string(value.text()));
      error = catalog->check_tables();
      if (error) error->where = value.span();
    }
    if (error) return *std::move(error);
  }
  return std::unique_ptr<const Catalog>(std::move(catalog));
}

}  // namespace recipelint::facts
