#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/shell/token.h"
#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

/// Collects the tokens of a unit and keeps them balanced: a compound command that is never closed
/// and a symbol that closes or continues nothing become Unparsed statements, with a problem, so
/// that one missing "fi" does not cost the rest of the script.
class UnitBuilder {
 public:
  explicit UnitBuilder(WordScanner& words) : words_(words) {}

  Token& push(Symbol symbol, std::uint32_t begin, std::uint32_t end);
  Token& push_command(std::uint32_t begin, std::uint32_t end, Statement statement);
  Token& push_unparsed(std::uint32_t begin, std::uint32_t end);
  Token& push_case(std::uint32_t begin, std::uint32_t end, Case header);
  Token& push_pattern(std::uint32_t begin, std::uint32_t end, std::vector<Word> patterns);
  /// Goes to the token that is pushed next.
  void push_prefix(Prefix::Kind kind, std::uint32_t begin, Statement shell = {});
  /// A line break is a separator only where a command has ended.
  void push_line_break(std::uint32_t begin, std::uint32_t end);
  /// Closes what is open, gives up what was collected.
  Unit finish();

  bool empty() const { return unit_.tokens.empty(); }
  /// A command has just ended, with no separator or operator after it.
  bool after_statement() const;
  /// The header of a for loop has just been pushed.
  bool after_for_header() const;
  /// The last token continues or opens a "case" whose next pattern, or "esac", has to follow.
  bool pattern_due() const;
  /// Compound commands around the next token, and prefixes before it.
  std::size_t depth() const { return open_.size() + prefixes_.size(); }
  /// Whether an `opener` is open, and whether `first` is open more deeply than `second`.
  bool is_open(Symbol opener) const;
  bool is_innermost(Symbol first, Symbol second) const;

  Token& last_token() { return unit_.tokens.back(); }
  Attachment& attachment_of(Token& token);
  Attachment& attachment(std::uint32_t index) { return unit_.attachments[index]; }

 private:
  /// A compound command that is not closed yet.
  struct Open {
    Symbol opener = Symbol::kIf;
    std::uint32_t token = 0;
    std::vector<std::uint32_t> others;  // the tokens that continue it
  };
  enum class Follower : std::uint8_t { kNoStatement, kSimpleCommand, kCompound, kLoopBody };

  Token& append(Symbol symbol, std::uint32_t begin, std::uint32_t end);
  void settle_prefixes(Follower follower, std::uint32_t begin);
  void fill_empty_list(std::uint32_t begin);
  bool continue_compound(Symbol symbol);
  bool close_compound(Symbol symbol);
  void abandon(const Open& open);
  std::uint32_t add_statement(Statement statement);
  static Follower follower_of(Symbol symbol);

  WordScanner& words_;
  Unit unit_;
  std::vector<Open> open_;  // outermost first
  std::vector<Prefix> prefixes_;
};

}  // namespace recipelint::shell
