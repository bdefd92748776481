#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/shell/token.h"
#include "analyzer/shell/unit_builder.h"
#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

/// Reads one list of commands: splits it into the symbols of its structure, with simple commands,
/// conditionals, headers of loops and here-documents read in full on the way.
class CommandScanner {
 public:
  enum class Until : std::uint8_t {
    kParenthesis,  // up to the ")" that nothing in the list opens; it is not consumed
    kEnd,          // up to the end of the text
    /// Up to the end of the text, and what cannot be read becomes an Unparsed statement.
    kEndWithRepair,
  };

  CommandScanner(WordScanner& words, Until until) : words_(words), until_(until), unit_(words) {}

  /// False if something is not closed; words.failure() then says what. Never with kEndWithRepair.
  [[nodiscard]] bool scan(StatementList& statements);

 private:
  enum class Tabs : std::uint8_t { kKept, kStripped };
  /// A here-document whose body has not begun yet.
  struct PendingHereDocument {
    std::uint32_t attachment = 0;  // where its redirection is
    std::size_t redirection = 0;
    std::string delimiter;
    Tabs tabs = Tabs::kKept;
    bool is_literal = false;  // the delimiter is quoted
  };
  enum class ForKind : std::uint8_t { kFor, kSelect };
  enum class Step : std::uint8_t { kGoOn, kFinished, kFailed };

  Step scan_step();
  Step scan_symbol();
  Step scan_close_parenthesis();
  void scan_newline();
  bool scan_open_parenthesis();
  bool scan_operator();
  bool scan_terminator();
  bool scan_case_pattern();
  void repair(const WordScanner::Checkpoint& start);

  /// A reserved word at the position, if `word` is one; nullopt if a simple command starts here.
  std::optional<bool> scan_reserved_word(std::string_view word);
  bool scan_structure_word(std::string_view word, Symbol symbol);
  bool scan_open_brace(std::string_view word);
  bool scan_close_brace(std::string_view word);
  bool scan_bang();
  bool scan_time();
  bool scan_function_keyword();
  bool scan_for(ForKind kind);
  bool scan_for_words(std::vector<Word>& list);
  bool scan_arithmetic_for(std::uint32_t begin);
  bool scan_case();
  bool scan_coprocess();
  bool scan_conditional();
  bool try_arithmetic_command();

  struct SimpleCommandParts;
  bool scan_simple_command();
  bool scan_simple_command_part(SimpleCommandParts& parts);
  bool scan_command_word(SimpleCommandParts& parts);
  bool at_command_end();
  bool try_function_definition(const SimpleCommandParts& parts, std::uint32_t begin);
  void notice_options(const SimpleCommand& command);

  bool at_redirection() const;
  bool scan_redirection(std::vector<Redirection>& redirections);
  bool scan_redirection_operator(Redirection& redirection);
  bool scan_trailing_redirections();
  void attach(Token& token, std::vector<Redirection> redirections);

  bool scan_here_document_start(Tabs tabs);
  void read_here_documents();
  void read_here_document(const PendingHereDocument& pending);
  std::uint32_t find_here_document_end(const PendingHereDocument& pending, std::uint32_t& resume);
  Word scan_here_document_body(const PendingHereDocument& pending, std::uint32_t begin,
                               std::uint32_t end);
  void skip_newlines();

  bool may_open(std::uint32_t begin);

  WordScanner& words_;
  Until until_;
  UnitBuilder unit_;
  std::vector<PendingHereDocument> pending_;
  std::vector<PendingHereDocument> unattached_;  // of the command that is being read
};

}  // namespace recipelint::shell
