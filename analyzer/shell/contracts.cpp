#include "analyzer/shell/contracts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "analyzer/shell/walk.h"

namespace recipelint::shell {
namespace {

/// The parameters and assignments of a part of a script.
class Mentions final : public Walker {
 public:
  std::set<std::string, std::less<>> read;
  std::set<std::string, std::less<>> indirect;
  std::set<std::string, std::less<>> assigned;
  bool compares_first_argument = false;
  bool fails = false;

 protected:
  void enter(const Statement& statement) override {
    if (const auto* cases = std::get_if<Case>(&statement.command)) {
      compares_first_argument = compares_first_argument || is_first_argument(cases->subject);
    }
    if (const auto* simple = std::get_if<SimpleCommand>(&statement.command)) {
      fails = fails || ends_with_failure(*simple);
    }
  }
  void on_parameter(const ParameterExpansion& expansion) override {
    const bool is_indirect = expansion.form == ParameterExpansion::Form::kIndirect;
    (is_indirect ? indirect : read).insert(expansion.name);
  }
  void on_assignment(const Assignment& assignment) override { assigned.insert(assignment.name); }

 private:
  static bool is_first_argument(const Word& word) {
    if (word.parts.size() != 1) return false;
    const auto* expansion = std::get_if<ParameterExpansion>(&word.parts.front().content);
    return expansion != nullptr && expansion->name == "1" &&
           expansion->op == ParameterOperator::kNone;
  }
  static std::string_view literal(const std::variant<Word, Assignment>& word) {
    const auto* plain = std::get_if<Word>(&word);
    if (plain == nullptr || plain->parts.size() != 1) return {};
    const auto* text = std::get_if<Literal>(&plain->parts.front().content);
    return text != nullptr ? std::string_view(text->text) : std::string_view();
  }
  static bool ends_with_failure(const SimpleCommand& command) {
    if (command.words.size() != 2) return false;
    const std::string_view name = literal(command.words[0]);
    const std::string_view status = literal(command.words[1]);
    return (name == "exit" || name == "return") && !status.empty() && status != "0";
  }
};

bool is_over_arguments(const For& loop) {
  if (!loop.words) return true;
  if (loop.words->size() != 1 || loop.words->front().parts.size() != 1) return false;
  const auto* all = std::get_if<ParameterExpansion>(&loop.words->front().parts.front().content);
  return all != nullptr && (all->name == "@" || all->name == "*");
}

bool tests_for_empty(const Conditional::Expression& expression) {
  if (expression.op == "-z") return true;
  return std::any_of(expression.operands.begin(), expression.operands.end(), tests_for_empty);
}

bool tests_for_empty(const SimpleCommand& command) {
  return std::any_of(command.words.begin(), command.words.end(), [](const auto& word) {
    const auto* plain = std::get_if<Word>(&word);
    if (plain == nullptr || plain->parts.size() != 1) return false;
    const auto* text = std::get_if<Literal>(&plain->parts.front().content);
    return text != nullptr && text->text == "-z";
  });
}

bool tests_for_empty(const Statement& statement) {
  if (const auto* conditional = std::get_if<Conditional>(&statement.command)) {
    return tests_for_empty(conditional->expression);
  }
  const auto* simple = std::get_if<SimpleCommand>(&statement.command);
  return simple != nullptr && tests_for_empty(*simple);
}

class ContractReader final : public Walker {
 public:
  ArgumentContract contract;

 protected:
  void enter(const Statement& statement) override {
    if (const auto* loop = std::get_if<Loop>(&statement.command)) read_loop(*loop, statement);
    if (const auto* each = std::get_if<For>(&statement.command)) read_names(*each);
    if (const auto* choice = std::get_if<If>(&statement.command)) read_test(*choice, statement);
  }

 private:
  void read_loop(const Loop& loop, const Statement& statement) {
    if (contract.loop.valid()) return;
    Mentions condition;
    condition.walk(loop.condition);
    if (!condition.read.contains("#") && !condition.read.contains("1")) return;
    Mentions body;
    body.walk(loop.body);
    if (!body.compares_first_argument) return;
    contract.loop = statement.span;
    set_by_loop_ = std::move(body.assigned);
  }

  void read_names(const For& loop) {
    if (!is_over_arguments(loop)) return;
    Mentions body;
    body.walk(loop.body);
    contract.demands_names = contract.demands_names || body.indirect.contains(loop.variable);
  }

  void read_test(const If& choice, const Statement& statement) {
    if (!contract.loop.valid() || statement.span.begin < contract.loop.end) return;
    const StatementList& condition = choice.branches.front().condition;
    if (condition.size() != 1 || !tests_for_empty(condition.front())) return;
    Mentions tested;
    tested.walk(condition);
    const bool is_argument =
        std::any_of(tested.read.begin(), tested.read.end(),
                    [&](const std::string& name) { return set_by_loop_.contains(name); });
    if (is_argument) contract.requirements.push_back(statement.span);
  }

  std::set<std::string, std::less<>> set_by_loop_;
};

}  // namespace

ArgumentContract contract_of(const FunctionDefinition& definition) {
  if (definition.body == nullptr) return {};
  ContractReader reader;
  reader.walk(*definition.body);
  Mentions all;
  all.walk(*definition.body);
  reader.contract.demands_names = reader.contract.demands_names && all.fails;
  return std::move(reader.contract);
}

}  // namespace recipelint::shell
