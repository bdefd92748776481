#include <algorithm>
#include <bit>
#include <utility>

#include "analyzer/shell/interpreter.h"
#include "analyzer/shell/interpreter_branching.h"

namespace recipelint::shell {
namespace {

// A loop that only the host can end gets its body once; then its end is assumed.
constexpr int kMostAssumedTurns = 1;

}  // namespace

/// A loop being run: turns are taken by all worlds together, so that those that agree can be
/// joined. `enter(worlds, turn)` leaves in the status of each world whether there is another turn,
/// `step(world)` is what happens between turns.
template <typename Enter, typename Step>
void Interpreter::run_turns(text::Span span, const StatementList& body, WorldPtr world, Worlds& out,
                            const Enter& enter, const Step& step) {
  ++loop_depth_;
  Turns turns;
  turns.push_back({std::move(world), Status::of(0), 0});
  for (std::uint32_t number = 0; !turns.empty(); ++number) {
    if (number >= session_.input.limits.loop_turns) {
      session_.limit(span, "more than " + std::to_string(number) + " turns of a loop");
      for (Turn& turn : turns) out.push_back(std::move(turn.world));
      break;
    }
    Turns next;
    for (Turn& turn : turns) {
      Worlds conditions;
      conditions.push_back(std::move(turn.world));
      enter(conditions, number);
      for (WorldPtr& condition : conditions) {
        if (!condition->is_running()) {
          leave_loop(std::move(condition), turn.assumed, next, out);
          continue;
        }
        const int assumed = turn.assumed + (condition->status.known ? 0 : 1);
        Decision decision = decide(std::move(condition), span);
        if (decision.no) {
          decision.no->status = turn.last;
          out.push_back(std::move(decision.no));
        }
        if (decision.yes && assumed <= kMostAssumedTurns) {
          run_body(body, {std::move(decision.yes), {}, assumed}, next, out);
        }
      }
    }
    join_turns(next);
    turns.clear();
    for (Turn& turn : next) {
      turn.last = turn.world->status;
      step(*turn.world, number);
      if (turn.world->is_running()) {
        turns.push_back(std::move(turn));
      } else {
        out.push_back(std::move(turn.world));
      }
    }
  }
  --loop_depth_;
}

// Takes a world out of the body of a loop: on with the next turn, or out of the loop. Tells whether
// it left by "break".
bool Interpreter::leave_loop(WorldPtr world, int assumed, Turns& next, Worlds& out) {
  const bool is_continue = world->flow == Flow::kContinue;
  if (!is_continue && world->flow != Flow::kBreak) {
    out.push_back(std::move(world));
    return false;
  }
  if (--world->flow_levels > 0) {
    out.push_back(std::move(world));
    return !is_continue;
  }
  world->flow = Flow::kNext;
  world->flow_levels = 0;
  if (is_continue) {
    next.push_back({std::move(world), {}, assumed});
    return false;
  }
  out.push_back(std::move(world));
  return true;
}

void Interpreter::run_body(const StatementList& body, Turn turn, Turns& next, Worlds& out) {
  Worlds results;
  results.push_back(std::move(turn.world));
  run_list(body, results);
  const bool forked = results.size() > 1;
  bool left = false;
  const std::size_t first = next.size();
  for (WorldPtr& result : results) {
    if (result->is_running()) {
      next.push_back({std::move(result), {}, turn.assumed});
    } else {
      left = leave_loop(std::move(result), turn.assumed, next, out) || left;
    }
  }
  if (!forked || !left) return;
  // The host decided that some leave: the others get one more turn, then their end is assumed too.
  for (std::size_t i = first; i < next.size(); ++i) ++next[i].assumed;
  std::erase_if(next, [](const Turn& t) { return t.assumed > kMostAssumedTurns; });
}

void Interpreter::join_turns(Turns& turns) {
  if (turns.size() < 2) return;
  std::stable_sort(turns.begin(), turns.end(),
                   [](const Turn& a, const Turn& b) { return a.assumed < b.assumed; });
  Turns joined;
  for (auto first = turns.begin(); first != turns.end();) {
    const auto last = std::find_if(
        first, turns.end(), [&](const Turn& turn) { return turn.assumed != first->assumed; });
    Worlds group;
    for (auto turn = first; turn != last; ++turn) group.push_back(std::move(turn->world));
    join(group);
    for (WorldPtr& world : group) joined.push_back({std::move(world), {}, first->assumed});
    first = last;
  }
  turns = std::move(joined);
}

void Interpreter::run_while(const Loop& loop, text::Span span, WorldPtr world, Worlds& out) {
  WorldPtr before;
  std::uint32_t last_number = 0;
  const auto enter = [&](Worlds& worlds, std::uint32_t number) {
    // A loop that changes nothing runs for ever. Looking now and then, at one world, is enough.
    const bool looks = std::has_single_bit(number) && number != last_number;
    before = looks ? std::make_unique<World>(*worlds.front()) : nullptr;
    last_number = number;
    ++session_.unchecked_depth;
    run_list(loop.condition, worlds);
    --session_.unchecked_depth;
    for (WorldPtr& result : worlds) {
      if (result->is_running() && loop.until) result->status = result->status.negated();
    }
  };
  const auto step = [&](World& after, std::uint32_t) {
    if (before == nullptr) return;
    before->status = after.status;
    if (indistinguishable(*before, after) && same_executions(*before, after)) {
      end_world(after, "waits for ever", span, Status::unknown("an endless loop"));
    }
  };
  run_turns(span, loop.body, std::move(world), out, enter, step);
}

void Interpreter::run_for(const Statement& statement, const For& loop, WorldPtr world,
                          Worlds& out) {
  const auto expand = [&](World& w) {
    std::vector<Field> items;
    if (loop.words) {
      for (const Word& word : *loop.words) {
        expander_.fields(w, word, items);
        if (!w.is_running()) break;
      }
    } else {
      for (const Value& value : w.shell.positional->values) items.push_back({value, {}, {}});
    }
    return items;
  };
  bool branches = false;
  if (loop.words) {
    for (const Word& word : *loop.words) branches = branches || may_branch(word);
  }
  expand_then(std::move(world), branches, out, expand,
              [&](WorldPtr w, std::vector<Field> items, Worlds& results) {
                if (!w->is_running()) {
                  results.push_back(std::move(w));
                  return;
                }
                if (loop.is_select) {
                  // Which item only the person at the terminal knows.
                  items.assign(1, Field{Value::unknown("choice of a select"), {}, {}});
                }
                w->status = Status::of(0);
                run_for_items(loop, items, statement.span, std::move(w), results);
              });
}

void Interpreter::run_for_items(const For& loop, const std::vector<Field>& items, text::Span span,
                                WorldPtr world, Worlds& out) {
  const NameId variable = session_.names.id(loop.variable);
  const text::Span assigned = loop.variable_span.valid() ? loop.variable_span : span;
  const auto enter = [&](Worlds& worlds, std::uint32_t number) {
    World& w = *worlds.front();
    const bool more = number < items.size() && session_.charge(1);
    if (more && !variables_.assign(w, variable, items[number].value, assigned)) {
      w.flow = Flow::kAbort;
    }
    w.status = Status::of(more ? 0 : 1);
  };
  run_turns(span, loop.body, std::move(world), out, enter, [](World&, std::uint32_t) {});
}

void Interpreter::run_arithmetic_for(const ArithmeticFor& loop, text::Span span, WorldPtr world,
                                     Worlds& out) {
  if (loop.initialize) {
    arithmetic_status(*world, *loop.initialize, span);
    if (!world->is_running()) {
      out.push_back(std::move(world));
      return;
    }
  }
  world->status = Status::of(0);
  const auto enter = [&](Worlds& worlds, std::uint32_t) {
    World& w = *worlds.front();
    session_.charge(1);
    w.status = loop.condition ? arithmetic_status(w, *loop.condition, span) : Status::of(0);
  };
  const auto step = [&](World& w, std::uint32_t) {
    if (loop.step) arithmetic_status(w, *loop.step, span);
  };
  run_turns(span, loop.body, std::move(world), out, enter, step);
}

}  // namespace recipelint::shell
