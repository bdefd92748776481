#include "analyzer/layout/script_flows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/text/source_file.h"

namespace recipelint::layout {
namespace {

const char* address(const text::Span& span) {
  return span.valid() ? span.file->bytes().data() + span.begin : nullptr;
}

bool is_cut_short(const shell::Evaluation& evaluation) {
  return evaluation.ran_unknown_code ||
         std::any_of(evaluation.diagnostics.begin(), evaluation.diagnostics.end(),
                     [](const shell::Diagnostic& diagnostic) {
                       return diagnostic.kind == shell::DiagnosticKind::kLimit ||
                              diagnostic.kind == shell::DiagnosticKind::kUnparsed ||
                              diagnostic.kind == shell::DiagnosticKind::kUnmodelled ||
                              diagnostic.kind == shell::DiagnosticKind::kMissingSource ||
                              diagnostic.kind == shell::DiagnosticKind::kOutsideSource;
                     });
}

// A way that fails before its end has not come to all uses of its values.
bool is_regular(const shell::Evaluation& evaluation) {
  return evaluation.outcome != shell::Evaluation::Outcome::kRejected &&
         std::any_of(evaluation.ends.begin(), evaluation.ends.end(),
                     [](const shell::WorldEnd& end) { return !end.status.is_failure(); });
}

// Starts of programs that are not evaluated, in an environment that may be that of the script.
bool is_submission(std::string_view command) {
  constexpr std::array<std::string_view, 12> kNames = {
      "apptainer", "docker", "enroot", "kubectl",     "mpiexec", "mpirun",
      "podman",    "salloc", "sbatch", "singularity", "srun",    "ssh"};
  const auto slash = command.rfind('/');
  const auto name = slash == std::string_view::npos ? command : command.substr(slash + 1);
  return name.ends_with(".sh") || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_comment(const text::SourceFile& file, std::size_t offset) {
  const std::string_view bytes = file.bytes();
  const auto line_break = bytes.rfind('\n', offset);
  const auto begin = line_break == std::string_view::npos || offset == 0 ? 0 : line_break + 1;
  const auto first = bytes.find_first_not_of(" \t", begin);
  return first != std::string_view::npos && first <= offset && bytes[first] == '#';
}

}  // namespace

std::vector<text::Span> mentions_of(const text::SourceFile& file, std::string_view name) {
  std::vector<text::Span> places;
  const std::string_view bytes = file.bytes();
  for (auto at = bytes.find(name); at != std::string_view::npos; at = bytes.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool is_word = (at == 0 || !is_word_character(bytes[at - 1])) &&
                         (end == bytes.size() || !is_word_character(bytes[end]));
    if (!is_word || is_comment(file, at)) continue;
    places.push_back(file.span(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)));
  }
  return places;
}

void FlowRecorder::add(const shell::EvaluationInput& input, const shell::Evaluation& evaluation,
                       bool environment_known) {
  const std::lock_guard lock(mutex_);
  Facts& facts = facts_[input.script];
  facts.cut_short = facts.cut_short || is_cut_short(evaluation);
  facts.regular = facts.regular || is_regular(evaluation);
  facts.environment_known = facts.environment_known && environment_known;
  for (const shell::CommandUse& use : evaluation.commands) {
    facts.submits = facts.submits || is_submission(use.name);
  }
  for (const shell::AssignmentUse& use : evaluation.assignments) {
    bool& read = facts.assignments[address(use.span)];
    read = read || use.read;
  }
  for (const shell::BranchUse& use : evaluation.branches) {
    Branch& branch = facts.branches[address(use.span)];
    branch.taken |= use.taken;
    branch.undecided = branch.undecided || use.undecided;
  }
  for (const shell::DemandedName& demand : evaluation.demands) {
    facts.demands.emplace(address(demand.span), demand);
  }
  for (const shell::EnvironmentVariable& variable : input.environment) {
    facts.provided.insert(variable.name);
  }
  facts.scripts.insert(evaluation.scripts.begin(), evaluation.scripts.end());
}

ScriptFlow FlowRecorder::flow_of(const std::string& path, const Facts& facts) const {
  ScriptFlow flow;
  flow.path = path;
  flow.complete = facts.regular && !facts.cut_short;
  flow.environment_known = facts.environment_known;
  flow.submits = facts.submits;
  flow.provided.assign(facts.provided.begin(), facts.provided.end());
  const shell::Script* script = scripts_.load(path);
  const auto own_file = scripts_.files().load(path);
  if (script == nullptr || !own_file) return flow;
  flow.files.push_back(*own_file);
  for (const std::string& other : facts.scripts) {
    const auto file = scripts_.files().load(other);
    if (file && *file != flow.files.front()) flow.files.push_back(*file);
  }
  shell::Outline outline = shell::outline_of(*script);
  for (shell::WrittenAssignment& written : outline.assignments) {
    const auto use = facts.assignments.find(address(written.span));
    const bool executed = use != facts.assignments.end();
    flow.assignments.push_back({std::move(written), executed, executed && use->second});
  }
  for (const shell::WrittenArm& written : outline.arms) {
    const auto branch = facts.branches.find(address(written.statement));
    if (branch == facts.branches.end() || branch->second.undecided) continue;
    const std::uint64_t bit = std::uint64_t{1} << std::min<std::uint32_t>(written.number, 63);
    flow.arms.push_back({written, (branch->second.taken & bit) != 0});
  }
  for (const auto& [place, demand] : facts.demands) flow.demands.push_back(demand);
  std::sort(flow.demands.begin(), flow.demands.end(), [](const auto& a, const auto& b) {
    const auto order = text::compare(a.span, b.span);
    return order != 0 ? order < 0 : a.name < b.name;
  });
  return flow;
}

std::vector<ScriptFlow> FlowRecorder::flows() const {
  const std::lock_guard lock(mutex_);
  std::vector<ScriptFlow> flows;
  for (const auto& [path, facts] : facts_) flows.push_back(flow_of(path, facts));
  return flows;
}

}  // namespace recipelint::layout
