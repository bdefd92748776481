#include "analyzer/shell/outline.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analyzer/shell/walk.h"

namespace recipelint::shell {
namespace {

// ${X:-$Y}, alone in its word.
bool defaults_to_variable(const Word& word, const std::string& name) {
  if (word.parts.size() != 1) return false;
  const auto* value = std::get_if<ParameterExpansion>(&word.parts.front().content);
  if (value == nullptr || value->name != name || value->op != ParameterOperator::kDefault ||
      value->operand == nullptr || value->operand->parts.size() != 1) {
    return false;
  }
  const auto* other = std::get_if<ParameterExpansion>(&value->operand->parts.front().content);
  return other != nullptr && other->op == ParameterOperator::kNone && other->name != name;
}

bool is_empty(const Word& word) {
  return std::all_of(word.parts.begin(), word.parts.end(), [](const WordPart& part) {
    const auto* literal = std::get_if<Literal>(&part.content);
    return literal != nullptr && literal->text.empty();
  });
}

class OutlineReader final : public Walker {
 public:
  Outline outline;

 protected:
  void on_list(const StatementList& list) override {
    ++lists_;
    for (std::size_t i = 0; i < list.size(); ++i) {
      places_[&list[i]] = {lists_, static_cast<std::uint32_t>(i)};
    }
  }

  void enter(const Statement& statement) override {
    statements_.push_back(&statement);
    if (std::holds_alternative<FunctionDefinition>(statement.command)) ++functions_;
    if (const auto* choice = std::get_if<If>(&statement.command)) read(*choice);
    if (const auto* cases = std::get_if<Case>(&statement.command)) read(*cases);
  }

  void leave(const Statement& statement) override {
    statements_.pop_back();
    if (std::holds_alternative<FunctionDefinition>(statement.command)) --functions_;
  }

  void on_assignment(const Assignment& assignment) override {
    WrittenAssignment written;
    written.name = assignment.name;
    written.span = assignment.span;
    written.appends = assignment.appends || assignment.subscript != nullptr;
    written.in_function = functions_ > 0;
    if (const auto* word = std::get_if<Word>(&assignment.value)) {
      written.is_empty = is_empty(*word);
      written.defaults_to_variable = defaults_to_variable(*word, assignment.name);
    } else {
      written.is_empty_array =
          !written.appends && std::get<std::vector<ArrayElement>>(assignment.value).empty();
    }
    const Statement* statement = statements_.back();
    const auto* simple = std::get_if<SimpleCommand>(&statement->command);
    written.is_statement = simple != nullptr && simple->words.empty();
    if (const auto place = places_.find(statement); place != places_.end()) {
      written.list = place->second.first;
      written.place = place->second.second;
    }
    outline.assignments.push_back(std::move(written));
  }

 private:
  static text::Span span_of(const StatementList& list) {
    return list.empty() ? text::Span() : list.front().span.joined_with(list.back().span);
  }

  void read(const If& choice) {
    const text::Span statement = choice.branches.front().condition.front().span;
    const auto count =
        static_cast<std::uint32_t>(choice.branches.size() + (choice.otherwise ? 1 : 0));
    std::uint32_t number = 0;
    for (const If::Branch& branch : choice.branches) {
      outline.arms.push_back({statement, number++, span_of(branch.condition), span_of(branch.body),
                              count, false, false});
    }
    if (choice.otherwise && !choice.otherwise->empty()) {
      outline.arms.push_back({statement, number, choice.otherwise->front().span,
                              span_of(*choice.otherwise), count, true, false});
    }
  }

  void read(const Case& cases) {
    std::uint32_t number = 0;
    const auto count = static_cast<std::uint32_t>(cases.items.size());
    for (const Case::Item& item : cases.items) {
      text::Span head = item.span;
      if (!item.patterns.empty()) {
        head = item.patterns.front().span.joined_with(item.patterns.back().span);
      }
      outline.arms.push_back(
          {cases.subject.span, number++, head, span_of(item.body), count, false, true});
    }
  }

  std::vector<const Statement*> statements_;
  std::unordered_map<const Statement*, std::pair<std::uint32_t, std::uint32_t>> places_;
  std::uint32_t lists_ = 0;
  int functions_ = 0;
};

}  // namespace

Outline outline_of(const Script& script) {
  OutlineReader reader;
  reader.walk(script.body);
  return std::move(reader.outline);
}

}  // namespace recipelint::shell
