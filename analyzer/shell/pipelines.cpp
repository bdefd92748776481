#include <algorithm>
#include <utility>

#include "analyzer/shell/interpreter.h"
#include "analyzer/shell/interpreter_branching.h"

namespace recipelint::shell {
namespace {

// $(...) loses the newlines at its end.
void strip_newlines(Value& value) {
  std::vector<Piece>& pieces = value.pieces();
  while (!pieces.empty() && pieces.back().known) {
    if (pieces.back().text.parameter() != 0) return;
    std::string& text = pieces.back().text.write();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (!text.empty()) return;
    pieces.pop_back();
  }
}

void drop_nul(Value& value) {
  for (Piece& piece : value.pieces()) {
    if (piece.known && piece.text.parameter() == 0) std::erase(piece.text.write(), '\0');
  }
}

bool is_file_read(const StatementList& body) {
  if (body.size() != 1 || body.front().redirections.size() != 1 || body.front().background) {
    return false;
  }
  const auto* simple = std::get_if<SimpleCommand>(&body.front().command);
  const Redirection& redirection = body.front().redirections.front();
  return simple != nullptr && simple->words.empty() && simple->assignments.empty() &&
         redirection.kind == Redirection::Kind::kRead && !redirection.descriptor;
}

}  // namespace

Value Interpreter::substitute(World& world, const CommandSubstitution& substitution,
                              text::Span span) {
  // What commands do with a value is not known.
  const ReadScope scope(session_, nullptr);
  if (substitution.body == nullptr) {
    session_.report(world, DiagnosticKind::kUnparsed, span, "this could not be understood");
    return Value::unknown("a command that could not be understood", session_.origin(span));
  }
  if (is_file_read(*substitution.body)) {
    const Value path =
        expander_.text(world, substitution.body->front().redirections.front().target);
    if (!path.is_known()) return Value::unknown(std::string(path.cause()), path.origin());
    std::optional<Value> content = io_.read_file(world, io_.absolute(world, path.text()));
    world.substitution_status = Status::of(content ? 0 : 1);
    Value text = content ? *std::move(content) : Value();
    strip_newlines(text);
    return text;
  }
  Worlds results = run_captured(world, *substitution.body);
  std::uint32_t taken = 0;
  if (session_.tape != nullptr && results.size() > 1) {
    taken = session_.tape->choose(static_cast<std::uint32_t>(results.size()));
  } else {
    make_one(results);
  }
  World& result = *results[taken];
  Value text = Io::close_capture(result);
  // $? in the same command already is that of the substitution.
  result.substitution_status = result.status;
  result.pipe_status = world.pipe_status;
  world = std::move(result);
  strip_newlines(text);
  drop_nul(text);
  return text;
}

// Runs commands in a subshell of which the output is kept: the buffer opened last of each result.
Worlds Interpreter::run_captured(const World& world, const StatementList& body) {
  WorldPtr inner = std::make_unique<World>(world);
  ++inner->shell.subshell_depth;
  inner->shell.options.errexit =
      inner->shell.options.errexit && inner->shell.options.inherit_errexit;
  inner->shell.traps = {};
  Descriptor capture;
  capture.kind = Descriptor::Kind::kCapture;
  capture.index = Io::open_capture(*inner);
  Io::set_descriptor(*inner, 1, capture);
  ChoiceTape* const tape = std::exchange(session_.tape, nullptr);
  Worlds results;
  results.push_back(std::move(inner));
  run_program(body, results);
  session_.tape = tape;
  for (WorldPtr& result : results) {
    run_trap(*result, "EXIT");
    // Only what a subshell leaves behind tells the outcomes apart.
    result->shell = world.shell;
    result->flow = Flow::kNext;
    result->exit_reason.clear();
  }
  join(results);
  return results;
}

Value Interpreter::substitute_process(World& world, const ProcessSubstitution& substitution,
                                      text::Span span) {
  const ReadScope scope(session_, nullptr);
  const text::Origin origin = session_.origin(span);
  if (!substitution.reads_from_command || substitution.body == nullptr) {
    // What is written to >(...) goes to a command that shapes no value of this shell.
    return Value::of("/dev/null", origin);
  }
  Worlds results = run_captured(world, *substitution.body);
  for (WorldPtr& result : results) result->status = world.status;
  make_one(results);
  Value text = Io::close_capture(*results.front());
  world = std::move(*results.front());
  const std::string path = Io::kProcessFilePrefix + std::to_string(process_files_++);
  io_.write_file(world, path, std::move(text), span, false);
  return Value::of(path, origin);
}

struct Interpreter::PipelineRun {
  const Pipeline& pipeline;
  ShellState outer;
};

void Interpreter::run_pipeline(const Pipeline& pipeline, WorldPtr world, Worlds& out) {
  PipelineRun state{pipeline, world->shell};
  run_stage(state, 0, std::move(world), {}, {}, out);
}

void Interpreter::run_stage(PipelineRun& state, std::size_t stage, WorldPtr world, Value input,
                            std::vector<Status> statuses, Worlds& out) {
  const bool last = stage + 1 == state.pipeline.commands.size();
  const bool in_this_shell = last && state.outer.options.lastpipe;
  const std::size_t inputs = Io::input_count(*world);
  if (stage > 0) Io::set_descriptor(*world, 0, Io::open_input(*world, std::move(input)));
  if (!in_this_shell) {
    ++world->shell.subshell_depth;
    world->shell.traps = {};
  }
  if (!last) {
    Descriptor capture;
    capture.kind = Descriptor::Kind::kCapture;
    capture.index = Io::open_capture(*world);
    if (state.pipeline.pipes_standard_error[stage]) Io::set_descriptor(*world, 2, capture);
    Io::set_descriptor(*world, 1, capture);
  }
  Worlds results;
  run(state.pipeline.commands[stage], std::move(world), results);
  for (WorldPtr& result : results) {
    if (in_this_shell) {
      result->shell.descriptors = state.outer.descriptors;
    } else {
      run_trap(*result, "EXIT");
      result->shell = state.outer;
      result->flow = Flow::kNext;
      result->exit_reason.clear();
    }
    Io::close_inputs(*result, inputs);
  }
  join(results);
  for (WorldPtr& result : results) {
    std::vector<Status> all = statuses;
    all.push_back(result->status);
    if (last) {
      finish_pipeline(*result, std::move(all));
      out.push_back(std::move(result));
    } else {
      Value text = Io::close_capture(*result);
      run_stage(state, stage + 1, std::move(result), std::move(text), std::move(all), out);
    }
  }
}

void Interpreter::finish_pipeline(World& world, std::vector<Status> statuses) {
  Status status = statuses.back();
  if (world.shell.options.pipefail) {
    // The last one that failed; one that only the host knows may have.
    for (auto each = statuses.rbegin(); each != statuses.rend(); ++each) {
      status = *each;
      if (!each->known || each->value != 0) break;
    }
  }
  if (world.is_running()) world.status = std::move(status);
  world.pipe_status = std::move(statuses);
}

}  // namespace recipelint::shell
