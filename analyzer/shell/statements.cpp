#include <algorithm>
#include <utility>

#include "analyzer/shell/conditions.h"
#include "analyzer/shell/interpreter.h"
#include "analyzer/shell/interpreter_branching.h"
#include "analyzer/shell/witness.h"

namespace recipelint::shell {
namespace {

constexpr int kDeepestNesting = 400;

// Lets each world stand for those after it for which `join` agrees.
template <typename Join>
void join_if(Worlds& worlds, const Join& join) {
  for (std::size_t i = 1; i < worlds.size();) {
    std::size_t twin = 0;
    while (twin < i && !join(*worlds[twin], *worlds[i])) ++twin;
    if (twin == i) {
      ++i;
    } else {
      worlds.erase(worlds.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

bool checks_errexit(const Statement& statement) {
  return std::holds_alternative<SimpleCommand>(statement.command) ||
         std::holds_alternative<Pipeline>(statement.command) ||
         std::holds_alternative<Subshell>(statement.command) ||
         std::holds_alternative<Conditional>(statement.command) ||
         std::holds_alternative<ArithmeticCommand>(statement.command);
}

// That a number is not 0 is all that others with another number have to agree in.
bool is_true(const Value& number, std::int64_t value) {
  const bool is_true = value != 0;
  if (!has_parameters(number)) return is_true;
  Witness* witness = Witness::current();
  if (witness != nullptr && !witness->note_comparison("-ne", number, Value::of("0"), is_true)) {
    static_cast<void>(number.text());
  }
  return is_true;
}

std::string first_line(text::Span span) {
  const std::string_view bytes = span.bytes();
  constexpr std::size_t kLongest = 60;
  std::string line(bytes.substr(0, std::min(bytes.find('\n'), kLongest)));
  if (line.size() < bytes.size()) line += "...";
  return line;
}

}  // namespace

class Interpreter::Nesting {
 public:
  explicit Nesting(int& depth) : depth_(depth) { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool too_deep() const { return depth_ > kDeepestNesting; }

 private:
  int& depth_;
};

Interpreter::Interpreter(Session& session)
    : session_(session),
      variables_(session),
      io_(session),
      expander_(session, variables_, io_, *this) {}

void Interpreter::end_world(World& world, std::string reason, text::Span span, Status status) {
  world.flow = Flow::kExit;
  world.exit_reason = std::move(reason);
  world.exit_span = span;
  world.status = std::move(status);
}

// A variable that both have, be it with different values, stands for both of its assignments.
void Interpreter::link_joined(const World& into, const World& other) {
  into.shell.variables.for_each_difference(
      other.shell.variables, [&](NameId, const auto& mine, const auto& theirs) {
        if (mine && theirs) {
          session_.link_assignments(theirs->assignment, mine->assignment);
          session_.link_assignments(mine->assignment, theirs->assignment);
        }
        return true;
      });
}

bool Interpreter::widen_linked(World& into, const World& other, Widening widening) {
  // Made one, they show their differences no more.
  const Table<Variable> mine = into.shell.variables;
  if (!widen(into, other, session_.names, session_.policy, widening)) return false;
  mine.for_each_difference(other.shell.variables, [&](NameId, const auto& x, const auto& y) {
    if (x && y) {
      session_.link_assignments(x->assignment, y->assignment);
      session_.link_assignments(y->assignment, x->assignment);
    }
    return true;
  });
  return true;
}

void Interpreter::join(Worlds& worlds) {
  if (worlds.size() < 2) return;
  join_if(worlds, [&](World& into, const World& other) {
    if (!indistinguishable(into, other)) return false;
    link_joined(into, other);
    absorb(into, other);
    return true;
  });
  if (worlds.size() < 2) return;
  join_if(worlds, [&](World& into, const World& other) {
    return widen_linked(into, other, Widening::kAllowed);
  });
  session_.result.most_worlds =
      std::max(session_.result.most_worlds, static_cast<std::uint32_t>(worlds.size()));
  if (worlds.size() > session_.input.limits.worlds) reduce(worlds);
}

// Too many worlds: those that can stand for each other are made one, with unknown values where they
// differ; only if that is not enough does a way remain without a look.
void Interpreter::reduce(Worlds& worlds) {
  join_if(worlds, [&](World& into, const World& other) {
    return widen_linked(into, other, Widening::kForced);
  });
  const std::size_t most = session_.input.limits.worlds;
  if (worlds.size() <= most) return;
  session_.limit(session_.current, "more than " + std::to_string(most) + " ways to go on");
  worlds.resize(most);
}

void Interpreter::make_one(Worlds& worlds) {
  while (worlds.size() > 1 && widen_linked(*worlds.front(), *worlds.back(), Widening::kForced)) {
    worlds.pop_back();
  }
}

// Worlds that have left the script for good need not be carried along.
void Interpreter::retire(Worlds& worlds) {
  for (WorldPtr& world : worlds) {
    if (world->flow == Flow::kExit && world->shell.subshell_depth == 0) finish(std::move(world));
  }
  std::erase(worlds, nullptr);
}

void Interpreter::run_list(const StatementList& list, Worlds& worlds) {
  Worlds next;
  for (const Statement& statement : list) {
    bool any = false;
    for (WorldPtr& world : worlds) {
      if (!world->is_running()) {
        next.push_back(std::move(world));
        continue;
      }
      any = true;
      run(statement, std::move(world), next);
    }
    worlds.swap(next);
    next.clear();
    if (!any) return;
    retire(worlds);
    join(worlds);
  }
}

void Interpreter::run_program(const StatementList& list, Worlds& worlds) {
  Worlds next;
  for (const Statement& statement : list) {
    for (WorldPtr& world : worlds) {
      if (world->is_running()) {
        run(statement, std::move(world), next);
      } else {
        next.push_back(std::move(world));
      }
    }
    worlds.swap(next);
    next.clear();
    for (WorldPtr& world : worlds) {
      if (world->flow != Flow::kAbort) continue;
      world->flow = world->shell.subshell_depth == 0 ? Flow::kNext : Flow::kExit;
    }
    retire(worlds);
    join(worlds);
  }
}

void Interpreter::run(const Statement& statement, WorldPtr world, Worlds& out) {
  const Nesting nesting(depth_);
  if (!session_.charge(1) || nesting.too_deep()) {
    if (nesting.too_deep()) session_.limit(statement.span, "commands nested too deeply");
    end_world(*world, "a limit of the evaluation", statement.span,
              Status::unknown("a limit of the evaluation"));
    out.push_back(std::move(world));
    return;
  }
  session_.current = statement.span;
  const std::size_t first = out.size();
  if (statement.background) {
    run_background(statement, std::move(world), out);
  } else if (!statement.redirections.empty() &&
             !std::holds_alternative<SimpleCommand>(statement.command)) {
    run_redirected(statement, std::move(world), out);
  } else {
    run_command(statement, std::move(world), out);
  }
  if (statement.background || !checks_errexit(statement)) return;
  for (std::size_t i = first; i < out.size(); ++i) after_command(statement, *out[i]);
}

void Interpreter::after_command(const Statement& statement, World& world) {
  if (!world.is_running() || !world.status.is_failure() || session_.unchecked_depth > 0) return;
  const Status failure = world.status;
  run_trap(world, "ERR");
  if (!world.is_running() || !world.shell.options.errexit) return;
  end_world(world, "set -e after '" + first_line(statement.span) + "'", statement.span, failure);
}

void Interpreter::run_command(const Statement& statement, WorldPtr world, Worlds& out) {
  const text::Span span = statement.span;
  const auto& command = statement.command;
  if (const auto* simple = std::get_if<SimpleCommand>(&command)) {
    run_simple(statement, *simple, std::move(world), out);
  } else if (const auto* pipeline = std::get_if<Pipeline>(&command)) {
    run_pipeline(*pipeline, std::move(world), out);
  } else if (const auto* and_or = std::get_if<AndOr>(&command)) {
    run_and_or(*and_or, std::move(world), out);
  } else if (const auto* negation = std::get_if<Negation>(&command)) {
    run_negation(*negation, std::move(world), out);
  } else if (const auto* group = std::get_if<Group>(&command)) {
    Worlds worlds;
    worlds.push_back(std::move(world));
    run_list(group->body, worlds);
    std::move(worlds.begin(), worlds.end(), std::back_inserter(out));
  } else if (const auto* subshell = std::get_if<Subshell>(&command)) {
    run_subshell(subshell->body, std::move(world), out);
  } else if (const auto* branches = std::get_if<If>(&command)) {
    run_if(*branches, 0, std::move(world), out);
  } else if (const auto* loop = std::get_if<Loop>(&command)) {
    run_while(*loop, span, std::move(world), out);
  } else if (const auto* for_loop = std::get_if<For>(&command)) {
    run_for(statement, *for_loop, std::move(world), out);
  } else if (const auto* arithmetic_for = std::get_if<ArithmeticFor>(&command)) {
    run_arithmetic_for(*arithmetic_for, span, std::move(world), out);
  } else if (const auto* choice = std::get_if<Case>(&command)) {
    run_case(*choice, std::move(world), out);
  } else if (const auto* conditional = std::get_if<Conditional>(&command)) {
    run_conditional(*conditional, std::move(world), out);
  } else if (const auto* arithmetic = std::get_if<ArithmeticCommand>(&command)) {
    run_arithmetic(*arithmetic, span, std::move(world), out);
  } else if (const auto* function = std::get_if<FunctionDefinition>(&command)) {
    define_function(*function, *world);
    out.push_back(std::move(world));
  } else if (const auto* coprocess = std::get_if<Coprocess>(&command)) {
    run_background(*coprocess->command, std::move(world), out);
  } else {
    session_.report(*world, DiagnosticKind::kUnparsed, span, "this could not be understood");
    world->status = Status::unknown("a command that could not be understood");
    out.push_back(std::move(world));
  }
}

void Interpreter::run_redirected(const Statement& statement, WorldPtr world, Worlds& out) {
  const Shared<Descriptors> outer = world->shell.descriptors;
  const std::size_t inputs = Io::input_count(*world);
  bool branches = false;
  for (const Redirection& redirection : statement.redirections) {
    branches = branches || may_branch(redirection.target);
  }
  expand_then(
      std::move(world), branches, out,
      [&](World& w) { return apply_redirections(w, statement.redirections); },
      [&](WorldPtr w, bool opened, Worlds& results) {
        const std::size_t first = results.size();
        // What was opened for reading has been read into the source already.
        if (std::exchange(process_files_, 0) > 0) io_.remove_process_files(*w);
        if (opened && w->is_running()) {
          run_command(statement, std::move(w), results);
        } else {
          if (w->is_running()) w->status = Status::of(1);
          results.push_back(std::move(w));
        }
        for (std::size_t i = first; i < results.size(); ++i) {
          results[i]->shell.descriptors = outer;
          Io::close_inputs(*results[i], inputs);
        }
      });
}

void Interpreter::run_background(const Statement& statement, WorldPtr world, Worlds& out) {
  const ShellState outer = world->shell;
  ++world->shell.subshell_depth;
  world->shell.traps = {};
  ++background_depth_;
  const int unchecked = std::exchange(session_.unchecked_depth, 0);
  Worlds results;
  if (!statement.redirections.empty() &&
      !std::holds_alternative<SimpleCommand>(statement.command)) {
    run_redirected(statement, std::move(world), results);
  } else {
    run_command(statement, std::move(world), results);
  }
  session_.unchecked_depth = unchecked;
  --background_depth_;
  for (WorldPtr& result : results) {
    result->shell = outer;
    result->shell.last_background =
        Value::unknown("process id", session_.origin(statement.span), Shape::kNumber);
    result->flow = Flow::kNext;
    result->status = Status::of(0);
    result->exit_reason.clear();
  }
  join(results);
  std::move(results.begin(), results.end(), std::back_inserter(out));
}

void Interpreter::run_subshell(const StatementList& body, WorldPtr world, Worlds& out) {
  const ShellState outer = world->shell;
  ++world->shell.subshell_depth;
  world->shell.traps = {};
  Worlds results;
  results.push_back(std::move(world));
  run_list(body, results);
  for (WorldPtr& result : results) {
    run_trap(*result, "EXIT");
    result->shell = outer;
    result->flow = Flow::kNext;
    result->exit_reason.clear();
  }
  join(results);
  std::move(results.begin(), results.end(), std::back_inserter(out));
}

void Interpreter::run_and_or(const AndOr& list, WorldPtr world, Worlds& out) {
  Worlds left;
  ++session_.unchecked_depth;
  run(*list.left, std::move(world), left);
  --session_.unchecked_depth;
  for (WorldPtr& result : left) {
    if (!result->is_running()) {
      out.push_back(std::move(result));
      continue;
    }
    Decision decision = decide(std::move(result), list.left->span);
    WorldPtr& stays = list.is_and ? decision.no : decision.yes;
    WorldPtr& goes_on = list.is_and ? decision.yes : decision.no;
    if (goes_on) run(*list.right, std::move(goes_on), out);
    if (stays) out.push_back(std::move(stays));
  }
}

void Interpreter::run_negation(const Negation& negation, WorldPtr world, Worlds& out) {
  const std::size_t first = out.size();
  ++session_.unchecked_depth;
  run(*negation.command, std::move(world), out);
  --session_.unchecked_depth;
  for (std::size_t i = first; i < out.size(); ++i) {
    if (out[i]->is_running()) out[i]->status = out[i]->status.negated();
  }
}

Interpreter::Decision Interpreter::decide(WorldPtr world, text::Span span) {
  Decision decision;
  if (world->status.known) {
    (world->status.value == 0 ? decision.yes : decision.no) = std::move(world);
    return decision;
  }
  const Status status = world->status;
  decision.no = std::make_unique<World>(*world);
  decision.yes = std::move(world);
  const auto assume = [&](World& w, std::uint32_t choice) {
    w.status = Status::of(choice == 0 ? 0 : 1);
    session_.assume(w, {span, status.cause, choice == 0 ? "true" : "false", choice});
  };
  assume(*decision.yes, 0);
  assume(*decision.no, 1);
  return decision;
}

void Interpreter::run_if(const If& statement, std::size_t branch, WorldPtr world, Worlds& out) {
  if (branch == statement.branches.size()) {
    Worlds worlds;
    world->status = Status::of(0);
    worlds.push_back(std::move(world));
    session_.mark_branch(statement.branches.front().condition.front().span, branch, false);
    if (statement.otherwise) run_list(*statement.otherwise, worlds);
    std::move(worlds.begin(), worlds.end(), std::back_inserter(out));
    return;
  }
  const If::Branch& taken = statement.branches[branch];
  Worlds conditions;
  conditions.push_back(std::move(world));
  ++session_.unchecked_depth;
  run_list(taken.condition, conditions);
  --session_.unchecked_depth;
  for (WorldPtr& result : conditions) {
    if (!result->is_running()) {
      out.push_back(std::move(result));
      continue;
    }
    const bool undecided = !result->status.known;
    Decision decision = decide(std::move(result), taken.condition.back().span);
    if (decision.yes) {
      session_.mark_branch(statement.branches.front().condition.front().span, branch, undecided);
      Worlds worlds;
      worlds.push_back(std::move(decision.yes));
      run_list(taken.body, worlds);
      std::move(worlds.begin(), worlds.end(), std::back_inserter(out));
    }
    if (decision.no) run_if(statement, branch + 1, std::move(decision.no), out);
  }
}

void Interpreter::run_conditional(const Conditional& conditional, WorldPtr world, Worlds& out) {
  expand_then(
      std::move(world), may_branch(conditional.expression), out,
      [&](World& w) { return evaluate_conditional(*this, w, conditional.expression); },
      [&](WorldPtr w, const ConditionResult& result, Worlds& results) {
        if (w->is_running()) w->status = to_status(result, 2);
        results.push_back(std::move(w));
      });
}

void Interpreter::run_arithmetic(const ArithmeticCommand& command, text::Span span, WorldPtr world,
                                 Worlds& out) {
  expand_then(
      std::move(world), may_branch(command.expression), out,
      [&](World& w) { return arithmetic_status(w, command.expression, span); },
      [&](WorldPtr w, const Status& status, Worlds& results) {
        if (w->is_running()) w->status = status;
        results.push_back(std::move(w));
      });
}

Status Interpreter::arithmetic_status(World& world, const Word& expression, text::Span span) {
  const Value text = expander_.text(world, expression);
  if (!world.is_running()) return world.status;
  const Variables::OpenResult open = variables_.open_arithmetic(world, text, span);
  const ArithmeticResult& result = open.result;
  switch (result.kind) {
    case ArithmeticResult::Kind::kValue:
      return Status::of(is_true(open.number, result.value) ? 0 : 1);
    case ArithmeticResult::Kind::kUnknown:
      return Status::unknown(result.message);
    case ArithmeticResult::Kind::kError:
      break;
  }
  return Status::of(1);
}

void Interpreter::run_case(const Case& statement, WorldPtr world, Worlds& out) {
  expand_then(
      std::move(world), may_branch(statement.subject), out,
      [&](World& w) { return expander_.text(w, statement.subject); },
      [&](WorldPtr w, const Value& subject, Worlds& results) {
        w->status = w->is_running() ? Status::of(0) : w->status;
        run_case_items(statement, 0, subject, std::move(w), results);
      });
}

void Interpreter::run_case_items(const Case& statement, std::size_t first, const Value& subject,
                                 WorldPtr world, Worlds& out) {
  for (std::size_t i = first; i < statement.items.size() && world->is_running(); ++i) {
    ConditionResult match = ConditionResult::of(false);
    for (const Word& word : statement.items[i].patterns) {
      const PatternText pattern = expander_.pattern(*world, word);
      if (!world->is_running()) break;
      ConditionResult one = match_value(subject, pattern, expander_.pattern_options(*world));
      if (one.answer != Answer::kNo) match = std::move(one);
      if (match.answer == Answer::kYes) break;
    }
    if (!world->is_running() || match.answer == Answer::kNo) continue;
    session_.mark_branch(statement.subject.span, i, match.answer != Answer::kYes);
    if (match.answer == Answer::kYes) {
      if (i + 1 == statement.items.size()) note_ignored(*world, statement.items[i].span);
      run_case_body(statement, i, subject, std::move(world), out);
      return;
    }
    world->status = Status::unknown(match.cause);
    Decision decision = decide(std::move(world), statement.items[i].span);
    decision.no->status = Status::of(0);
    run_case_body(statement, i, subject, std::move(decision.yes), out);
    world = std::move(decision.no);
  }
  out.push_back(std::move(world));
}

void Interpreter::run_case_body(const Case& statement, std::size_t item, const Value& subject,
                                WorldPtr world, Worlds& out) {
  Worlds worlds;
  worlds.push_back(std::move(world));
  run_list(statement.items[item].body, worlds);
  const Case::Terminator terminator = statement.items[item].terminator;
  for (WorldPtr& result : worlds) {
    if (!result->is_running() || terminator == Case::Terminator::kBreak ||
        item + 1 == statement.items.size()) {
      out.push_back(std::move(result));
    } else if (terminator == Case::Terminator::kFallThrough) {
      run_case_body(statement, item + 1, subject, std::move(result), out);
    } else {
      run_case_items(statement, item + 1, subject, std::move(result), out);
    }
  }
}

}  // namespace recipelint::shell
