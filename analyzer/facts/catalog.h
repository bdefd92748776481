#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "analyzer/facts/builds.h"
#include "analyzer/facts/engine_version.h"
#include "analyzer/facts/images.h"
#include "analyzer/facts/memory_facts.h"
#include "analyzer/facts/models.h"
#include "analyzer/facts/vocabulary.h"
#include "analyzer/text/result.h"
#include "analyzer/text/source_file.h"

namespace recipelint::facts {

/// Everything that is believed about the world. The facts embedded in the program are read when
/// they are first asked for, so that a run which needs none pays nothing. Safe to use from several
/// threads.
class Catalog {
 public:
  /// The embedded facts.
  Catalog();
  ~Catalog();
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  /// The embedded facts with a user's entries before them. The file is a mapping from a topic to
  /// what the data file of that topic holds: "images" and "builds" to YAML, the names of tables
  /// ("gpus", "vllm_flags") to their lines as a literal block. Fails with the place of what is
  /// wrong.
  static text::Result<std::unique_ptr<const Catalog>> with_overrides(const text::SourceFile& file);

  const ImageFacts& images() const;
  const BuildFacts& builds() const;
  const VersionFacts& versions() const;
  /// The words of an engine ("vllm"); null if there are no tables of it.
  const Vocabulary* vocabulary(std::string_view engine) const;
  const ModelFacts& models() const;
  const MemoryFacts& memory() const;

  /// The version of an engine ("vllm") in the image with this reference.
  EngineVersion version_of(std::string_view image, std::string_view engine) const;

 private:
  static constexpr std::size_t kEngineCount = 4;

  // Each fails only because of an override: a broken embedded table ends the program.
  text::Result<Table> table(std::string_view name) const;
  text::Result<VersionFacts> read_versions() const;
  text::Result<Vocabulary> read_vocabulary(std::string_view engine) const;
  text::Result<ModelFacts> read_models() const;
  text::Result<MemoryFacts> read_memory() const;
  /// What is wrong with the tables of a user's file.
  std::optional<text::Error> check_tables() const;

  std::map<std::string, std::string, std::less<>> overrides_;  // lines by the name of the table
  mutable std::once_flag images_once_;
  mutable std::once_flag builds_once_;
  mutable std::once_flag versions_once_;
  mutable std::array<std::once_flag, kEngineCount> vocabularies_once_;
  mutable std::once_flag models_once_;
  mutable std::once_flag memory_once_;
  mutable std::unique_ptr<ImageFacts> images_;
  mutable std::unique_ptr<BuildFacts> builds_;
  mutable std::unique_ptr<VersionFacts> versions_;
  mutable std::array<std::unique_ptr<Vocabulary>, kEngineCount> vocabularies_;
  mutable std::unique_ptr<ModelFacts> models_;
  mutable std::unique_ptr<MemoryFacts> memory_;
};

}  // namespace recipelint::facts
