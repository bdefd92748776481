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
  /// How often arguments of the function are read: $1, ${2:-}; and all of them: "$@", for x; do.
  std::size_t argument_reads = 0;
  bool reads_all_arguments = false;

 protected:
  void enter(const Statement& statement) override {
    if (const auto* cases = std::get_if<Case>(&statement.command)) {
      compares_first_argument = compares_first_argument || is_first_argument(cases->subject);
    }
    if (const auto* simple = std::get_if<SimpleCommand>(&statement.command)) {
      fails = fails || ends_with_failure(*simple);
    }
    const auto* each = std::get_if<For>(&statement.command);
    if (each != nullptr && !each->words) reads_all_arguments = true;
  }
  void on_parameter(const ParameterExpansion& expansion) override {
    const bool is_indirect = expansion.form == ParameterExpansion::Form::kIndirect;
    (is_indirect ? indirect : read).insert(expansion.name);
    // ${!i} can be any of them.
    if (expansion.name == "@" || expansion.name == "*" || is_indirect) reads_all_arguments = true;
    if (is_number(expansion.name) && expansion.name != "0") ++argument_reads;
  }
  void on_assignment(const Assignment& assignment) override { assigned.insert(assignment.name); }

 private:
  static bool is_number(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(),
                                        [](char digit) { return digit >= '0' && digit <= '9'; });
  }
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

/// The text of a word without expansions; empty for others.
std::string_view literal_of(const Word& word) {
  if (word.parts.size() != 1) return {};
  const auto* text = std::get_if<Literal>(&word.parts.front().content);
  return text != nullptr ? std::string_view(text->text) : std::string_view();
}

bool only_shifts(const StatementList& body) {
  if (body.size() != 1) return false;
  const auto* command = std::get_if<SimpleCommand>(&body.front().command);
  if (command == nullptr || command->words.empty() || command->words.size() > 2) return false;
  const auto* name = std::get_if<Word>(&command->words.front());
  if (name == nullptr || literal_of(*name) != "shift") return false;
  const auto* count =
      command->words.size() == 2 ? std::get_if<Word>(&command->words.back()) : nullptr;
  return command->words.size() == 1 || (count != nullptr && literal_of(*count) == "1");
}

/// Finds in an arm what makes it the reading of an option, or the end of a search for a word.
class ArmKind final : public Walker {
 public:
  bool shifts = false;
  bool leaves = false;

 protected:
  void enter(const Statement& statement) override {
    const auto* command = std::get_if<SimpleCommand>(&statement.command);
    if (command == nullptr || command->words.empty()) return;
    const auto* word = std::get_if<Word>(&command->words.front());
    if (word == nullptr) return;
    const std::string_view name = literal_of(*word);
    shifts = shifts || name == "shift";
    leaves = leaves || name == "return" || name == "break";
  }
};

/// Whether the arms take options one after the other, and none of them ends the loop.
bool reads_options(const Case& cases) {
  bool reads = false;
  for (const Case::Item& item : cases.items) {
    ArmKind kind;
    kind.walk(item.body);
    if (kind.leaves) return false;
    reads = reads || (kind.shifts && &item != &cases.items.back());
  }
  return reads;
}

/// The last arm of a case, if it is for all that the others do not match, and only shifts.
text::Span dropping_arm(const Case& cases) {
  if (cases.items.empty()) return {};
  const Case::Item& last = cases.items.back();
  const bool is_for_all = last.patterns.size() == 1 && literal_of(last.patterns.front()) == "*";
  const bool drops = is_for_all && only_shifts(last.body) && reads_options(cases);
  return drops ? last.span : text::Span{};
}

/// The arm of the argument loop that drops words, if nothing else in the function sees them.
text::Span ignoring_arm(const Loop& loop, const Mentions& function) {
  if (function.reads_all_arguments) return {};
  for (const Statement& statement : loop.body) {
    const auto* cases = std::get_if<Case>(&statement.command);
    if (cases == nullptr) continue;
    Mentions read;
    read.walk(statement);
    read.walk(loop.condition);
    if (!read.compares_first_argument) continue;
    return read.argument_reads == function.argument_reads ? dropping_arm(*cases) : text::Span{};
  }
  return {};
}

class ContractReader final : public Walker {
 public:
  /// `function` is what its body mentions.
  explicit ContractReader(const Mentions& function) : function_(function) {}
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
    contract.ignoring = ignoring_arm(loop, function_);
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

  const Mentions& function_;
  std::set<std::string, std::less<>> set_by_loop_;
};

}  // namespace

ArgumentContract contract_of(const FunctionDefinition& definition) {
  if (definition.body == nullptr) return {};
  Mentions all;
  all.walk(*definition.body);
  ContractReader reader(all);
  reader.walk(*definition.body);
  reader.contract.demands_names = reader.contract.demands_names && all.fails;
  return std::move(reader.contract);
}

}  // namespace recipelint::shell
