#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/shell/ast.h"
#include "analyzer/shell/contracts.h"
#include "analyzer/shell/expander.h"
#include "analyzer/shell/io.h"
#include "analyzer/shell/session.h"
#include "analyzer/shell/variables.h"
#include "analyzer/shell/world.h"

namespace recipelint::shell {

struct WrappedCommand;

/// An assignment of which the value is expanded.
struct ExpandedAssignment {
  struct Element {
    std::optional<Value> subscript;
    Value value;
    bool appends = false;
  };
  const Assignment* source = nullptr;
  Value scalar;
  std::vector<Element> elements;
  /// Not empty if the number of elements is not known: the cause.
  std::string uncertain_count;
  /// The assignments whose values are part of it; see Session::reads.
  std::vector<std::uint32_t> reads;

  bool is_array() const { return !std::holds_alternative<Word>(source->value); }
};

/// A word of a simple command after expansion; for declare and its kin possibly an assignment.
struct Argument {
  Field field;
  std::optional<ExpandedAssignment> assignment;

  const Value& value() const { return field.value; }
};

/// A simple command that is ready to run.
struct Invocation {
  std::vector<Argument> words;
  std::vector<ExpandedAssignment> assignments;
  const std::vector<Redirection>* redirections = nullptr;
  text::Span span;

  std::vector<Value> values() const;
  /// The first word, if it is known.
  std::string name() const;
};

/// Runs statements on worlds. Each function takes a world and appends to `out` all worlds that it
/// can become; control that leaves the statement (break, return, exit) is in their flow.
class Interpreter final : public SubstitutionRunner {
 public:
  explicit Interpreter(Session& session);

  Session& session() { return session_; }
  Variables& variables() { return variables_; }
  Io& io() { return io_; }
  Expander& expander() { return expander_; }

  /// A list inside of a command.
  void run_list(const StatementList& list, Worlds& worlds);
  /// The commands of a file or of eval: a failed expansion ends one of them, not all.
  void run_program(const StatementList& list, Worlds& worlds);
  void run(const Statement& statement, WorldPtr world, Worlds& out);

  /// Runs a command whose words are expanded, as "command" and exec do. `functions` tells whether
  /// it may be a function.
  enum class Lookup : std::uint8_t { kAll, kNoFunctions, kBuiltinsOnly, kExternalOnly };
  void run_invocation(WorldPtr world, Invocation invocation, Lookup lookup, Worlds& out);
  /// source and "."; `arguments` may be empty.
  void run_source(WorldPtr world, const std::string& path, std::vector<Value> arguments,
                  text::Span span, Worlds& out);
  /// A new shell: bash -c, a script. Variables that are not exported and functions are gone.
  void run_child_shell(WorldPtr world, const std::vector<Value>& argv, text::Span span,
                       Worlds& out);
  /// A script file started by its path.
  bool run_script_file(WorldPtr& world, const std::vector<Value>& argv, text::Span span,
                       Worlds& out);
  /// Text made at run time, in the current shell.
  void run_text(WorldPtr world, const std::string& text, text::Span span, Worlds& out);
  void run_trap(World& world, const std::string& name);
  /// The whole script, from the start of the evaluation; fills the session's result.
  void run_main();

  Value substitute(World& world, const CommandSubstitution& substitution, text::Span span) override;
  Value substitute_process(World& world, const ProcessSubstitution& substitution,
                           text::Span span) override;

  /// Decides a known status, or makes two worlds of one: `yes` or `no` are null where impossible.
  struct Decision {
    WorldPtr yes;
    WorldPtr no;
  };
  Decision decide(WorldPtr world, text::Span span);

  ExpandedAssignment expand_assignment(World& world, const Assignment& assignment);
  bool apply_assignment(World& world, const ExpandedAssignment& assignment);
  /// "return" or "exit" with a failure: notes that the function refuses its arguments, if so.
  void note_refusal(World& world, text::Span span);
  /// An arm of a case was taken: notes that the function drops an option that its call has, if so.
  void note_ignored(const World& world, text::Span arm);
  bool apply_array(World& world, const ExpandedAssignment& assignment);
  bool apply_entries(World& world, NameId name, const ExpandedAssignment& assignment);
  bool apply_redirections(World& world, const std::vector<Redirection>& redirections);
  void note(const World& world, const std::vector<Value>& argv, const std::vector<Argument>& words,
            text::Span span);
  void record(World& world, const std::vector<Value>& argv, const std::vector<Argument>& words,
              text::Span span);
  void end_world(World& world, std::string reason, text::Span span, Status status);

  /// "command -v" and its kin for the words from `first` on.
  Status locate_command(World& world, const Invocation& invocation, std::size_t first);

  int loop_depth() const { return loop_depth_; }

 private:
  class Nesting;

  /// Expands with `prepare(world)`, once for each outcome of the expansion, and hands each result
  /// to `commit(world, prepared, out)`.
  template <typename Prepare, typename Commit>
  void expand_then(WorldPtr world, bool branches, Worlds& out, const Prepare& prepare,
                   const Commit& commit);

  void run_command(const Statement& statement, WorldPtr world, Worlds& out);
  void run_redirected(const Statement& statement, WorldPtr world, Worlds& out);
  void run_background(const Statement& statement, WorldPtr world, Worlds& out);
  void run_simple(const Statement& statement, const SimpleCommand& command, WorldPtr world,
                  Worlds& out);
  void run_pipeline(const Pipeline& pipeline, WorldPtr world, Worlds& out);
  Worlds run_captured(const World& world, const StatementList& body);
  struct PipelineRun;
  void run_stage(PipelineRun& state, std::size_t stage, WorldPtr world, Value input,
                 std::vector<Status> statuses, Worlds& out);
  void finish_pipeline(World& world, std::vector<Status> statuses);
  void run_and_or(const AndOr& list, WorldPtr world, Worlds& out);
  void run_negation(const Negation& negation, WorldPtr world, Worlds& out);
  void run_subshell(const StatementList& body, WorldPtr world, Worlds& out);
  void run_if(const If& statement, std::size_t branch, WorldPtr world, Worlds& out);
  void run_while(const Loop& loop, text::Span span, WorldPtr world, Worlds& out);
  void run_for(const Statement& statement, const For& loop, WorldPtr world, Worlds& out);
  void run_for_items(const For& loop, const std::vector<Field>& items, text::Span span,
                     WorldPtr world, Worlds& out);
  void run_arithmetic_for(const ArithmeticFor& loop, text::Span span, WorldPtr world, Worlds& out);
  void run_case(const Case& statement, WorldPtr world, Worlds& out);
  void run_case_items(const Case& statement, std::size_t first, const Value& subject,
                      WorldPtr world, Worlds& out);
  void run_case_body(const Case& statement, std::size_t item, const Value& subject, WorldPtr world,
                     Worlds& out);
  void run_conditional(const Conditional& conditional, WorldPtr world, Worlds& out);
  void run_arithmetic(const ArithmeticCommand& command, text::Span span, WorldPtr world,
                      Worlds& out);
  Status arithmetic_status(World& world, const Word& expression, text::Span span);
  void define_function(const FunctionDefinition& definition, World& world);
  void run_function(WorldPtr world, const FunctionBinding& function, Invocation invocation,
                    Worlds& out);
  void run_external(WorldPtr world, Invocation invocation, Worlds& out);
  bool is_stray_word(const World& world, const Value& word);
  void run_looked_up(WorldPtr world, Invocation invocation, Lookup lookup, Worlds& out);
  bool assign_expanded(World& world, const ExpandedAssignment& assignment);
  void run_with_assignments(WorldPtr world, Invocation invocation, Lookup lookup, Worlds& out);
  void run_indirectly(WorldPtr world, const std::string& name, Invocation invocation, Worlds& out);
  std::string program_text(World& world, const Value& text);
  void forget_variables(World& world, const std::string& cause, text::Span span);
  void source_unknown(World& world, std::string cause);
  void link_joined(const World& into, const World& other);
  bool widen_linked(World& into, const World& other, Widening widening);
  const ArgumentContract& contract_of(const FunctionDefinition& definition);
  void note_demands(const ArgumentContract& contract, const FunctionDefinition& definition,
                    const Invocation& invocation);
  const StatementList* find_program(World& world, const std::string& absolute, text::Span blame);
  void enter_child_shell(World& world);
  void run_shell_body(WorldPtr world, const StatementList* body, const ShellState& outer,
                      text::Span span, Worlds& out);
  bool apply_redirection(World& world, const Redirection& redirection);
  bool duplicate_descriptor(World& world, int number, const Value& target);
  bool open_file(World& world, int number, const Value& target, const Redirection& redirection);
  void add_declared(World& world, const Assignment& assignment, Invocation& invocation);
  bool runs_in_shell(const World& world, const std::string& name);
  void run_prepared(WorldPtr world, Invocation invocation, const Shared<Descriptors>& outer,
                    Worlds& out);
  void run_flow_builtin(WorldPtr world, const std::string& name, Invocation invocation,
                        Worlds& out);
  void run_unwrapped(WorldPtr world, const std::vector<Value>& argv, text::Span span, Worlds& out);
  bool run_wrapped(WorldPtr& world, const std::vector<Value>& argv, const WrappedCommand& inner,
                   text::Span span, Worlds& out);
  bool answer_by_host(World& world, const std::string& name, const Invocation& invocation);

  /// A world at the head of a loop.
  struct Turn {
    WorldPtr world;
    /// The status of its last turn.
    Status last = Status::of(0);
    /// Turns that began, or went on, by a decision of the host.
    int assumed = 0;
  };
  using Turns = std::vector<Turn>;
  template <typename Enter, typename Step>
  void run_turns(text::Span span, const StatementList& body, WorldPtr world, Worlds& out,
                 const Enter& enter, const Step& step);
  void run_body(const StatementList& body, Turn turn, Turns& next, Worlds& out);
  bool leave_loop(WorldPtr world, int assumed, Turns& next, Worlds& out);
  void join_turns(Turns& turns);

  void after_command(const Statement& statement, World& world);
  void join(Worlds& worlds);
  void reduce(Worlds& worlds);
  /// Where only one world can go on.
  void make_one(Worlds& worlds);
  void retire(Worlds& worlds);
  void finish(WorldPtr world);

  /// A function that is running.
  struct Call {
    const FunctionDefinition* definition = nullptr;
    /// Decisions of the host before it began.
    std::size_t assumptions = 0;
  };

  Session& session_;
  Variables variables_;
  Io io_;
  Expander expander_;
  int depth_ = 0;
  int call_depth_ = 0;
  int loop_depth_ = 0;
  int background_depth_ = 0;
  int process_files_ = 0;
  int unknown_texts_ = 0;
  bool in_trap_ = false;
  std::vector<Call> calls_;
  std::unordered_map<const FunctionDefinition*, ArgumentContract> contracts_;
};

}  // namespace recipelint::shell
