#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/space/problem.h"
#include "analyzer/space/search_space.h"
#include "analyzer/yaml/document.h"

namespace recipelint::space {

/// "analysis-limit": a bound that input of any size cannot pass.
inline constexpr std::string_view kAnalysisLimitRule = "RL1003";

/// Where problems of one file go, and what all of them need to say.
class Reporter {
 public:
  /// A file may have this many problems; the rest is summed up in one.
  static constexpr std::size_t kMostProblems = 2'000;

  Reporter(std::vector<Problem>& problems, std::string_view rule)
      : problems_(problems), rule_(rule) {}

  /// Adds an error of the file's rule; the caller may change it until the next call. `identity` is
  /// completed with the current entry.
  Problem& report(text::Span span, std::string message, std::string_view identity);

  /// Adds a note that the analysis stops here at one of its bounds.
  void report_limit(text::Span span, std::string message);

  /// The key that problems are attributed to from now on; empty for none.
  void enter(std::string_view entry) { entry_ = entry; }
  std::string_view entry() const { return entry_; }

 private:
  std::vector<Problem>& problems_;
  std::string_view rule_;
  std::string_view entry_;
  std::size_t count_ = 0;
  Problem overflow_;
};

enum class Need : std::uint8_t {
  kRequired,
  kOptional,  // may be left out, but null is refused
  kNullable,  // null counts as left out
};

/// What the generator does with a number that the validator takes although it is written as a text,
/// a boolean or a float.
enum class Use : std::uint8_t {
  kCopied,    // passes it on as written
  kComputed,  // calculates with it, which fails for a text
};

/// Reads the fields of one mapping and reports those that are missing, misspelled or of a wrong
/// type. Call finish() when all known fields have been asked for.
class FieldReader {
 public:
  /// `subject` names the mapping in messages ("a worker"); `where` is the place for missing fields.
  FieldReader(Reporter& reporter, yaml::Node mapping, std::string subject, text::Span where);

  void integer(std::string_view name, Integer& field, Need need, Use use);
  /// pydantic's strict integer above 0.
  void strict_positive(std::string_view name, Integer& field);
  void boolean(std::string_view name, Boolean& field, Need need);
  void literal(std::string_view name, Boolean& field, Need need, bool expected);
  void string(std::string_view name, String& field, Need need);
  void nonempty_string(std::string_view name, String& field, Need need);
  void choice(std::string_view name, String& field, Need need,
              std::span<const std::string_view> choices);
  void decimal(std::string_view name, Field<Decimal>& field, Need need);
  void integers(std::string_view name, Field<std::vector<Integer>>& field, Use use);

  /// The mapping or list under `name`; an empty node, after a report, if there is something else.
  yaml::Node mapping(std::string_view name, Need need);
  yaml::Node list(std::string_view name, Need need);
  /// For other types: fills in where the field stands, as invalid. True if there is a value to
  /// convert.
  template <class T>
  bool locate(std::string_view name, Field<T>& field, Need need) {
    const Found found = require(name, need);
    if (found.entry == nullptr) return false;
    field.key_node = found.entry->key;
    field.node = found.entry->value;
    const bool null = need == Need::kNullable && field.node.is_null() && !found.misspelled;
    field.state = null ? FieldState::kNull : FieldState::kInvalid;
    return !null && !found.misspelled;
  }
  /// As written, without a look at its type.
  yaml::Node any(std::string_view name, Need need);
  /// The key of a field that was read; empty if it is absent.
  yaml::Node key_of(std::string_view name) const;

  /// Makes a field known without reading it.
  void ignore(std::string_view name) { find(name); }
  /// Reports what nobody asked for.
  void finish();

  /// "'tp' must be an integer, not the string 'x'."
  void wrong_type(std::string_view name, yaml::Node node, std::string_view expected);

 private:
  static constexpr std::size_t kMostNames = 24;

  /// The entry of a field, which is known from now on; null if there is none.
  struct Found {
    const yaml::Node::Entry* entry = nullptr;
    bool misspelled = false;  // with underscores: the generator does not see it
  };
  Found find(std::string_view name);
  Found require(std::string_view name, Need need);
  void report_underscores(std::string_view name, yaml::Node key);
  void report_unknown(yaml::Node key);

  Reporter& reporter_;
  std::span<const yaml::Node::Entry> entries_;
  std::string subject_;
  text::Span where_;
  std::vector<bool> known_;
  std::vector<std::string_view> names_;
};

/// "null", "the string 'x'", "a list", "a mapping".
std::string describe(yaml::Node node);
/// A short place that stands for a whole mapping: its first key, else the node.
text::Span head_of(yaml::Node node);

}  // namespace recipelint::space
