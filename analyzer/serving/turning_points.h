#pragma once

#include <optional>
#include <string_view>

#include "analyzer/facts/engine_version.h"

namespace recipelint::serving {

/// What one version of an engine does: answers by the ids of data/engine_changes.tsv.
class TurningPoints {
 public:
  /// All must outlive the turning points.
  TurningPoints(std::string_view engine, const facts::EngineVersion& version,
                const facts::VersionFacts& versions)
      : engine_(engine), version_(version), versions_(versions) {}

  /// What the version leaves open counts as not there yet; of an unknown version, as there.
  bool has(std::string_view change) const;
  /// The same, but nullopt for what the version leaves open.
  std::optional<bool> decided(std::string_view change) const;

  const facts::EngineVersion& version() const { return version_; }
  const facts::VersionFacts& versions() const { return versions_; }

 private:
  std::string_view engine_;
  const facts::EngineVersion& version_;
  const facts::VersionFacts& versions_;
};

}  // namespace recipelint::serving
