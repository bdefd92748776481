#pragma once

#include <string_view>

#include "analyzer/facts/engine_version.h"
#include "analyzer/facts/release.h"

namespace recipelint::facts {

// Of an engine whose options were read at two moments only, the turning points of that: from the
// first one on nothing was read, at the second one everything was.
inline constexpr std::string_view kVocabularyUnseen = "vocabulary-unseen";
inline constexpr std::string_view kVocabularySeen = "vocabulary-seen";

/// Can the version lie between two looks at the options of its engine? Then it can have words that
/// neither of them found.
bool is_between_looks(std::string_view engine, const EngineVersion& version,
                      const VersionFacts& versions);

/// Are the values that options take those that the tables name? Of a version before the last look,
/// they can be others.
bool has_seen_values(std::string_view engine, const EngineVersion& version,
                     const VersionFacts& versions);

/// Does a release stand for "somewhere up to this one", because it was the second look?
bool is_second_look(std::string_view engine, const Release& release, const VersionFacts& versions);

}  // namespace recipelint::facts
