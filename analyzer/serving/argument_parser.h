#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/vocabulary.h"
#include "analyzer/serving/json.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving {

/// A word as the parser sees it: its text can be normalized, its place is that of the written one.
struct Token {
  std::string text;  // with holes
  Place place;
  /// The value, if it does not have to be read from the text first.
  std::shared_ptr<const Json> json = nullptr;
};

/// The options that one version of an engine takes.
class OptionTable {
 public:
  /// Whether the beginning of a spelling can stand for it: argparse has it so, click does not.
  enum class Abbreviations : std::uint8_t { kTaken, kRefused };

  /// All of them must outlive the table.
  OptionTable(const facts::Vocabulary& words, const facts::EngineVersion& version,
              const facts::VersionFacts& versions,
              Abbreviations abbreviations = Abbreviations::kTaken)
      : words_(words), version_(version), versions_(versions), abbreviations_(abbreviations) {}

  struct Match {
    const facts::Flag* flag = nullptr;
    bool negated = false;  // "--no-x"
    facts::Presence presence = facts::Presence::kPresent;
  };
  enum class Outcome : std::uint8_t { kNone, kOne, kSeveral };
  struct Found {
    Outcome outcome = Outcome::kNone;
    Match match;                             // with kOne
    std::vector<std::string> possibilities;  // with kSeveral, sorted
  };

  /// A spelling in full, whether this version takes it or not.
  Found find(std::string_view spelling) const;
  /// An abbreviation of a spelling that this version takes, as Python's argparse has it; none if
  /// abbreviations are refused.
  Found find_abbreviation(std::string_view prefix) const;

 private:
  Match match_of(const facts::Vocabulary::Spelling& spelling) const;

  const facts::Vocabulary& words_;
  const facts::EngineVersion& version_;
  const facts::VersionFacts& versions_;
  Abbreviations abbreviations_;
};

/// One use of an option.
struct Occurrence {
  OptionTable::Match option;
  /// The option as written: "-tp" of "-tp=8".
  Place name;
  std::vector<Token> values;
};

/// What is wrong with a word.
struct ParseFault {
  enum class Kind : std::uint8_t {
    kUnknownOption,
    kAmbiguousOption,
    kMissingValue,    // the option takes one
    kUnwantedValue,   // "--enforce-eager=true"
    kUnexpectedWord,  // no option takes it
  };
  Kind kind = Kind::kUnknownOption;
  Place place;
  std::string_view option;  // of kMissingValue, kUnwantedValue: the full name; of kUnexpectedWord:
                            // the option before it, if that takes no value
  std::vector<std::string> possibilities;  // of kAmbiguousOption
};

/// A command line as Python's argparse understands it.
struct ParsedArguments {
  std::vector<Occurrence> options;  // in order
  std::vector<Token> positionals;
  std::vector<ParseFault> faults;
  /// Words of which not even the role is known: each can hold any options.
  std::vector<Place> unknown;
};

/// Splits words into options and positional arguments by argparse's rules: exact spellings before
/// abbreviations, "--x=v", "-xv", values that begin with '-' only if they are negative numbers.
ParsedArguments parse_arguments(const std::vector<Token>& tokens, const OptionTable& table,
                                std::size_t most_positionals);

}  // namespace recipelint::serving
