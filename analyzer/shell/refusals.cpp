#include <algorithm>

#include "analyzer/shell/interpreter.h"

// What functions say about the arguments that they are called with.
namespace recipelint::shell {
namespace {

bool lies_in(const text::Span& inner, const text::Span& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

std::string last_line(const Shared<Value>& printed) {
  if (!printed) return {};
  std::string text = printed->text();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto line_break = text.rfind('\n');
  return line_break == std::string::npos ? text : text.substr(line_break + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9');
         });
}

/// "--port", "-p"; not "-", "--" or a number.
bool is_option(std::string_view text) {
  if (text.size() < 2 || text[0] != '-') return false;
  const char first = text[1] == '-' && text.size() > 2 ? text[2] : text[1];
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

}  // namespace

const ArgumentContract& Interpreter::contract_of(const FunctionDefinition& definition) {
  const auto [found, added] = contracts_.try_emplace(&definition);
  if (added) found->second = shell::contract_of(definition);
  return found->second;
}

void Interpreter::note_demands(const ArgumentContract& contract,
                               const FunctionDefinition& definition, const Invocation& invocation) {
  if (!contract.demands_names) return;
  for (std::size_t i = 1; i < invocation.words.size(); ++i) {
    const Field& field = invocation.words[i].field;
    if (!field.value.is_known()) continue;
    std::string name = field.value.text();
    if (is_name(name)) session_.add_demand(std::move(name), field.span, definition.name);
  }
}

void Interpreter::note_refusal(World& world, text::Span span) {
  if (calls_.empty()) return;
  const Call& call = calls_.back();
  const Frame& frame = world.shell.frames->back();
  const ArgumentContract& contract = contract_of(*call.definition);
  if (!contract.loop.valid() || frame.function != call.definition->name) return;
  // Otherwise it depends on what the host decided since.
  if ((world.assumptions ? world.assumptions->size() : 0) > call.assumptions) return;
  const bool in_loop = lies_in(span, contract.loop);
  if (in_loop) {
    const std::vector<Value>& arguments = world.shell.positional->values;
    if (arguments.empty() || !arguments.front().is_known()) return;
    const text::Span written = arguments.front().origin().span();
    session_.report_certain(DiagnosticKind::kRefusedArgument,
                            lies_in(written, frame.call) ? written : frame.call,
                            last_line(world.printed), arguments.front().text());
    return;
  }
  const bool is_requirement =
      std::any_of(contract.requirements.begin(), contract.requirements.end(),
                  [&](const text::Span& requirement) { return lies_in(span, requirement); });
  if (!is_requirement) return;
  session_.report_certain(DiagnosticKind::kMissingArgument, frame.call, last_line(world.printed),
                          call.definition->name);
}

void Interpreter::note_ignored(const World& world, text::Span arm) {
  if (calls_.empty()) return;
  const Call& call = calls_.back();
  const Frame& frame = world.shell.frames->back();
  const ArgumentContract& contract = contract_of(*call.definition);
  if (contract.ignoring != arm || frame.function != call.definition->name) return;
  // Otherwise it depends on what the host decided since.
  if ((world.assumptions ? world.assumptions->size() : 0) > call.assumptions) return;
  const std::vector<Value>& arguments = world.shell.positional->values;
  if (arguments.empty() || !arguments.front().is_known()) return;
  std::string word = arguments.front().text();
  // A word that is passed on can be meant for another function that gets all of them as well.
  const text::Span written = arguments.front().origin().span();
  if (!is_option(word) || !lies_in(written, frame.call)) return;
  session_.report_certain(DiagnosticKind::kIgnoredArgument, written, call.definition->name,
                          std::move(word));
}

}  // namespace recipelint::shell
