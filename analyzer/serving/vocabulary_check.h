#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/vocabulary.h"
#include "analyzer/serving/argument_parser.h"
#include "analyzer/serving/json.h"
#include "analyzer/serving/problem.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving {

/// "vLLM", "SGLang", "TensorRT-LLM", "ATOM"; the name itself if it is none of these.
std::string_view title_of_engine(std::string_view engine);

/// An engine as messages name it: "vLLM 0.27.1", "vLLM in a build by 2026-07-27", "vLLM of an
/// unknown version".
std::string phrase_of(std::string_view title, const facts::EngineVersion& version);

/// Compares options, values, keys and variables with the vocabulary of one version of an engine,
/// and tells what it would refuse. Known to be wrong is an error; of an image that is not known, or
/// of a version whose options are known from release notes only, a warning; of an image that was
/// built by hand a note, since it can hold options of its own.
class VocabularyCheck {
 public:
  /// All of them must outlive the check. `words` may still grow.
  VocabularyCheck(const facts::Vocabulary& vocabulary, const facts::EngineVersion& version,
                  const facts::VersionFacts& versions, const Words& words);

  void check_fault(const ParseFault& fault);
  /// The option itself (removed, not there yet, deprecated), and its values except JSON.
  void check_option(const Occurrence& occurrence);
  /// A value that the option takes in later versions only.
  void report_early_value(const facts::Flag& flag, Place value);
  /// A value of a JSON option that could not be read.
  void report_invalid_json(const facts::Flag& flag, Place value, const JsonError& error);
  /// A configuration file that cannot be read.
  void report_invalid_file(std::string_view path, Place place, std::string_view error);
  /// The keys of an object, and the types of their values.
  void check_object(std::string_view object_class, const Json& object);
  /// Two uses of one option of which only the second counts.
  void report_repeated(const facts::Flag& flag, Place first, Place second);
  /// A combination that the engine refuses (error), or one of whose parts it drops (warning).
  void report_conflict(Severity severity, std::string subject, std::string message, Place place,
                       std::vector<RelatedPlace> related);
  /// A variable by its name, and the place where it is set.
  void check_variable(std::string_view name, text::Span span);

  /// What was found, in order.
  const std::vector<Problem>& problems() const { return problems_; }
  std::vector<Problem> take() { return std::move(problems_); }

  /// "vLLM 0.27.1", "vLLM of an unknown version".
  const std::string& engine_version() const { return engine_version_; }

 private:
  /// Whether a problem depends on what the version knows.
  enum class Depends : std::uint8_t { kOnVersion, kOnNothing };

  Severity lowered(Severity most) const;
  /// Of a word that the version lacks. What the next release brings can be in this one too, picked
  /// after its branch was cut, unless the very tree of the release was looked at: a note.
  Severity not_yet(const facts::Lifetime& lifetime) const;
  Problem& add(std::string_view rule, Severity severity, std::string subject, std::string message,
               Place place);
  void check_presence(const OptionTable::Match& option, Place name);
  void check_value(const facts::Flag& flag, const Token& value);
  void report_value(const facts::Flag& flag, Place place, std::string wanted, Depends depends);
  void report_key(std::string_view object_class, const Json::Member& member);
  void check_key_type(const facts::ConfigKey& key, const Json::Member& member);

  const facts::Vocabulary& vocabulary_;
  const facts::EngineVersion& version_;
  const facts::VersionFacts& versions_;
  const Words& words_;
  std::string engine_version_;
  bool certain_ = true;  // what the version knows is known
  bool older_ = false;   // than all that is known: it can have had any option
  std::vector<Problem> problems_;
};

}  // namespace recipelint::serving
