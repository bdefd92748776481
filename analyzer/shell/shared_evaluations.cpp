#include "analyzer/shell/shared_evaluations.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace recipelint::shell {
namespace {

using text::Origin;
using text::OriginLink;

ParameterKind kind_of(const Piece& piece) {
  return piece.known ? kind_of_parameter(piece.text.get()) : ParameterKind::kNone;
}

void add_text(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

/// Everything about an environment but the values of parameters: names, kinds, other values, and
/// which pieces come from the same place.
std::string shape_of(const std::vector<EnvironmentVariable>& environment) {
  std::string key;
  std::vector<Origin> origins;
  for (const EnvironmentVariable& variable : environment) {
    add_text(key, variable.name);
    for (const Piece& piece : variable.value.pieces()) {
      const auto known = std::find(origins.begin(), origins.end(), piece.origin);
      key += '@';
      key += std::to_string(known - origins.begin());
      if (known == origins.end()) origins.push_back(piece.origin);
      if (!piece.origin.known()) key += '-';
      const ParameterKind kind = kind_of(piece);
      if (kind != ParameterKind::kNone) {
        key += kind == ParameterKind::kNumber ? 'n' : 'w';
        continue;
      }
      key += piece.known ? 'k' : static_cast<char>('0' + static_cast<int>(piece.shape));
      add_text(key, piece.text.get());
    }
    key += ';';
  }
  return key;
}

// The parts of a result are named one by one, so that none is forgotten that is added later: tell
// here whether it has values or places, and exchange them in with_values. Texts and numbers are
// neither: to get them the evaluation has looked at the values that they are made of.

template <typename Visit>
void for_each_value(const std::vector<Value>& words, const Visit& visit) {
  for (const Value& word : words) visit(word);
}

/// Calls `visit(value)` for every value among the results of an evaluation.
template <typename Visit>
void for_each_value(const Evaluation& evaluation, const Visit& visit) {
  const auto& [outcome, ends, executions, certain, diagnostics, assignments, demands, branches,
               scripts, ran_unknown_code, commands, noted, files, steps, most_worlds] = evaluation;
  std::set<const VirtualFiles*> seen;
  for (const Shared<Execution>& execution : executions) {
    const auto& [argv, argument_spans, environment, removed_environment, written, working_directory,
                 background, assumptions, span, call_stack] = *execution;
    for_each_value(argv, visit);
    for (const auto& variable : environment) visit(variable.second);
    if (!written || !seen.insert(written.get()).second) continue;
    for (const auto& file : *written) visit(file.second->content);
  }
  for (const NotedCommand& command : noted) {
    const auto& [argv, argument_spans, span, call_stack] = command;
    for_each_value(argv, visit);
  }
}

template <typename Visit>
void for_each_span(const std::vector<Frame>& frames, const Visit& visit) {
  for (const auto& [function, source, call] : frames) visit(call);
}

template <typename Visit>
void for_each_span(const std::vector<Assumption>& assumptions, const Visit& visit) {
  for (const auto& [span, cause, outcome, choice] : assumptions) visit(span);
}

/// Calls `visit(span)` for every place among the results of an evaluation.
template <typename Visit>
void for_each_span(const Evaluation& evaluation, const Visit& visit) {
  const auto& [outcome, ends, executions, certain, diagnostics, assignments, demands, branches,
               scripts, ran_unknown_code, commands, noted, files, steps, most_worlds] = evaluation;
  for (const Diagnostic& diagnostic : diagnostics) visit(diagnostic.span);
  for (const AssignmentUse& assignment : assignments) visit(assignment.span);
  for (const DemandedName& name : demands) visit(name.span);
  for (const BranchUse& branch : branches) visit(branch.span);
  for (const CommandUse& command : commands) visit(command.span);
  for (const NotedCommand& command : noted) {
    visit(command.span);
    for (const text::Span span : command.argument_spans) visit(span);
    for_each_span(command.call_stack, visit);
  }
  // Their executions are not among the results.
  for (const WorldEnd& end : ends) {
    visit(end.span);
    for_each_span(end.assumptions, visit);
  }
  for (const Shared<Execution>& execution : executions) {
    visit(execution->span);
    for (const text::Span span : execution->argument_spans) visit(span);
    for_each_span(execution->assumptions, visit);
    if (execution->call_stack) for_each_span(*execution->call_stack, visit);
    if (!execution->files) continue;
    for (const auto& file : *execution->files) visit(file.second->writer);
  }
}

/// Puts the places of one environment where those of another stand.
class Relocation {
 public:
  Relocation(const std::vector<EnvironmentVariable>& from,
             const std::vector<EnvironmentVariable>& to, text::OriginInterner& origins)
      : origins_(origins) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto& old_pieces = from[i].value.pieces();
      const auto& new_pieces = to[i].value.pieces();
      for (std::size_t k = 0; k < old_pieces.size(); ++k) {
        moved_.emplace(old_pieces[k].origin.nearest(), new_pieces[k].origin);
      }
    }
  }

  Origin moved(Origin origin, const std::unordered_set<const OriginLink*>& affected) {
    const OriginLink* link = origin.nearest();
    if (link == nullptr || !affected.contains(link)) return origin;
    if (const auto known = moved_.find(link); known != moved_.end()) return known->second;
    const Origin earlier = moved(Origin(link->earlier), affected);
    const Origin result = origins_.add(link->span, link->note, earlier);
    moved_.emplace(link, result);
    return result;
  }

 private:
  text::OriginInterner& origins_;
  std::unordered_map<const OriginLink*, Origin> moved_;
};

}  // namespace

// Asked without a witness: those that the run stands for are asked the same.
bool SharedEvaluations::needs_other_pass(Run& run) {
  const Witness::Listening deaf(&run.witness);
  return JoinPolicy(run.policy).refine(run.evaluation);
}

SharedEvaluations::Run& SharedEvaluations::make_run(const EvaluationInput& input,
                                                    text::OriginInterner& origins) {
  Run& run = runs_.emplace_back();
  run.environment = input.environment;
  EvaluationInput open = input;
  for (EnvironmentVariable& variable : open.environment) {
    for (Piece& piece : variable.value.pieces()) {
      if (kind_of(piece) == ParameterKind::kNone) continue;
      std::string bytes = piece.text.get();
      const ParameterId parameter = run.witness.add(bytes);
      piece.text = PieceText(std::move(bytes), parameter);
    }
  }
  {
    const Witness::Watch watch(run.witness);
    for (int pass = 1; pass <= kMostPasses; ++pass) {
      run.evaluation = evaluate_once(open, origins, run.policy);
      run.is_reusable = !needs_other_pass(run);
      // What makes it go on must do so for those it stands for.
      if (run.is_reusable || !run.policy.refine(run.evaluation)) break;
    }
  }
  for (WorldEnd& end : run.evaluation.ends) end.executions.clear();

  std::unordered_set<const OriginLink*> roots;
  std::unordered_set<const text::SourceFile*> files;
  for (const EnvironmentVariable& variable : run.environment) {
    for (const Piece& piece : variable.value.pieces()) {
      if (piece.origin.known()) roots.insert(piece.origin.nearest());
      for (const OriginLink* link = piece.origin.nearest(); link != nullptr; link = link->earlier) {
        if (link->span.valid()) files.insert(link->span.file);
      }
    }
  }
  for_each_value(run.evaluation, [&](const Value& value) {
    for (const Piece& piece : value.pieces()) {
      std::vector<const OriginLink*> way;
      const OriginLink* link = piece.origin.nearest();
      while (link != nullptr && !roots.contains(link) && !run.led_by_environment.contains(link)) {
        way.push_back(link);
        link = link->earlier;
      }
      if (link == nullptr) continue;
      run.led_by_environment.insert(link);
      run.led_by_environment.insert(way.begin(), way.end());
    }
  });
  for_each_span(run.evaluation, [&](text::Span span) {
    if (span.valid() && files.contains(span.file)) run.is_reusable = false;
  });
  return run;
}

/// Its result with other values of the parameters and the places of another environment.
Evaluation SharedEvaluations::with_values(const Run& run,
                                          const std::vector<std::string>& parameters,
                                          const std::vector<EnvironmentVariable>& environment,
                                          text::OriginInterner& origins) {
  Relocation relocation(run.environment, environment, origins);
  const auto is_affected = [&](const Value& value) {
    return std::any_of(value.pieces().begin(), value.pieces().end(), [&](const Piece& piece) {
      return piece.text.parameter() != 0 || run.led_by_environment.contains(piece.origin.nearest());
    });
  };
  const auto exchange = [&](Value& value) {
    value = with_parameters(value, parameters);
    for (Piece& piece : value.pieces()) {
      piece.origin = relocation.moved(piece.origin, run.led_by_environment);
    }
  };
  std::map<const VirtualFiles*, Shared<VirtualFiles>> files;
  const auto exchange_files = [&](Shared<VirtualFiles>& all) {
    if (!all) return;
    Shared<VirtualFiles>& mine = files[all.get()];
    if (!mine) {
      mine = all;
      for (const auto& [path, file] : *all) {
        if (is_affected(file->content)) exchange(mine.write()[path].write().content);
      }
    }
    all = mine;
  };
  Evaluation evaluation = run.evaluation;
  for (Shared<Execution>& shared : evaluation.executions) {
    Execution& execution = shared.write();
    for (Value& word : execution.argv) {
      if (is_affected(word)) exchange(word);
    }
    for (auto& [name, value] : execution.environment) {
      if (is_affected(value)) exchange(value);
    }
    exchange_files(execution.files);
  }
  for (NotedCommand& command : evaluation.noted) {
    for (Value& word : command.argv) {
      if (is_affected(word)) exchange(word);
    }
  }
  return evaluation;
}

std::optional<Evaluation> SharedEvaluations::stand_in(const Run& run, const EvaluationInput& input,
                                                      text::OriginInterner& origins) {
  if (!run.is_reusable) return std::nullopt;
  std::vector<std::string> given;
  for (const EnvironmentVariable& variable : input.environment) {
    for (const Piece& piece : variable.value.pieces()) {
      if (kind_of(piece) != ParameterKind::kNone) given.push_back(piece.text.get());
    }
  }
  const auto parameters = run.witness.values_for(std::move(given));
  if (!parameters) return std::nullopt;

  Evaluation evaluation = with_values(run, *parameters, input.environment, origins);
  if (JoinPolicy(run.policy).refine(evaluation)) return std::nullopt;
  return evaluation;
}

Evaluation SharedEvaluations::evaluate(const EvaluationInput& input,
                                       text::OriginInterner& origins) {
  std::vector<Run*>& runs = runs_by_shape_[shape_of(input.environment)];
  for (const Run* run : runs) {
    if (auto evaluation = stand_in(*run, input, origins)) return *std::move(evaluation);
  }
  Run& run = make_run(input, origins);
  runs.push_back(&run);
  // Nobody else is to take its words for parameters of theirs.
  return with_values(run, run.witness.values(), run.environment, origins);
}

}  // namespace recipelint::shell
