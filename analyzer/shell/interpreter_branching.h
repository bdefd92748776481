#pragma once

#include <memory>
#include <utility>

#include "analyzer/shell/interpreter.h"

namespace recipelint::shell {

template <typename Prepare, typename Commit>
void Interpreter::expand_then(WorldPtr world, bool branches, Worlds& out, const Prepare& prepare,
                              const Commit& commit) {
  ChoiceTape* const outer = std::exchange(session_.tape, nullptr);
  if (!branches) {
    auto prepared = prepare(*world);
    session_.tape = outer;
    commit(std::move(world), std::move(prepared), out);
    return;
  }
  WorldPtr before = std::make_unique<World>(*world);
  ChoiceTape tape;
  for (std::uint32_t runs = 1;; ++runs) {
    session_.tape = &tape;
    auto prepared = prepare(*world);
    session_.tape = outer;
    bool more = tape.advance();
    if (more && runs >= session_.input.limits.worlds) {
      session_.limit(session_.current, "a command with more than " + std::to_string(runs) +
                                           " outcomes of its expansion");
      more = false;
    }
    WorldPtr next = more ? std::make_unique<World>(*before) : nullptr;
    // The last run must not pay for a copy that nobody needs any more.
    if (!more) before.reset();
    commit(std::move(world), std::move(prepared), out);
    if (!more) return;
    world = std::move(next);
  }
}

}  // namespace recipelint::shell
