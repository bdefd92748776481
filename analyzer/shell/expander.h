#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/ast.h"
#include "analyzer/shell/brace_expansion.h"
#include "analyzer/shell/expansion_sinks.h"
#include "analyzer/shell/io.h"
#include "analyzer/shell/session.h"
#include "analyzer/shell/variables.h"
#include "analyzer/shell/world.h"

namespace recipelint::shell {

/// Runs the commands inside of words.
class SubstitutionRunner {
 public:
  virtual ~SubstitutionRunner() = default;
  /// The output of $(...), without trailing newlines.
  virtual Value substitute(World& world, const CommandSubstitution& substitution,
                           text::Span span) = 0;
  /// The file name that stands for <(...) or >(...).
  virtual Value substitute_process(World& world, const ProcessSubstitution& substitution,
                                   text::Span span) = 0;
};

/// The expansions of bash, in its order: braces, tilde, parameters, commands, arithmetic,
/// splitting, file names, quote removal. A failed expansion sets the flow of the world to kAbort or
/// kExit.
class Expander {
 public:
  Expander(Session& session, Variables& variables, Io& io, SubstitutionRunner& runner)
      : session_(session), variables_(variables), io_(io), runner_(runner) {}

  /// A word of a command: none, one or several fields.
  void fields(World& world, const Word& word, std::vector<Field>& out);
  /// A word that is neither split nor looked up as file names: case, redirections, [[ ]].
  Value text(World& world, const Word& word);
  /// The same for the value of an assignment, with tildes after ":" too.
  Value assigned_text(World& world, const Word& word);
  /// The value of an assignment that is an argument of declare or its kin: braces are expanded
  /// first, so that there may be several.
  std::vector<Value> declared_texts(World& world, const Word& word);
  PatternText pattern(World& world, const Word& word);

  /// A subscript of an array: a number, or a key if it is associative.
  struct Subscript {
    bool is_key = false;
    std::int64_t index = 0;
    std::string key;
    std::string cause;  // not empty if it is unknown
    bool failed = false;
  };
  Subscript subscript(World& world, NameId array, const Word& word);

  /// What stands behind a name with or without a subscript.
  struct Subject {
    bool is_list = false;
    bool star = false;
    bool is_set = false;
    bool exempt_from_nounset = false;
    Value scalar;
    std::vector<Value> list;
    std::string uncertain_count;
  };
  /// Reads name or name[subscript] given as text, as ${!v}, -v and unset do.
  Subject read_reference(World& world, std::string_view reference, text::Span span);

  PatternOptions pattern_options(const World& world) const;

 private:
  void part(World& world, const WordPart& part, bool force_quoted, ExpansionSink& sink);
  void parts(World& world, const Word& word, bool force_quoted, ExpansionSink& sink);
  /// w of ${v:-w}: without quotes even its literal text is split.
  void operand_parts(World& world, const Word& word, bool force_quoted, ExpansionSink& sink);
  void parameter(World& world, const ParameterExpansion& expansion, text::Span span, bool is_quoted,
                 ExpansionSink& sink);
  Subject subject(World& world, const ParameterExpansion& expansion, text::Span span);
  Subject named_subject(World& world, std::string_view name);
  std::optional<Subject> special_subject(World& world, std::string_view name);
  Subject element_subject(World& world, const Variable& variable, const Subscript& at);
  Subject all_elements(const Variable& variable, bool star);
  Subject names_with_prefix(World& world, const ParameterExpansion& expansion);
  Subject keys(World& world, const ParameterExpansion& expansion);
  void length(World& world, const ParameterExpansion& expansion, text::Span span, bool is_quoted,
              ExpansionSink& sink);
  void emit(World& world, Subject subject, bool is_quoted, ExpansionSink& sink);
  /// ${v:-w} and its kin; false if the value itself is to be used.
  bool use_operand(World& world, const ParameterExpansion& expansion, Subject& subject,
                   text::Span span, bool is_quoted, ExpansionSink& sink);
  void require(World& world, const ParameterExpansion& expansion, text::Span span);
  void assign_default(World& world, const ParameterExpansion& expansion, Value value,
                      text::Span span);
  void report_bad_subscript(World& world);
  bool is_assigned(const World& world, std::string_view name);
  void abort_unset(World& world, std::string_view name, text::Span span);
  void report_unset(World& world, std::string_view name, text::Span span);
  bool transform(World& world, const ParameterExpansion& expansion, Subject& subject,
                 text::Span span);
  std::int64_t first_of_slice(const World& world, const ParameterExpansion& expansion,
                              std::int64_t offset, std::int64_t count);
  bool substring(World& world, const ParameterExpansion& expansion, Subject& subject,
                 text::Span span);
  std::optional<std::int64_t> offset_operand(World& world, const Word& word, text::Span span,
                                             std::string& cause);
  Value home(World& world);
  std::string separators(const World& world) const;
  /// The part of a literal after a tilde prefix, whose expansion goes to the sink.
  std::string_view expand_tilde(World& world, std::string_view text, text::Origin origin,
                                ExpansionSink& sink);
  std::vector<std::vector<BracePiece>> brace_words(const Word& word);
  void braced_parts(World& world, const Word& word, const std::vector<BracePiece>& expanded,
                    ExpansionSink& sink);
  void braced_fields(World& world, const Word& word, FieldSink& sink);
  void find_files(World& world, FieldSink::Pending& pending, std::vector<Field>& out);

  Session& session_;
  Variables& variables_;
  Io& io_;
  SubstitutionRunner& runner_;
};

/// Whether expanding the word may run commands, and so have several outcomes.
bool may_branch(const Word& word);

}  // namespace recipelint::shell
