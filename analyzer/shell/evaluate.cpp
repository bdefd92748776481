#include "analyzer/shell/evaluate.h"

#include <algorithm>
#include <utility>

#include "analyzer/shell/interpreter.h"
#include "analyzer/shell/line_ends.h"
#include "analyzer/shell/parse.h"

namespace recipelint::shell {
namespace {

bool certainly_has(const WorldEnd& end, const Execution& execution) {
  return std::any_of(
      end.executions.begin(), end.executions.end(), [&](const RecordedExecution& other) {
        return other.always &&
               (other.execution.get() == &execution || same_execution(*other.execution, execution));
      });
}

// A way that fails before it has started anything shows nothing about the others.
bool counts(const WorldEnd& end) {
  return !end.executions.empty() || !end.status.is_failure();
}

// Whether a way that counts took another branch of the decision.
bool has_alternative(const std::vector<WorldEnd>& ends, const Assumption& assumption) {
  return std::any_of(ends.begin(), ends.end(), [&](const WorldEnd& end) {
    return counts(end) && std::any_of(end.assumptions.begin(), end.assumptions.end(),
                                      [&](const Assumption& other) {
                                        return other.span == assumption.span &&
                                               other.cause == assumption.cause &&
                                               other.choice != assumption.choice;
                                      });
  });
}

void collect_executions(Evaluation& result) {
  RecordedExecutions all;
  for (const WorldEnd& end : result.ends) merge_executions(all, end.executions);
  for (RecordedExecution& entry : all) result.executions.push_back(std::move(entry.execution));
  const bool all_fail = std::all_of(result.ends.begin(), result.ends.end(),
                                    [](const WorldEnd& end) { return end.status.is_failure(); });
  for (Shared<Execution>& execution : result.executions) {
    const bool certain =
        std::all_of(result.ends.begin(), result.ends.end(), [&](const WorldEnd& end) {
          return certainly_has(end, *execution) ||
                 (all_fail ? !counts(end) : end.status.is_failure());
        });
    result.certain.push_back(certain);
    if (execution->assumptions.empty()) continue;
    std::erase_if(execution.write().assumptions, [&](const Assumption& assumption) {
      return certain || !has_alternative(result.ends, assumption);
    });
  }
}

Evaluation::Outcome outcome_of(const Evaluation& result) {
  using Outcome = Evaluation::Outcome;
  const bool limited =
      std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                  [](const Diagnostic& d) { return d.kind == DiagnosticKind::kLimit; });
  const bool rejected = std::none_of(result.ends.begin(), result.ends.end(), counts);
  if (rejected && !limited && !result.ends.empty()) return Outcome::kRejected;
  const bool unknown_words = std::any_of(
      result.executions.begin(), result.executions.end(), [](const Shared<Execution>& execution) {
        return std::any_of(execution->argv.begin(), execution->argv.end(),
                           [](const Value& word) { return !word.is_known(); });
      });
  return limited || unknown_words ? Outcome::kPartial : Outcome::kComplete;
}

}  // namespace

bool JoinPolicy::refine(const Evaluation& evaluation) {
  if (joined_.empty()) return false;
  bool grew = false;
  for (const std::string& cause : wanted_) {
    const auto joined = joined_.find(cause);
    if (joined != joined_.end()) grew = kept_.insert(joined->second).second || grew;
  }
  const auto is_joined = [&](const Piece& piece) {
    return !piece.known && joined_.contains(piece.text.get());
  };
  // Words are looked at only if they could name a file that matters.
  const auto files_matter = [&](const Execution& execution) {
    if (!execution.files) return false;
    return std::any_of(execution.files->begin(), execution.files->end(), [&](const auto& entry) {
      const std::vector<Piece>& pieces = entry.second->content.pieces();
      return std::any_of(pieces.begin(), pieces.end(), is_joined);
    });
  };
  const auto look_at = [&](const Value& value) {
    for (const Piece& piece : value.pieces()) {
      if (piece.known) continue;
      const auto joined = joined_.find(piece.text.get());
      if (joined != joined_.end()) grew = kept_.insert(joined->second).second || grew;
    }
  };
  for (const Shared<Execution>& execution : evaluation.executions) {
    const bool reads_files = files_matter(*execution);
    for (const Value& word : execution->argv) {
      look_at(word);
      if (!reads_files) continue;
      const std::string text = word.text();
      const VirtualFile* file = execution->find_file(text);
      if (file == nullptr && text.find('=') != std::string::npos) {
        file = execution->find_file(text.substr(text.find('=') + 1));
      }
      if (file != nullptr) look_at(file->content);
    }
  }
  return grew;
}

const Script* ScriptCache::load(const std::string& path) {
  Slot* slot = nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<Slot>& place = slots_[path];
    if (place == nullptr) place = std::make_unique<Slot>();
    slot = place.get();
  }
  std::call_once(slot->parsed, [&] {
    const auto file = files_.load(path);
    if (file) slot->script = parse_script(**file);
  });
  return slot->script.get();
}

void Interpreter::finish(WorldPtr world) {
  run_trap(*world, "EXIT");
  WorldEnd end;
  end.status = world->status;
  end.reason = world->exit_reason;
  end.span = world->exit_span;
  if (world->printed) end.printed = world->printed->text();
  if (world->executions) end.executions = *world->executions;
  if (world->assumptions) end.assumptions = *world->assumptions;
  // Ways that end alike are told once.
  for (WorldEnd& known : session_.result.ends) {
    if (known.status == end.status && known.reason == end.reason && known.span == end.span &&
        known.executions.empty() == end.executions.empty()) {
      merge_executions(known.executions, end.executions);
      return;
    }
  }
  session_.result.ends.push_back(std::move(end));
}

void Interpreter::run_main() {
  const EvaluationInput& input = session_.input;
  const Script* script = session_.load_script(input.script);
  if (script == nullptr) {
    session_.result.outcome = Evaluation::Outcome::kMissing;
    return;
  }
  session_.result.scripts.push_back(input.script);
  WorldPtr world = std::make_unique<World>();
  ShellState& shell = world->shell;
  for (const EnvironmentVariable& variable : input.environment) {
    Variable& target = shell.variables.write(session_.names.id(variable.name));
    target.is_set = target.exported = true;
    target.scalar = variable.value;
  }
  session_.start_variables = shell.variables;
  shell.directory = Shared<std::string>(clean_path(input.working_directory));
  shell.zeroth = Value::of(input.invoked_as);
  shell.positional = Shared<Positional>(Positional{input.arguments, {}});
  shell.frames = Shared<std::vector<Frame>>({Frame{"main", input.invoked_as, {}}});
  report_line_ends(session_, *world, input.script);
  Worlds worlds;
  worlds.push_back(std::move(world));
  session_.result.most_worlds = 1;
  run_program(script->body, worlds);
  for (WorldPtr& left : worlds) finish(std::move(left));
  collect_executions(session_.result);
  session_.settle_reads();
  session_.settle_unset();
  session_.result.outcome = outcome_of(session_.result);
}

Evaluation evaluate_once(const EvaluationInput& input, text::OriginInterner& origins,
                         JoinPolicy& policy) {
  Session session(input, origins, policy);
  Interpreter interpreter(session);
  interpreter.run_main();
  return std::move(session.result);
}

Evaluation evaluate(const EvaluationInput& input, text::OriginInterner& origins) {
  JoinPolicy policy;
  for (int pass = 1;; ++pass) {
    Evaluation evaluation = evaluate_once(input, origins, policy);
    if (pass == kMostPasses || !policy.refine(evaluation)) return evaluation;
  }
}

Evaluation evaluate(const EvaluationInput& input, text::OriginPool& pool) {
  text::OriginInterner origins(pool);
  return evaluate(input, origins);
}

}  // namespace recipelint::shell
