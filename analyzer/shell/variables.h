#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/arithmetic.h"
#include "analyzer/shell/session.h"
#include "analyzer/shell/world.h"

namespace recipelint::shell {

/// Where an assignment goes.
enum class Target : std::uint8_t { kVisible, kGlobal };

/// Reads and writes variables by the rules of bash: attributes, references, dynamic scopes, and the
/// variables that the shell itself makes.
class Variables {
 public:
  explicit Variables(Session& session) : session_(session) {}

  /// The variable behind a name, references followed; null if there is none. One that the shell
  /// computes is put into `scratch`.
  const Variable* lookup(const World& world, NameId name, Variable& scratch) const;
  /// $name: the scalar, or element 0 of an array; nullopt if it is not set. Counts as read.
  std::optional<Value> scalar(const World& world, NameId name) const;
  /// The name that a reference leads to.
  NameId resolve(const World& world, NameId name) const;

  /// name=value or name+=value. False, with a diagnostic, if it is readonly.
  bool assign(World& world, NameId name, Value value, text::Span span, bool appends = false);
  /// Element of an indexed array; `index` may count from the end.
  bool assign_element(World& world, NameId name, std::int64_t index, Value value, text::Span span,
                      bool appends = false);
  bool assign_entry(World& world, NameId name, std::string_view key, Value value, text::Span span,
                    bool appends = false);
  /// Replaces the variable by an indexed array.
  /// A list can run over many lines: an element is where it is written, unless all of it comes from
  /// elsewhere; then it is where the list is assigned.
  static text::Span place_of_element(const Value& element, text::Span assignment);
  bool assign_array(World& world, NameId name, std::vector<Value> values, text::Span span);
  /// Makes the whole variable unknown.
  void make_unknown(World& world, NameId name, const std::string& cause, text::Span span);
  void unset(World& world, NameId name);

  /// The variable for writing, references followed; made if there is none.
  Variable& writable(World& world, NameId name);
  /// Hides the visible variable until the innermost scope ends and gives the new one.
  Variable& make_local(World& world, NameId name, bool inherits_value);
  /// Hides the visible variable until the innermost scope, of whatever kind, ends.
  void hide(World& world, NameId name);
  /// The outermost variable of that name.
  Variable& global(World& world, NameId name);

  static void push_scope(World& world, Scope::Kind kind);
  static void pop_scope(World& world);

  /// The origin of a value that `name` gets at `span`.
  text::Origin assigned_origin(NameId name, text::Span span, text::Origin earlier);
  /// Applies that origin to all pieces.
  void mark_assigned(Value& value, NameId name, text::Span span);
  /// Text, number or unknown that results from an expression.
  ArithmeticResult arithmetic(World& world, const Value& expression, text::Span span,
                              text::Origin* origin = nullptr);
  /// The same for one who can leave open which number it is: `number`, the result if it is known,
  /// may be a parameter. See Witness.
  struct OpenResult {
    ArithmeticResult result;
    Value number;
  };
  OpenResult open_arithmetic(World& world, const Value& expression, text::Span span,
                             text::Origin* origin = nullptr);
  /// The same as a value; an error is reported and gives nullopt.
  std::optional<Value> arithmetic_value(World& world, const Value& expression, text::Span span);

  /// What a command that starts now gets, as a difference to the script's environment.
  void collect_environment(const World& world, Execution& execution) const;
  /// Any command may read what is exported.
  void mark_exported_read(const World& world);

 private:
  void note_assignment(Variable& variable, NameId name, text::Span span, bool keeps_part);
  bool check_writable(const World& world, const Variable& variable, NameId name, text::Span span);
  void apply_attributes(World& world, const Variable& variable, Value& value, text::Span span);
  ParameterId derived_parameter(World& world, const Value& expression, text::Span span,
                                std::int64_t result);
  bool compute(const World& world, NameId name, Variable& out) const;
  /// "assigned to NAME".
  const std::string& assigned_note(NameId name);

  Session& session_;
  /// By name; empty where it was not needed yet.
  std::vector<std::string> assigned_notes_;
  /// The variables whose exported ones were last marked.
  Table<Variable> exported_seen_;
};

}  // namespace recipelint::shell
