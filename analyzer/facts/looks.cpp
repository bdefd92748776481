#include "analyzer/facts/looks.h"

namespace recipelint::facts {

bool is_between_looks(std::string_view engine, const EngineVersion& version,
                      const VersionFacts& versions) {
  const auto* unseen = versions.find_change(engine, kVocabularyUnseen);
  const auto* seen = versions.find_change(engine, kVocabularySeen);
  if (unseen == nullptr || seen == nullptr) return false;
  return !version.certainly_lacks(*unseen) && !version.certainly_has(*seen);
}

bool has_seen_values(std::string_view engine, const EngineVersion& version,
                     const VersionFacts& versions) {
  const auto* seen = versions.find_change(engine, kVocabularySeen);
  return seen == nullptr || version.certainly_has(*seen);
}

bool is_second_look(std::string_view engine, const Release& release, const VersionFacts& versions) {
  const auto* seen = versions.find_change(engine, kVocabularySeen);
  return seen != nullptr && seen->release == release;
}

}  // namespace recipelint::facts
