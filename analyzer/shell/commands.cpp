#include <algorithm>
#include <utility>

#include "analyzer/shell/builtins.h"
#include "analyzer/shell/externals.h"
#include "analyzer/shell/interpreter.h"
#include "analyzer/shell/interpreter_branching.h"
#include "analyzer/shell/wrappers.h"

namespace recipelint::shell {
namespace {

bool word_branches(const std::variant<Word, Assignment>& word);

bool assignment_branches(const Assignment& assignment) {
  if (assignment.subscript != nullptr && may_branch(*assignment.subscript)) return true;
  if (const auto* word = std::get_if<Word>(&assignment.value)) return may_branch(*word);
  const auto& elements = std::get<std::vector<ArrayElement>>(assignment.value);
  return std::any_of(elements.begin(), elements.end(), [](const ArrayElement& element) {
    return may_branch(element.value) ||
           (element.subscript != nullptr && may_branch(*element.subscript));
  });
}

bool word_branches(const std::variant<Word, Assignment>& word) {
  if (const auto* plain = std::get_if<Word>(&word)) return may_branch(*plain);
  return assignment_branches(std::get<Assignment>(word));
}

bool command_branches(const Statement& statement, const SimpleCommand& command) {
  return std::any_of(command.words.begin(), command.words.end(), word_branches) ||
         std::any_of(command.assignments.begin(), command.assignments.end(), assignment_branches) ||
         std::any_of(statement.redirections.begin(), statement.redirections.end(),
                     [](const Redirection& r) { return may_branch(r.target); });
}

// A function that calls itself with something that only the host knows.
bool recurses_on_host(const World& world, const FunctionBinding& function,
                      const Invocation& invocation) {
  const std::vector<Frame>& frames = *world.shell.frames;
  return std::any_of(
             frames.begin(), frames.end(),
             [&](const Frame& frame) { return frame.function == function.definition->name; }) &&
         std::any_of(invocation.words.begin(), invocation.words.end(),
                     [](const Argument& word) { return !word.value().is_known(); });
}

// No command has such a name: a flag, or an element of a list that lost its continuation.
bool cannot_be_command(std::string_view name) {
  return name.starts_with('-') || name.find_first_of("={}\"' ,") != std::string_view::npos;
}

}  // namespace

std::vector<Value> Invocation::values() const {
  std::vector<Value> out;
  out.reserve(words.size());
  for (const Argument& word : words) out.push_back(word.field.value);
  return out;
}

std::string Invocation::name() const {
  return words.empty() ? std::string() : words.front().field.value.text();
}

void Interpreter::add_declared(World& world, const Assignment& assignment, Invocation& invocation) {
  Argument argument;
  argument.field.span = assignment.span;
  const auto* word = std::get_if<Word>(&assignment.value);
  if (word == nullptr) {
    argument.assignment = expand_assignment(world, assignment);
    invocation.words.push_back(std::move(argument));
    return;
  }
  std::vector<std::uint32_t> reads;
  const ReadScope scope(session_, &reads);
  for (Value& value : expander_.declared_texts(world, *word)) {
    argument.assignment = ExpandedAssignment{&assignment, std::move(value), {}, {}, reads};
    invocation.words.push_back(argument);
  }
}

void Interpreter::run_simple(const Statement& statement, const SimpleCommand& command,
                             WorldPtr world, Worlds& out) {
  const auto prepare = [&](World& w) {
    Invocation invocation;
    invocation.span = statement.span;
    invocation.redirections = &statement.redirections;
    w.substitution_status.reset();
    invocation.words.reserve(command.words.size());
    std::vector<Field> fields;
    for (const auto& word : command.words) {
      if (!w.is_running()) return invocation;
      if (const auto* assignment = std::get_if<Assignment>(&word)) {
        add_declared(w, *assignment, invocation);
        continue;
      }
      fields.clear();
      expander_.fields(w, std::get<Word>(word), fields);
      for (Field& field : fields) invocation.words.push_back({std::move(field), std::nullopt});
    }
    for (const Assignment& assignment : command.assignments) {
      if (!w.is_running()) return invocation;
      invocation.assignments.push_back(expand_assignment(w, assignment));
      // Without a command each assignment is seen by the next.
      if (!invocation.words.empty() || !w.is_running()) continue;
      if (!apply_assignment(w, invocation.assignments.back()) && w.is_running()) {
        w.flow = Flow::kAbort;
        w.status = Status::of(1);
      }
    }
    return invocation;
  };
  const Shared<Descriptors> outer = world->shell.descriptors;
  expand_then(std::move(world), command_branches(statement, command), out, prepare,
              [&](WorldPtr w, Invocation invocation, Worlds& results) {
                run_prepared(std::move(w), std::move(invocation), outer, results);
              });
}

bool Interpreter::runs_in_shell(const World& world, const std::string& name) {
  const Shared<FunctionBinding>& function = world.shell.functions.find(session_.names.id(name));
  return (function && function->definition != nullptr) || is_builtin(name);
}

void Interpreter::run_prepared(WorldPtr world, Invocation invocation,
                               const Shared<Descriptors>& outer, Worlds& out) {
  World& w = *world;
  const std::size_t inputs = Io::input_count(w);
  // An external command opens its files in its own process: what that assigns is lost again, and
  // what fails there fails only there.
  const bool has_own_process = w.is_running() && !invocation.redirections->empty() &&
                               !invocation.words.empty() && !runs_in_shell(w, invocation.name());
  const Table<Variable> variables = has_own_process ? w.shell.variables : Table<Variable>();
  const bool opened = !w.is_running() || apply_redirections(w, *invocation.redirections);
  if (has_own_process) w.shell.variables = variables;
  if (!opened) {
    if (has_own_process) w.flow = Flow::kNext;
    if (w.is_running()) w.status = Status::of(1);
    w.shell.descriptors = outer;
    Io::close_inputs(w, inputs);
    out.push_back(std::move(world));
    return;
  }
  if (!w.is_running() || invocation.words.empty()) {
    if (w.is_running()) w.status = w.substitution_status.value_or(Status::of(0));
    w.shell.descriptors = outer;
    Io::close_inputs(w, inputs);
    out.push_back(std::move(world));
    return;
  }
  const bool has_process_files = std::exchange(process_files_, 0) > 0;
  const bool keeps_redirections = invocation.words.size() == 1 &&
                                  !invocation.words.front().assignment &&
                                  invocation.name() == "exec";
  const std::size_t first = out.size();
  run_invocation(std::move(world), std::move(invocation), Lookup::kAll, out);
  for (std::size_t i = first; i < out.size(); ++i) {
    if (has_process_files) io_.remove_process_files(*out[i]);
    if (keeps_redirections) continue;
    out[i]->shell.descriptors = outer;
    Io::close_inputs(*out[i], inputs);
  }
}

void Interpreter::run_invocation(WorldPtr world, Invocation invocation, Lookup lookup,
                                 Worlds& out) {
  if (invocation.assignments.empty()) {
    run_looked_up(std::move(world), std::move(invocation), lookup, out);
  } else {
    run_with_assignments(std::move(world), std::move(invocation), lookup, out);
  }
}

// A=1 command: the variables live, exported, as long as the command.
void Interpreter::run_with_assignments(WorldPtr world, Invocation invocation, Lookup lookup,
                                       Worlds& out) {
  World& w = *world;
  Variables::push_scope(w, Scope::Kind::kAssignments);
  const std::size_t depth = w.shell.scopes->size();
  for (const ExpandedAssignment& assignment : invocation.assignments) {
    const NameId name = session_.names.id(assignment.source->name);
    if (assignment.is_array() || assignment.source->subscript != nullptr) continue;
    variables_.hide(w, name);
    Value value = assignment.scalar;
    if (assignment.source->appends) {
      Value before = w.shell.scopes->back().hidden.back().second
                         ? w.shell.scopes->back().hidden.back().second->scalar
                         : Value();
      before.append(std::move(value));
      value = std::move(before);
    }
    variables_.assign(w, name, std::move(value), assignment.source->span);
    Variable& variable = w.shell.variables.write(name);
    variable.exported = true;
    // The command sees it.
    session_.mark_read(variable);
    for (const std::uint32_t read : assignment.reads) {
      session_.link_assignments(read, variable.assignment);
    }
  }
  invocation.assignments.clear();
  const std::size_t first = out.size();
  run_looked_up(std::move(world), std::move(invocation), lookup, out);
  for (std::size_t i = first; i < out.size(); ++i) {
    while (out[i]->shell.scopes->size() >= depth) Variables::pop_scope(*out[i]);
  }
}

void Interpreter::run_looked_up(WorldPtr world, Invocation invocation, Lookup lookup, Worlds& out) {
  World& w = *world;
  if (!invocation.words.front().value().is_known()) {
    run_external(std::move(world), std::move(invocation), out);
    return;
  }
  const std::string name = invocation.name();
  if (lookup == Lookup::kAll) {
    const Shared<FunctionBinding>& function = w.shell.functions.find(session_.names.id(name));
    if (function && function->definition != nullptr) {
      if (answer_by_host(w, name, invocation)) {
        out.push_back(std::move(world));
        return;
      }
      const FunctionBinding binding = *function;
      run_function(std::move(world), binding, std::move(invocation), out);
      return;
    }
  }
  if (lookup != Lookup::kExternalOnly) {
    if (runs_other_commands(name)) {
      run_flow_builtin(std::move(world), name, std::move(invocation), out);
      return;
    }
    if (const Builtin builtin = find_builtin(name)) {
      BuiltinCall call{*this, w, invocation};
      Status status = builtin(call);
      if (w.is_running()) w.status = std::move(status);
      out.push_back(std::move(world));
      return;
    }
  }
  run_external(std::move(world), std::move(invocation), out);
}

bool Interpreter::answer_by_host(World& world, const std::string& name,
                                 const Invocation& invocation) {
  const HostModels* host = session_.input.host;
  if (host == nullptr || !host->knows(name)) return false;
  const std::vector<Value> values = invocation.values();
  const HostQuestion question{name, std::span<const Value>(values).subspan(1),
                              [&](std::string_view variable) {
                                return variables_.scalar(world, session_.names.id(variable));
                              }};
  std::optional<HostAnswer> answer = host->answer(question);
  if (!answer) return false;
  for (Piece& piece : answer->output.pieces()) {
    piece.origin = session_.origin(invocation.span, "output of " + name, piece.origin);
  }
  io_.write(world, 1, std::move(answer->output), invocation.span);
  world.status = std::move(answer->status);
  return true;
}

void Interpreter::define_function(const FunctionDefinition& definition, World& world) {
  FunctionBinding& binding = world.shell.functions.write(session_.names.id(definition.name));
  binding.definition = &definition;
  binding.source = world.shell.frames->back().source;
  world.status = Status::of(0);
}

void Interpreter::run_function(WorldPtr world, const FunctionBinding& function,
                               Invocation invocation, Worlds& out) {
  World& w = *world;
  if (call_depth_ >= static_cast<int>(session_.input.limits.call_depth)) {
    session_.limit(invocation.span,
                   "more than " + std::to_string(call_depth_) + " functions that call each other");
    w.status = Status::unknown("a limit of the evaluation");
    out.push_back(std::move(world));
    return;
  }
  if (recurses_on_host(w, function, invocation)) {
    // How deep it goes only the host knows, and so what comes of it.
    const std::string& name = function.definition->name;
    if (Io::descriptor(w, 1).kind == Descriptor::Kind::kCapture) {
      io_.write(w, 1, Value::unknown("output of " + name), invocation.span);
    }
    w.status = Status::unknown("exit status of " + name);
    out.push_back(std::move(world));
    return;
  }
  note_demands(contract_of(*function.definition), *function.definition, invocation);
  const Shared<Positional> positional = w.shell.positional;
  const Shared<std::vector<Frame>> frames = w.shell.frames;
  Positional arguments;
  for (std::size_t i = 1; i < invocation.words.size(); ++i) {
    Field& field = invocation.words[i].field;
    if (arguments.uncertain_count.empty()) arguments.uncertain_count = field.uncertain_count;
    arguments.values.push_back(std::move(field.value));
  }
  w.shell.positional = Shared<Positional>(std::move(arguments));
  w.shell.frames.write().push_back(
      {session_.names.text(session_.names.id(function.definition->name)), function.source,
       invocation.span});
  Variables::push_scope(w, Scope::Kind::kFunction);
  const std::size_t depth = w.shell.scopes->size();
  const int loops = std::exchange(loop_depth_, 0);
  ++call_depth_;
  const std::size_t first = out.size();
  calls_.push_back({function.definition, w.assumptions ? w.assumptions->size() : 0});
  run(*function.definition->body, std::move(world), out);
  calls_.pop_back();
  --call_depth_;
  loop_depth_ = loops;
  for (std::size_t i = first; i < out.size(); ++i) {
    World& result = *out[i];
    if (result.flow == Flow::kReturn) result.flow = Flow::kNext;
    while (result.shell.scopes->size() >= depth) Variables::pop_scope(result);
    result.shell.positional = positional;
    result.shell.frames = frames;
  }
}

void Interpreter::note(const World& world, const std::vector<Value>& argv,
                       const std::vector<Argument>& words, text::Span span) {
  NotedCommand command;
  command.argv = argv;
  for (const Argument& word : words) command.argument_spans.push_back(word.field.span);
  command.span = span;
  command.call_stack = *world.shell.frames;
  session_.add_noted(std::move(command));
}

void Interpreter::record(World& world, const std::vector<Value>& argv,
                         const std::vector<Argument>& words, text::Span span) {
  if (session_.input.noted && session_.input.noted(argv)) note(world, argv, words, span);
  if (session_.input.wanted && !session_.input.wanted(argv)) return;
  if (world.executions && world.executions->size() >= session_.input.limits.executions) {
    session_.limit(span, "more than " + std::to_string(world.executions->size()) + " commands");
    return;
  }
  Execution execution;
  execution.argv = argv;
  for (const Argument& word : words) execution.argument_spans.push_back(word.field.span);
  variables_.collect_environment(world, execution);
  execution.files = world.files;
  execution.working_directory = *world.shell.directory;
  execution.background = background_depth_ > 0;
  if (world.assumptions) execution.assumptions = *world.assumptions;
  execution.span = span;
  execution.call_stack = world.shell.frames;
  world.executions.write().push_back({Shared<Execution>(std::move(execution)), true});
}

// An argument that its line has lost: no command has such a name, or it is the name of a variable
// in capitals, as in a list of names that ends one line too early.
bool Interpreter::is_stray_word(const World& world, const Value& word) {
  if (!word.is_known()) return false;
  const std::string name = word.text();
  if (cannot_be_command(name)) return true;
  const bool is_upper = name.size() > 1 && std::all_of(name.begin(), name.end(), [](char c) {
                          return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
                        });
  if (!is_upper) return false;
  const Shared<Variable>& variable = world.shell.variables.find(session_.names.id(name));
  return variable && variable->is_set;
}

void Interpreter::run_external(WorldPtr world, Invocation invocation, Worlds& out) {
  World& w = *world;
  const std::vector<Value> argv = invocation.values();
  const text::Span span = invocation.span;
  const std::string name = invocation.name();
  session_.add_command(name, span);
  if (is_stray_word(w, argv.front())) {
    session_.report(w, DiagnosticKind::kCommandNotFound, span, "'" + name + "' is not a command",
                    name);
    w.status = Status::of(127);
    out.push_back(std::move(world));
    return;
  }
  variables_.mark_exported_read(w);
  record(w, argv, invocation.words, span);
  if (answer_by_host(w, name, invocation)) {
    out.push_back(std::move(world));
    return;
  }
  if (run_script_file(world, argv, span, out)) return;
  run_unwrapped(std::move(world), argv, span, out);
}

// Looks behind wrappers for something that can be evaluated; else says what is not known.
void Interpreter::run_unwrapped(WorldPtr world, const std::vector<Value>& argv, text::Span span,
                                Worlds& out) {
  World& w = *world;
  const std::string name = argv.front().text();
  const auto slash = name.rfind('/');
  const std::string base = slash == std::string::npos ? name : name.substr(slash + 1);
  if (base == "bash" || base == "sh") {
    run_child_shell(std::move(world), argv, span, out);
    return;
  }
  ExternalCall call{*this, w, argv, span};
  if (std::optional<Status> status = run_modelled(call)) {
    w.status = *std::move(status);
    out.push_back(std::move(world));
    return;
  }
  if (const std::optional<WrappedCommand> inner = unwrap(argv)) {
    if (run_wrapped(world, argv, *inner, span, out)) return;
  }
  session_.note_maker(argv);
  const std::string cause = "output of " + base;
  const Descriptor output = Io::descriptor(w, 1);
  if (output.kind == Descriptor::Kind::kCapture || output.kind == Descriptor::Kind::kFile) {
    io_.write(w, 1, Value::unknown(cause, session_.origin(span, cause)), span);
  }
  w.status = Status::unknown("exit status of " + base);
  out.push_back(std::move(world));
}

bool Interpreter::run_wrapped(WorldPtr& world, const std::vector<Value>& argv,
                              const WrappedCommand& inner, text::Span span, Worlds& out) {
  if (inner.first >= argv.size() || !argv[inner.first].is_known()) return false;
  const ShellState outer = world->shell;
  ++world->shell.subshell_depth;
  for (const auto& [name, value] : inner.environment) {
    const NameId id = session_.names.id(name);
    variables_.assign(*world, id, value, span);
    world->shell.variables.write(id).exported = true;
  }
  Worlds results;
  const std::vector<Value> command(argv.begin() + static_cast<std::ptrdiff_t>(inner.first),
                                   argv.end());
  if (inner.is_shell_text) {
    Value text;
    for (const Value& word : command) {
      if (!text.empty()) text.append(Piece{" ", true, {}, {}});
      text.append(word);
    }
    run_child_shell(std::move(world), {Value::of("bash"), Value::of("-c"), text}, span, results);
  } else if (!run_script_file(world, command, span, results)) {
    run_unwrapped(std::move(world), command, span, results);
  }
  for (WorldPtr& result : results) {
    result->shell = outer;
    result->flow = Flow::kNext;
    result->exit_reason.clear();
  }
  std::move(results.begin(), results.end(), std::back_inserter(out));
  return true;
}

}  // namespace recipelint::shell
