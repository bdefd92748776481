#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/shell/pattern.h"
#include "analyzer/shell/value.h"
#include "analyzer/text/span.h"

namespace recipelint::shell {

/// One word after all expansions.
struct Field {
  Value value;
  /// The part of the script that it was made from.
  text::Span span;
  /// Not empty if this may be none or several words: the cause.
  std::string uncertain_count;
};

/// Takes the parts of a word as they are expanded, and makes of them what the place needs.
class ExpansionSink {
 public:
  virtual ~ExpansionSink() = default;
  /// Text that undergoes nothing further; also keeps an empty word alive.
  virtual void quoted(Value value) = 0;
  /// Text as written in the script, without quotes.
  virtual void literal(std::string_view text, text::Origin origin) = 0;
  /// The result of an expansion without quotes.
  virtual void unquoted(Value value) = 0;
  /// "$@" or "${a[@]}": each value is a word of its own. `cause` is not empty if there may be more
  /// or fewer.
  virtual void separate(std::vector<Value> values, bool is_quoted, const std::string& cause) = 0;
  /// Whether unquoted text is split and looked up as file names here.
  virtual bool splits() const { return false; }
};

/// Collects fields: splits unquoted expansions at IFS and notes which characters are patterns.
class FieldSink final : public ExpansionSink {
 public:
  struct Pending {
    Field field;
    /// The field as a pattern, quoted characters escaped; empty if it has no special character.
    std::string pattern;
  };

  /// `separators` is the value of IFS.
  FieldSink(std::string_view separators, PatternOptions options, text::Span span);

  void quoted(Value value) override;
  void literal(std::string_view text, text::Origin origin) override;
  void unquoted(Value value) override;
  void separate(std::vector<Value> values, bool is_quoted, const std::string& cause) override;
  bool splits() const override { return true; }

  /// Ends the current word.
  void finish();
  std::vector<Pending>& fields() { return fields_; }

 private:
  void add(Piece piece, bool is_quoted);
  void add_split(const Piece& piece);
  bool is_one_word(const PieceText& text) const;
  void next_field();
  bool is_separator(char c) const { return separators_.find(c) != std::string_view::npos; }

  std::string_view separators_;
  PatternOptions options_;
  text::Span span_;
  std::vector<Pending> fields_;
  Pending current_;
  bool alive_ = false;        // the current field exists even if it is empty
  bool after_space_ = false;  // IFS white space ended the last field
};

/// Joins everything to one text, as in assignments.
class TextSink final : public ExpansionSink {
 public:
  explicit TextSink(std::string_view separators) : separators_(separators) {}

  void quoted(Value value) override { value_.append(std::move(value)); }
  void literal(std::string_view text, text::Origin origin) override {
    value_.append(Piece{std::string(text), true, origin, {}});
  }
  void unquoted(Value value) override { value_.append(std::move(value)); }
  void separate(std::vector<Value> values, bool is_quoted, const std::string& cause) override;

  Value take() { return std::move(value_); }

 private:
  std::string_view separators_;
  Value value_;
};

/// A pattern or regular expression: text of which quoted parts stand for themselves.
struct PatternText {
  std::vector<std::pair<std::string, bool>> runs;  // text, quoted
  /// Not empty if a part is unknown.
  std::string cause;
  text::Origin origin;

  std::vector<PatternPart> parts() const;
};

class PatternSink final : public ExpansionSink {
 public:
  void quoted(Value value) override { add(value, true); }
  void literal(std::string_view text, text::Origin origin) override;
  void unquoted(Value value) override { add(value, false); }
  void separate(std::vector<Value> values, bool is_quoted, const std::string& cause) override;

  PatternText take() { return std::move(pattern_); }

 private:
  void add(const Value& value, bool is_quoted);

  PatternText pattern_;
};

}  // namespace recipelint::shell
