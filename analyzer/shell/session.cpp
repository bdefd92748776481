#include "analyzer/shell/session.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/shell/io.h"
#include "analyzer/shell/parse.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {
namespace {

constexpr std::array<std::string_view, kWellKnownNames> kNames = {
    "IFS",          "HOME",          "PWD",      "OLDPWD",      "RANDOM",      "SECONDS",
    "EPOCHSECONDS", "EPOCHREALTIME", "LINENO",   "BASHPID",     "PPID",        "UID",
    "EUID",         "HOSTNAME",      "FUNCNAME", "BASH_SOURCE", "BASH_LINENO", "PIPESTATUS",
    "BASH_VERSION", "OSTYPE",        "MACHTYPE", "HOSTTYPE",    "SHLVL",       "USER",
    "LOGNAME",      "PATH",          "SHELL",    "TERM",        "LANG",        "OPTIND",
    "REPLY",        "BASH_REMATCH"};

constexpr std::uint64_t kBytesPerStep = 64;

bool lies_in(const text::Span& inner, const text::Span& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

// Whether a recorded command, or an assignment that gave it a part of its words, holds the place.
bool is_part_of_recorded(const text::Span& span, const std::vector<Shared<Execution>>& executions) {
  const auto leads_there = [&](const Piece& piece) {
    for (const text::OriginLink* link = piece.origin.nearest(); link != nullptr;
         link = link->earlier) {
      if (lies_in(span, link->span)) return true;
    }
    return false;
  };
  return std::any_of(executions.begin(), executions.end(), [&](const Shared<Execution>& execution) {
    if (lies_in(span, execution->span)) return true;
    return std::any_of(execution->argv.begin(), execution->argv.end(), [&](const Value& word) {
      return std::any_of(word.pieces().begin(), word.pieces().end(), leads_there);
    });
  });
}

/// Bounds what is remembered of the words of commands.
constexpr std::size_t kMostWordsOfMakers = 4096;

bool is_part_of_a_file_name(char c) {
  return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/// Whether the name stands in the word, not as a piece of a longer one; "tool.git" is a "tool".
bool mentions(std::string_view word, std::string_view name) {
  for (auto at = word.find(name); at != std::string_view::npos; at = word.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_part_of_a_file_name(word[at - 1]);
    if (begins && (end == word.size() || !is_part_of_a_file_name(word[end]))) return true;
  }
  return false;
}

/// Whether the name begins with what the word ends with, as "out_8" does for "/data/out_", the
/// piece before a parameter.
bool begins(std::string_view name, std::string_view word) {
  constexpr std::size_t kShortest = 3;
  const std::string_view last = word.substr(word.rfind('/') + 1);
  return last.size() >= kShortest && name.starts_with(last);
}

std::string place_key(text::Span span, std::string_view text) {
  std::string key(text);
  key += '\0';
  key += std::to_string(span.begin);
  key += '\0';
  key += std::to_string(reinterpret_cast<std::uintptr_t>(span.file));
  return key;
}

}  // namespace

std::uint32_t ChoiceTape::choose(std::uint32_t count) {
  if (next_ == taken_.size()) taken_.push_back({0, count});
  return taken_[next_++].taken;
}

bool ChoiceTape::advance() {
  next_ = 0;
  while (!taken_.empty()) {
    if (++taken_.back().taken < taken_.back().count) return true;
    taken_.pop_back();
  }
  return false;
}

Session::Session(const EvaluationInput& evaluation_input, text::OriginInterner& origins,
                 JoinPolicy& join_policy)
    : input(evaluation_input), policy(join_policy), origins_(origins) {
  for (const std::string_view name : kNames) names.id(name);
}

const Script* Session::load_script(const std::string& path) {
  note_file(path);
  return input.scripts->load(path);
}

text::Result<const text::SourceFile*> Session::load_file(const std::string& path) {
  note_file(path);
  return input.scripts->files().load(path);
}

/// There are few, so that they are kept in order.
void Session::note_file(const std::string& path) {
  const auto place = std::lower_bound(result.files.begin(), result.files.end(), path);
  if (place == result.files.end() || *place != path) result.files.insert(place, path);
}

bool Session::charge(std::uint64_t steps) {
  result.steps += steps;
  if (result.steps > input.limits.steps && !exhausted_) {
    exhausted_ = true;
    limit(current, "more than " + std::to_string(input.limits.steps) + " steps");
  }
  return !exhausted_;
}

void Session::assume(World& world, Assumption assumption) {
  constexpr std::uint64_t kStepsPerCopy = sizeof(Assumption) / 32;
  std::vector<Assumption>& assumptions = world.assumptions.write();
  charge(1 + assumptions.size() * kStepsPerCopy);
  assumptions.push_back(std::move(assumption));
}

bool Session::charge_bytes(std::uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > input.limits.total_bytes && !exhausted_) {
    exhausted_ = true;
    limit(current, "more than " + std::to_string(input.limits.total_bytes) + " bytes of text");
  }
  return charge(bytes / kBytesPerStep);
}

void Session::limit(text::Span span, std::string message) {
  if (!seen_.insert(place_key(span, message)).second) return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::kLimit;
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  result.diagnostics.push_back(std::move(diagnostic));
}

void Session::report(const World& world, DiagnosticKind kind, text::Span span, std::string message,
                     std::string subject) {
  const bool certain = !world.assumptions || world.assumptions->empty();
  const bool tested = unchecked_depth > 0;
  const bool silenced = Io::descriptor(world, 2).kind == Descriptor::Kind::kNull;
  std::string key = place_key(span, message);
  key += certain ? 'c' : 'u';
  key += tested ? 't' : 'f';
  key += silenced ? 's' : 'p';
  if (!seen_.insert(std::move(key)).second) return;
  result.diagnostics.push_back(
      {kind, span, std::move(message), std::move(subject), certain, tested, silenced});
}

void Session::report_certain(DiagnosticKind kind, text::Span span, std::string message,
                             std::string subject) {
  if (!seen_.insert(place_key(span, message + subject)).second) return;
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.span = span;
  diagnostic.message = std::move(message);
  diagnostic.subject = std::move(subject);
  diagnostic.tested = unchecked_depth > 0;
  result.diagnostics.push_back(std::move(diagnostic));
}

text::Origin Session::origin(text::Span span, std::string_view note, text::Origin earlier) {
  return origins_.add(span, note, earlier);
}

std::uint32_t Session::choose(World& world, std::uint32_t count, text::Span span,
                              std::string cause) {
  if (count <= 1 || tape == nullptr) return 0;
  const std::uint32_t choice = tape->choose(count);
  assume(world, {span, std::move(cause), {}, choice});
  return choice;
}

std::uint32_t Session::add_assignment(NameId name, text::Span span) {
  if (!span.valid()) return Variable::kNoAssignment;
  const AssignmentKey key{span.file, span.begin, name};
  const auto [found, added] =
      assignment_ids_.emplace(key, static_cast<std::uint32_t>(result.assignments.size()));
  if (added) result.assignments.push_back({names.text(name), span, false});
  return found->second;
}

void Session::link_assignments(std::uint32_t from, std::uint32_t to) {
  constexpr std::uint32_t kNone = Variable::kNoAssignment;
  if (from == kNone || to == kNone || from == to || result.assignments[from].read) return;
  if (result.assignments[to].read) {
    result.assignments[from].read = true;
    return;
  }
  flows_.insert(static_cast<std::uint64_t>(to) << 32u | from);
}

void Session::settle_reads() {
  std::vector<std::uint64_t> flows(flows_.begin(), flows_.end());
  const auto settle_one = [&](std::uint64_t flow) {
    const bool used = result.assignments[flow >> 32u].read;
    if (used) result.assignments[flow & 0xffffffffu].read = true;
    return used;
  };
  while (std::erase_if(flows, settle_one) > 0) {
  }
}

void Session::note_unset(std::string_view name, text::Span span) {
  if (!span.valid() || !seen_.insert(place_key(span, name)).second) return;
  unset_.emplace_back(name, span);
}

void Session::settle_unset() {
  if (result.ran_unknown_code || input.absent == EvaluationInput::Absent::kUnknown) return;
  for (const auto& unset : unset_) {
    const std::string& name = unset.first;
    const text::Span span = unset.second;
    const bool assigned = std::any_of(result.assignments.begin(), result.assignments.end(),
                                      [&](const AssignmentUse& use) { return use.name == name; });
    if (assigned || !is_part_of_recorded(span, result.executions)) continue;
    report_certain(DiagnosticKind::kUnsetExpansion, span, "'" + name + "' is not set", name);
  }
}

void Session::add_demand(std::string name, text::Span span, std::string_view function) {
  if (!span.valid() || !seen_.insert(place_key(span, "demand " + name)).second) return;
  result.demands.push_back({std::move(name), span, std::string(function)});
}

void Session::mark_branch(text::Span span, std::size_t arm, bool undecided) {
  if (!span.valid()) return;
  const auto [found, added] =
      branch_ids_.emplace(span.file->bytes().data() + span.begin, result.branches.size());
  if (added) result.branches.push_back({span, 0, false});
  BranchUse& branch = result.branches[found->second];
  branch.taken |= std::uint64_t{1} << std::min<std::size_t>(arm, 63);
  branch.undecided = branch.undecided || undecided;
}

void Session::note_maker(const std::vector<Value>& argv) {
  for (const Value& word : argv) {
    for (const Piece& piece : word.pieces()) {
      // Past that many, everything may have been made.
      if (words_of_makers_.size() > kMostWordsOfMakers) return;
      // The values of parameters are not looked at: that would bind the evaluation to them.
      if (piece.known && piece.text.parameter() == 0) words_of_makers_.insert(piece.text.get());
    }
  }
}

bool Session::may_have_made(std::string_view name) const {
  if (name.empty()) return false;
  return words_of_makers_.size() > kMostWordsOfMakers ||
         std::any_of(
             words_of_makers_.begin(), words_of_makers_.end(),
             [&](const std::string& word) { return mentions(word, name) || begins(name, word); });
}

void Session::add_command(std::string_view name, text::Span span) {
  if (!seen_.insert(place_key(span, name)).second) return;
  result.commands.push_back({std::string(name), span});
}

void Session::add_noted(NotedCommand command) {
  std::string words = "noted";
  for (const Value& word : command.argv) (words += '\0') += word.text();
  if (!seen_.insert(place_key(command.span, words)).second) return;
  result.noted.push_back(std::move(command));
}

const Script& Session::parse(const std::string& text, text::Span blame) {
  std::string key = place_key(blame, text);
  std::shared_ptr<const Script>& script = parsed_[std::move(key)];
  if (script == nullptr) script = parse_text(text, blame);
  return *script;
}

}  // namespace recipelint::shell
