#include <algorithm>
#include <utility>

#include "analyzer/shell/builtins.h"
#include "analyzer/shell/externals.h"
#include "analyzer/shell/interpreter.h"
#include "analyzer/shell/interpreter_branching.h"
#include "analyzer/shell/host_script.h"
#include "analyzer/shell/line_ends.h"
#include "analyzer/shell/options.h"

namespace recipelint::shell {
namespace {

constexpr std::string_view kUnknownPrefix = "recipelint_unknown_";

// Whether the text ends inside of '...'.
bool ends_in_single_quotes(std::string_view text) {
  bool single = false;
  bool in_double = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (single) {
      single = c != '\'';
    } else if (c == '\\') {
      ++i;
    } else if (c == '"') {
      in_double = !in_double;
    } else if (c == '\'' && !in_double) {
      single = true;
    }
  }
  return single;
}

// The text of a command that is whole is not known: it can be anything. Not so where the unknown is
// a part of a word, or words before a command that is known.
std::string unknown_code_cause(const Value& program) {
  const auto ends_command = [](std::string_view text) {
    const auto last = text.find_last_not_of(" \t");
    return last == std::string_view::npos ||
           std::string_view("\n;&|({").find(text[last]) != std::string_view::npos;
  };
  const auto begins_command = [](std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ||
           std::string_view("\n;&|)}").find(text[first]) != std::string_view::npos;
  };
  const std::vector<Piece>& pieces = program.pieces();
  std::string before;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].known) {
      before = pieces[i].text.get();
      continue;
    }
    const bool at_end =
        i + 1 == pieces.size() || (pieces[i + 1].known && begins_command(pieces[i + 1].text.get()));
    if (ends_command(before) && at_end && !ends_in_single_quotes(before))
      return pieces[i].text.get();
    before = "?";
  }
  return {};
}

bool looks_like_script(std::string_view path, std::string_view content) {
  if (content.starts_with("#!")) {
    const std::string_view line = content.substr(0, content.find('\n'));
    return line.find("sh") != std::string_view::npos;
  }
  return path.ends_with(".sh");
}

}  // namespace

// The text of a program of which parts are unknown: they stand as variables with unknown values.
std::string Interpreter::program_text(World& world, const Value& text) {
  if (text.is_known()) return text.text();
  std::string out;
  for (const Piece& piece : text.pieces()) {
    if (piece.known) {
      out += piece.text.get();
      continue;
    }
    const std::string name = std::string(kUnknownPrefix) + std::to_string(unknown_texts_++);
    Variable& variable = world.shell.variables.write(session_.names.id(name));
    variable.is_set = true;
    variable.scalar = Value::unknown(piece.text.get(), piece.origin, piece.shape);
    if (ends_in_single_quotes(out)) {
      out.append("'\"${").append(name).append("}\"'");
    } else {
      out.append("${").append(name).append("}");
    }
  }
  return out;
}

// A file of the host: it sets variables of its own, and is not taken to change those of the script.
void Interpreter::source_unknown(World& world, std::string cause) {
  session_.result.ran_unknown_code = true;
  if (world.shell.unknown_code) return;
  world.shell.unknown_code = Shared<UnknownCode>(UnknownCode{std::move(cause), false});
}

// Code that only the host knows may set every variable.
void Interpreter::forget_variables(World& world, const std::string& cause, text::Span span) {
  session_.result.ran_unknown_code = true;
  std::vector<NameId> names;
  world.shell.variables.for_each([&](NameId name, const Shared<Variable>& variable) {
    const bool is_own = name < kWellKnownNames || variable->readonly || variable->reference ||
                        session_.names.text(name).starts_with(kUnknownPrefix);
    if (is_own) return;
    names.push_back(name);
    session_.mark_read(*variable);
  });
  for (const NameId name : names) variables_.make_unknown(world, name, cause, span);
  world.shell.unknown_code = Shared<UnknownCode>(UnknownCode{cause, true});
}

void Interpreter::run_text(WorldPtr world, const std::string& text, text::Span span, Worlds& out) {
  if (call_depth_ >= static_cast<int>(session_.input.limits.call_depth)) {
    session_.limit(span, "eval nested too deeply");
    world->status = Status::unknown("a limit of the evaluation");
    out.push_back(std::move(world));
    return;
  }
  session_.charge_bytes(text.size());
  const Script& script = session_.parse(text, span);
  ++call_depth_;
  Worlds worlds;
  worlds.push_back(std::move(world));
  worlds.front()->status = Status::of(0);
  run_program(script.body, worlds);
  --call_depth_;
  std::move(worlds.begin(), worlds.end(), std::back_inserter(out));
}

void Interpreter::run_trap(World& world, const std::string& name) {
  if (!world.shell.traps || in_trap_) return;
  const auto found = world.shell.traps->find(name);
  if (found == world.shell.traps->end() || !found->second.is_known()) return;
  const std::string text = found->second.text();
  if (text.empty()) return;
  in_trap_ = true;
  const Flow flow = std::exchange(world.flow, Flow::kNext);
  const Status status = world.status;
  const std::string reason = world.exit_reason;
  Worlds results;
  const std::uint32_t depth = world.shell.subshell_depth;
  // Not at depth 0, or the worlds that leave would be finished here.
  ++world.shell.subshell_depth;
  WorldPtr running = std::make_unique<World>(std::move(world));
  const Script& script = session_.parse(text, session_.current);
  results.push_back(std::move(running));
  for (WorldPtr& result : results) result->status = status;
  run_program(script.body, results);
  for (WorldPtr& result : results) result->shell.subshell_depth = depth;
  join(results);
  make_one(results);
  world = std::move(*results.front());
  in_trap_ = false;
  if (world.flow == Flow::kExit) return;  // "exit" in a trap has the last word
  world.flow = flow;
  world.status = status;
  world.exit_reason = reason;
}

void Interpreter::run_source(WorldPtr world, const std::string& path, std::vector<Value> arguments,
                             text::Span span, Worlds& out) {
  World& w = *world;
  const std::string absolute = io_.absolute(w, path);
  const StatementList* body = find_program(w, absolute, span);
  if (body == nullptr) {
    const Io::Entry entry = io_.entry(w, absolute);
    if (entry.exists == Answer::kNo || entry.is_folder) {
      session_.report(w, DiagnosticKind::kMissingSource, span, "'" + path + "' does not exist",
                      io_.tree_path(absolute).value_or(path));
      w.status = Status::of(1);
    } else {
      if (io_.tree_path(absolute)) {
        session_.report(w, DiagnosticKind::kOutsideSource, span,
                        "'" + path + "' leads out of the root", *io_.tree_path(absolute));
      }
      w.status = Status::unknown("content of " + path);
      source_unknown(w, "content of " + path);
    }
    out.push_back(std::move(world));
    return;
  }
  if (call_depth_ >= static_cast<int>(session_.input.limits.call_depth)) {
    session_.limit(span, "source nested too deeply");
    out.push_back(std::move(world));
    return;
  }
  const Shared<std::vector<Frame>> frames = w.shell.frames;
  const Shared<Positional> positional = w.shell.positional;
  w.shell.frames.write().push_back({"source", path, span});
  const bool own_arguments = !arguments.empty();
  if (own_arguments) w.shell.positional = Shared<Positional>(Positional{std::move(arguments), {}});
  ++call_depth_;
  Worlds worlds;
  worlds.push_back(std::move(world));
  worlds.front()->status = Status::of(0);
  run_program(*body, worlds);
  --call_depth_;
  for (WorldPtr& result : worlds) {
    if (result->flow == Flow::kReturn) result->flow = Flow::kNext;
    result->shell.frames = frames;
    if (own_arguments) result->shell.positional = positional;
    out.push_back(std::move(result));
  }
}

// The commands of a file: one of the tree, or one that the script wrote. Null if it cannot be read.
const StatementList* Interpreter::find_program(World& world, const std::string& absolute,
                                               text::Span blame) {
  const bool written = world.files && world.files->contains(absolute);
  if (!written) {
    const std::optional<std::string> inside = io_.tree_path(absolute);
    if (!inside || !io_.entry(world, absolute).is_file) return nullptr;
    const Script* script = session_.load_script(*inside);
    if (script == nullptr) return nullptr;
    report_line_ends(session_, world, *inside);
    std::vector<std::string>& scripts = session_.result.scripts;
    if (std::find(scripts.begin(), scripts.end(), *inside) == scripts.end()) {
      scripts.push_back(*inside);
    }
    return &script->body;
  }
  const std::optional<Value> content = io_.read_file(world, absolute);
  if (!content) return nullptr;
  return &session_.parse(program_text(world, *content), blame).body;
}

// What a new process of bash keeps of its parent.
void Interpreter::enter_child_shell(World& world) {
  ShellState child;
  world.shell.variables.for_each([&](NameId name, const Shared<Variable>& variable) {
    const bool is_placeholder = session_.names.text(name).starts_with(kUnknownPrefix);
    if ((variable->exported && !variable->is_array()) || is_placeholder) {
      child.variables.replace(name, variable);
    } else {
      child.variables.replace(name, Shared<Variable>(Variable()));
    }
  });
  child.descriptors = world.shell.descriptors;
  child.directory = world.shell.directory;
  child.previous_directory = world.shell.previous_directory;
  child.subshell_depth = world.shell.subshell_depth + 1;
  child.unknown_code = world.shell.unknown_code;
  child.positional = Shared<Positional>(Positional());
  child.frames = Shared<std::vector<Frame>>(std::vector<Frame>());
  world.shell = std::move(child);
}

void Interpreter::run_child_shell(WorldPtr world, const std::vector<Value>& argv, text::Span span,
                                  Worlds& out) {
  const ShellState outer = world->shell;
  std::optional<ShellArguments> arguments = parse_shell_arguments(argv);
  if (!arguments) {
    world->status = Status::unknown("exit status of " + argv.front().text());
    if (Io::descriptor(*world, 1).kind == Descriptor::Kind::kCapture) {
      io_.write(*world, 1, Value::unknown("output of a shell"), span);
    }
    out.push_back(std::move(world));
    return;
  }
  World& w = *world;
  enter_child_shell(w);
  w.shell.options = arguments->options;
  w.shell.zeroth = arguments->zeroth;
  w.shell.positional = Shared<Positional>(Positional{std::move(arguments->positional), {}});
  const StatementList* body = nullptr;
  std::string source = "main";
  if (arguments->command) {
    body = &session_.parse(program_text(w, *arguments->command), span).body;
  } else if (arguments->script && arguments->script->is_known()) {
    source = arguments->script->text();
    body = find_program(w, io_.absolute(w, source), span);
    if (body == nullptr) session_.add_command(source, span);
  } else if (!arguments->script) {
    const Value input = io_.read_all(w, 0);
    if (Io::descriptor(w, 0).kind == Descriptor::Kind::kInput) {
      body = &session_.parse(program_text(w, input), span).body;
    }
  }
  if (body == nullptr) session_.add_command(kHostScript, span);
  w.shell.frames = Shared<std::vector<Frame>>({Frame{"main", source, {}}});
  run_shell_body(std::move(world), body, outer, span, out);
}

void Interpreter::run_shell_body(WorldPtr world, const StatementList* body, const ShellState& outer,
                                 text::Span span, Worlds& out) {
  Worlds results;
  if (body == nullptr || call_depth_ >= static_cast<int>(session_.input.limits.call_depth)) {
    if (body != nullptr) session_.limit(span, "shells nested too deeply");
    world->status = Status::unknown("exit status of a script of the host");
    if (Io::descriptor(*world, 1).kind == Descriptor::Kind::kCapture) {
      io_.write(*world, 1, Value::unknown("output of a script of the host"), span);
    }
    results.push_back(std::move(world));
  } else {
    const int unchecked = std::exchange(session_.unchecked_depth, 0);
    const int loops = std::exchange(loop_depth_, 0);
    ++call_depth_;
    world->status = Status::of(0);
    results.push_back(std::move(world));
    run_program(*body, results);
    for (WorldPtr& result : results) run_trap(*result, "EXIT");
    --call_depth_;
    loop_depth_ = loops;
    session_.unchecked_depth = unchecked;
  }
  for (WorldPtr& result : results) {
    result->shell = outer;
    result->flow = Flow::kNext;
    result->exit_reason.clear();
  }
  join(results);
  std::move(results.begin(), results.end(), std::back_inserter(out));
}

bool Interpreter::run_script_file(WorldPtr& world, const std::vector<Value>& argv, text::Span span,
                                  Worlds& out) {
  if (!argv.front().is_known()) return false;
  const std::string path = argv.front().text();
  if (path.find('/') == std::string::npos) return false;
  const std::string absolute = io_.absolute(*world, path);
  const Io::Entry entry = io_.entry(*world, absolute);
  if (!entry.is_file) return false;
  const std::optional<Value> content = io_.read_file(*world, absolute);
  if (!content || !looks_like_script(path, content->text())) return false;
  std::vector<Value> command = {Value::of("bash")};
  command.insert(command.end(), argv.begin(), argv.end());
  run_child_shell(std::move(world), command, span, out);
  return true;
}

void Interpreter::run_flow_builtin(WorldPtr world, const std::string& name, Invocation invocation,
                                   Worlds& out) {
  World& w = *world;
  const text::Span span = invocation.span;
  std::vector<Value> values = invocation.values();
  if (name == "eval") {
    Value text;
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (i > 1) text.append(Piece{" ", true, {}, {}});
      text.append(values[i]);
    }
    for (const Piece& piece : text.pieces()) {
      if (!piece.known) session_.policy.keep_apart(piece.text.get());
    }
    const std::string cause = unknown_code_cause(text);
    const std::string program = program_text(w, text);
    const std::size_t start = out.size();
    run_text(std::move(world), program, span, out);
    if (cause.empty()) return;
    for (std::size_t i = start; i < out.size(); ++i) {
      forget_variables(*out[i], "eval of " + cause, span);
      if (out[i]->is_running()) out[i]->status = Status::unknown("exit status of " + cause);
    }
    return;
  }
  if (name == "source" || name == ".") {
    const std::size_t first = values.size() > 1 && values[1].text() == "--" ? 2 : 1;
    if (values.size() <= first) {
      w.status = Status::of(2);
      out.push_back(std::move(world));
    } else if (!values[first].is_known()) {
      w.status = Status::unknown(std::string(values[first].cause()));
      source_unknown(w, std::string(values[first].cause()));
      out.push_back(std::move(world));
    } else {
      const std::string path = values[first].text();
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first) + 1);
      run_source(std::move(world), path, std::move(values), span, out);
    }
    return;
  }
  run_indirectly(std::move(world), name, std::move(invocation), out);
}

// exec, command and builtin: another command follows their own options.
void Interpreter::run_indirectly(WorldPtr world, const std::string& name, Invocation invocation,
                                 Worlds& out) {
  World& w = *world;
  auto& words = invocation.words;
  std::size_t first = 1;
  bool asks = false;
  while (first < words.size() && words[first].value().is_known()) {
    const std::string option = words[first].value().text();
    if (option.size() < 2 || option[0] != '-') break;
    ++first;
    if (option == "--") break;
    if (name == "command" &&
        (option.find('v') != std::string::npos || option.find('V') != std::string::npos)) {
      asks = true;
    }
    if (name == "exec" && option == "-a") ++first;
  }
  if (asks) {
    w.status = locate_command(w, invocation, std::min(first, words.size()));
    out.push_back(std::move(world));
    return;
  }
  if (first >= words.size()) {
    w.status = Status::of(0);
    out.push_back(std::move(world));
    return;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first));
  if (name != "exec") {
    const Lookup lookup = name == "builtin" ? Lookup::kBuiltinsOnly : Lookup::kNoFunctions;
    run_looked_up(std::move(world), std::move(invocation), lookup, out);
    return;
  }
  const text::Span span = invocation.span;
  const std::size_t start = out.size();
  run_looked_up(std::move(world), std::move(invocation), Lookup::kExternalOnly, out);
  for (std::size_t i = start; i < out.size(); ++i) {
    World& result = *out[i];
    if (!result.is_running()) continue;
    // The new program takes the place of the shell, traps and all.
    result.shell.traps = {};
    result.flow = Flow::kExit;
    result.exit_span = span;
  }
}

Status Interpreter::locate_command(World& world, const Invocation& invocation, std::size_t first) {
  Status status = Status::of(invocation.words.size() > first ? 0 : 1);
  for (std::size_t i = first; i < invocation.words.size(); ++i) {
    const Value& word = invocation.words[i].value();
    const std::string name = word.text();
    const Shared<FunctionBinding>& function = world.shell.functions.find(session_.names.id(name));
    const text::Origin origin = session_.origin(invocation.span);
    Value found;
    if ((function && function->definition != nullptr) || is_builtin(name)) {
      found = Value::of(name, origin);
    } else {
      // Where it lies only the host knows, but not what it is called.
      found = Value::unknown("directory of " + name, origin, Shape::kNotEmpty);
      found.append(Piece{"/" + name, true, origin, {}});
      if (!is_on_every_host(name)) status = Status::unknown("whether " + name + " is installed");
    }
    found.append(Piece{"\n", true, {}, {}});
    io_.write(world, 1, std::move(found), invocation.span);
  }
  return status;
}

}  // namespace recipelint::shell
