#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/script_flows.h"
#include "analyzer/text/source_file.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::ArmFlow;
using layout::AssignmentFlow;
using layout::ScriptFlow;
using text::Span;

constexpr std::string_view kId = "RL6001";

/// Variables that bash itself, or every program, looks at.
constexpr std::array<std::string_view, 21> kShellNames = {"_",
                                                          "BASH_ENV",
                                                          "BASH_XTRACEFD",
                                                          "CDPATH",
                                                          "COLUMNS",
                                                          "ENV",
                                                          "GLOBIGNORE",
                                                          "HISTFILE",
                                                          "HISTSIZE",
                                                          "HOME",
                                                          "IFS",
                                                          "LANG",
                                                          "LINES",
                                                          "OPTERR",
                                                          "OPTIND",
                                                          "PATH",
                                                          "POSIXLY_CORRECT",
                                                          "PS1",
                                                          "PS4",
                                                          "REPLY",
                                                          "TIMEFORMAT"};

/// Words of names of values that size a server: captured graphs, capacity, parallelism.
constexpr std::array<std::string_view, 27> kSizingWords = {
    "BATCH", "BATCHED", "BS",       "CAPTURE",  "CONC", "CONCURRENCY", "CUDAGRAPH",
    "DCP",   "DP",      "EP",       "FRACTION", "GMU",  "GRAPH",       "GRAPHS",
    "LEN",   "MEM",     "PARALLEL", "PCP",      "PP",   "SEQ",         "SEQS",
    "SIZE",  "SIZES",   "TOKENS",   "TP",       "UTIL", "UTILIZATION"};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool belongs_to_shell(std::string_view name) {
  return holds(kShellNames, name) || name.starts_with("LC_") || name.starts_with("BASH_");
}

bool sizes_server(std::string_view name) {
  std::string word;
  for (const char c : std::string(name) + "_") {
    if (c != '_') {
      word += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      continue;
    }
    if (holds(kSizingWords, word)) return true;
    word.clear();
  }
  return false;
}

Level level_for(std::string_view name) {
  return sizes_server(name) ? Level::kWarning : Level::kNote;
}

bool lies_in(const Span& inner, const Span& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

// The name in front of an assignment.
Span left_side(const layout::WrittenAssignment& written) {
  Span span = written.span;
  span.end = span.begin + static_cast<std::uint32_t>(written.name.size());
  return span;
}

std::uint32_t line_of(const Span& span) {
  return span.file->position(span.begin).line;
}

/// Looks at one script.
class ScriptLook {
 public:
  ScriptLook(const ScriptFlow& flow, const std::vector<Span>& launches, const facts::Catalog& facts,
             findings::FindingSink& sink)
      : flow_(flow), launches_(launches), facts_(facts), sink_(sink) {
    for (const AssignmentFlow& assignment : flow.assignments) {
      by_name_[assignment.written.name].push_back(&assignment);
    }
  }

  void report() {
    for (const auto& [name, assignments] : by_name_) {
      if (belongs_to_shell(name)) continue;
      if (is_never_used(name, assignments)) {
        report_unused(name, assignments);
      } else if (is_always_empty(name, assignments)) {
        report_empty(name, *assignments.front());
      } else {
        report_overwritten(name, assignments);
        report_default(name, assignments);
      }
    }
    report_arms();
  }

 private:
  using Assignments = std::vector<const AssignmentFlow*>;

  const std::vector<Span>& mentions(std::string_view name) {
    const auto found = mentions_.find(name);
    if (found != mentions_.end()) return found->second;
    std::vector<Span> places;
    for (const text::SourceFile* file : flow_.files) {
      const std::vector<Span> more = layout::mentions_of(*file, name);
      places.insert(places.end(), more.begin(), more.end());
    }
    return mentions_.emplace(std::string(name), std::move(places)).first->second;
  }

  /// Places of the name other than those where the script gives it a value.
  std::vector<Span> uses(std::string_view name, const Assignments& assignments) {
    std::vector<Span> places = mentions(name);
    std::erase_if(places, [&](const Span& place) {
      return std::any_of(assignments.begin(), assignments.end(),
                         [&](const AssignmentFlow* a) { return left_side(a->written) == place; });
    });
    return places;
  }

  // No cell reads it, and nowhere in the script or what it sources stands a use that some other
  // cell could come to; to make the next value of itself is none.
  bool is_never_used(std::string_view name, const Assignments& assignments) {
    bool executed = false;
    for (const AssignmentFlow* assignment : assignments) {
      if (assignment->read) return false;
      executed = executed || assignment->executed;
    }
    if (!executed) return false;
    const std::vector<Span> places = uses(name, assignments);
    return std::all_of(places.begin(), places.end(), [&](const Span& place) {
      return std::any_of(assignments.begin(), assignments.end(), [&](const AssignmentFlow* a) {
        return a->executed && lies_in(place, a->written.span);
      });
    });
  }

  void report_unused(std::string_view name, const Assignments& assignments) {
    const auto first = std::find_if(assignments.begin(), assignments.end(),
                                    [](const AssignmentFlow* a) { return a->executed; });
    Finding finding = finding_at((*first)->written.span, name);
    finding.message = fmt::format(
        "Nothing uses '{}': its value reaches no launch, no file, no condition and no command.",
        name);
    finding.remedies = {"Use it where it was meant to go.", "Remove it."};
    if (const std::string_view engine = engine_reading(name); !engine.empty()) {
      finding.level = Level::kWarning;
      finding.message += fmt::format(
          " {} reads a variable of that name, but this one is not "
          "exported.",
          engine);
      finding.remedies = {fmt::format("Write 'export {}=...'.", name), "Remove it."};
    }
    for (const AssignmentFlow* assignment : assignments) {
      if (assignment == *first || !assignment->executed) continue;
      finding.related.push_back({assignment->written.span, "here too"});
    }
    sink_.report(std::move(finding));
  }

  // NAME=() is all that ever happens to it, and it is only ever expanded.
  bool is_always_empty(std::string_view name, const Assignments& assignments) {
    const bool only_empty =
        std::all_of(assignments.begin(), assignments.end(), [](const AssignmentFlow* a) {
          return a->written.is_empty_array && !a->written.in_function && a->executed;
        });
    if (!only_empty) return false;
    const std::vector<Span> places = uses(name, assignments);
    return !places.empty() && std::all_of(places.begin(), places.end(), [&](const Span& place) {
      const std::string_view bytes = place.file->bytes();
      return place.file == flow_.files.front() && place.begin > 0 &&
             std::string_view("{$#!").find(bytes[place.begin - 1]) != std::string_view::npos;
    });
  }

  void report_empty(std::string_view name, const AssignmentFlow& assignment) {
    const std::vector<Span> places = uses(name, {&assignment});
    const auto launched = std::find_if(places.begin(), places.end(), [&](const Span& place) {
      return std::any_of(launches_.begin(), launches_.end(),
                         [&](const Span& launch) { return lies_in(place, launch); });
    });
    Finding finding = finding_at(assignment.written.span, name);
    if (launched != places.end()) finding.level = Level::kWarning;
    finding.message = fmt::format(
        "'{}' is always empty: nothing is ever added to it, and what expands it gets nothing.",
        name);
    finding.related.push_back(
        {launched != places.end() ? *launched : places.front(), "expanded here"});
    finding.remedies = {"Add the arguments that it is meant for.", "Remove it."};
    sink_.report(std::move(finding));
  }

  // The next value in the same list of statements comes before any use.
  void report_overwritten(std::string_view name, const Assignments& assignments) {
    for (const AssignmentFlow* first : assignments) {
      const layout::WrittenAssignment& written = first->written;
      // An empty value at the top says that the variable exists.
      if (!first->executed || first->read || !written.is_statement || written.is_empty) continue;
      const auto next =
          std::find_if(assignments.begin(), assignments.end(), [&](const AssignmentFlow* a) {
            return a->executed && a->written.is_statement && !a->written.appends &&
                   a->written.list == first->written.list &&
                   a->written.place > first->written.place;
          });
      if (next == assignments.end() || is_used_before(name, *first, **next)) continue;
      Finding finding = finding_at(first->written.span, name);
      finding.message = fmt::format("This value of '{}' is never used: line {} replaces it before.",
                                    name, line_of((*next)->written.span));
      finding.related.push_back({(*next)->written.span, "replaced here"});
      finding.remedies = {"Remove one of the two."};
      sink_.report(std::move(finding));
    }
  }

  bool is_used_before(std::string_view name, const AssignmentFlow& first,
                      const AssignmentFlow& next) {
    const Span& begin = first.written.span;
    const Span& end = next.written.span;
    for (const Span& place : mentions(name)) {
      // What other files hold is read by functions, perhaps by one that is called in between.
      if (place.file != begin.file) return !stand_together(first, next);
      const bool between = place.begin >= begin.end && place.end <= end.end;
      if (between && place != left_side(next.written)) return true;
    }
    return false;
  }

  // Nothing but other assignments stands between them.
  bool stand_together(const AssignmentFlow& first, const AssignmentFlow& next) const {
    std::set<std::uint32_t> places;
    for (const AssignmentFlow& other : flow_.assignments) {
      const bool between = other.written.list == first.written.list && other.written.is_statement &&
                           other.written.place > first.written.place &&
                           other.written.place < next.written.place;
      if (between) places.insert(other.written.place);
    }
    return places.size() + 1 == next.written.place - first.written.place;
  }

  // X="${X:-$Y}", and nobody ever sets X: two names for one value.
  void report_default(std::string_view name, const Assignments& assignments) {
    const AssignmentFlow& assignment = *assignments.front();
    if (assignments.size() != 1 || !assignment.written.defaults_to_variable ||
        !assignment.executed || !flow_.environment_known || is_provided(name)) {
      return;
    }
    for (const Span& place : mentions(name)) {
      const bool is_own = place.file == assignment.written.span.file;
      if (!is_own || place.begin < assignment.written.span.begin) return;
    }
    Finding finding = finding_at(assignment.written.span, name);
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "Nothing sets '{}' before: neither its launcher nor what it sources does, so its default "
        "always counts.",
        name);
    finding.remedies = {"Write the value itself.", "Let the launcher or the workflow set it."};
    sink_.report(std::move(finding));
  }

  bool is_provided(std::string_view name) const {
    return std::binary_search(flow_.provided.begin(), flow_.provided.end(), name);
  }

  // A tier by concurrency that no point of the search space comes to.
  void report_arms() {
    if (!flow_.environment_known) return;
    for (const ArmFlow& arm : flow_.arms) {
      if (arm.taken || !depends_on_concurrency(arm)) continue;
      const AssignmentFlow* inner = sizing_assignment_in(arm.written.body);
      if (inner == nullptr) continue;
      Finding finding = finding_at(inner->written.span, inner->written.name);
      finding.level = Level::kNote;
      finding.message = fmt::format(
          "No cell takes this branch, which sets '{}': no concurrency of the search space leads "
          "here.",
          inner->written.name);
      finding.related.push_back(
          {arm.written.is_else ? arm.written.statement : arm.written.head,
           arm.written.is_else ? "one of these conditions always holds" : "never so"});
      finding.remedies = {"Remove the branch.", "Add the points that it was made for."};
      finding.identity = "branch " + inner->written.name;
      sink_.report(std::move(finding));
    }
  }

  bool depends_on_concurrency(const ArmFlow& arm) const {
    const auto is_concurrency = [](const Span& head) {
      return head.valid() && head.bytes().find("CONC") != std::string_view::npos;
    };
    if (!arm.written.is_else && is_concurrency(arm.written.head)) return true;
    if (arm.written.is_case) return is_concurrency(arm.written.statement);
    return arm.written.is_else &&
           std::any_of(flow_.arms.begin(), flow_.arms.end(), [&](const ArmFlow& other) {
             return other.written.statement == arm.written.statement && !other.written.is_else &&
                    is_concurrency(other.written.head);
           });
  }

  // The first one that no cell executes, so that no other branch goes through it.
  const AssignmentFlow* sizing_assignment_in(const Span& body) const {
    for (const AssignmentFlow& assignment : flow_.assignments) {
      const bool inside = body.valid() && lies_in(assignment.written.span, body);
      if (inside && !assignment.executed && sizes_server(assignment.written.name)) {
        return &assignment;
      }
    }
    return nullptr;
  }

  /// The engine whose environment knows the name; empty if there is none.
  std::string_view engine_reading(std::string_view name) const {
    for (const std::string_view engine : {"vllm", "sglang", "trtllm", "atom"}) {
      const facts::Vocabulary* words = facts_.vocabulary(engine);
      if (words != nullptr && words->find_variable(name) != nullptr) return engine;
    }
    return {};
  }

  Finding finding_at(const Span& span, std::string_view name) const {
    Finding finding;
    finding.rule = kId;
    finding.level = level_for(name);
    finding.primary = span;
    finding.identity = name;
    return finding;
  }

  const ScriptFlow& flow_;
  const std::vector<Span>& launches_;
  const facts::Catalog& facts_;
  findings::FindingSink& sink_;
  std::map<std::string, Assignments, std::less<>> by_name_;
  std::map<std::string, std::vector<Span>, std::less<>> mentions_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  std::map<const text::SourceFile*, std::vector<Span>> launches;
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    for (const launch::Launch& launch : cell.launches->launches) {
      if (!launch.span.valid()) continue;
      std::vector<Span>& known = launches[launch.span.file];
      if (std::find(known.begin(), known.end(), launch.span) == known.end()) {
        known.push_back(launch.span);
      }
    }
  }
  for (const ScriptFlow& flow : context.cells.flows()) {
    if (flow.complete && !flow.files.empty()) {
      ScriptLook(flow, launches[flow.files.front()], context.facts, sink).report();
    }
  }
}

}  // namespace

Rule dead_value() {
  return {kId,
          "dead-value",
          Level::kWarning,
          Precision::kHigh,
          "A script computes a value that reaches no launch, file, condition or command in any of "
          "its cells.",
          embedded_pages("dead_value.md"),
          run};
}

}  // namespace recipelint::rules
