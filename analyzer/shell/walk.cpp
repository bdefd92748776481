#include "analyzer/shell/walk.h"

namespace recipelint::shell {

void Walker::enter(const Statement&) {}
void Walker::leave(const Statement&) {}
void Walker::on_list(const StatementList&) {}
void Walker::on_assignment(const Assignment&) {}
void Walker::on_parameter(const ParameterExpansion&) {}

void Walker::walk(const StatementList& list) {
  on_list(list);
  for (const Statement& statement : list) walk(statement);
}

void Walker::walk(const Statement& statement) {
  enter(statement);
  walk_command(statement);
  for (const Redirection& redirection : statement.redirections) walk(redirection.target);
  leave(statement);
}

void Walker::walk(const std::unique_ptr<Word>& word) {
  if (word != nullptr) walk(*word);
}

void Walker::walk(const std::unique_ptr<Statement>& statement) {
  if (statement != nullptr) walk(*statement);
}

void Walker::walk(const Word& word) {
  for (const WordPart& part : word.parts) {
    if (const auto* expansion = std::get_if<ParameterExpansion>(&part.content)) {
      on_parameter(*expansion);
      walk(expansion->index);
      walk(expansion->operand);
      walk(expansion->second_operand);
    } else if (const auto* command = std::get_if<CommandSubstitution>(&part.content)) {
      if (command->body != nullptr) walk(*command->body);
    } else if (const auto* arithmetic = std::get_if<ArithmeticExpansion>(&part.content)) {
      walk(arithmetic->expression);
    } else if (const auto* process = std::get_if<ProcessSubstitution>(&part.content)) {
      if (process->body != nullptr) walk(*process->body);
    }
  }
}

void Walker::walk(const Assignment& assignment) {
  on_assignment(assignment);
  walk(assignment.subscript);
  if (const auto* word = std::get_if<Word>(&assignment.value)) {
    walk(*word);
    return;
  }
  for (const ArrayElement& element : std::get<std::vector<ArrayElement>>(assignment.value)) {
    walk(element.subscript);
    walk(element.value);
  }
}

void Walker::walk(const Conditional::Expression& expression) {
  for (const Word& word : expression.words) walk(word);
  for (const Conditional::Expression& operand : expression.operands) walk(operand);
}

void Walker::walk_command(const Statement& statement) {
  const auto& command = statement.command;
  if (const auto* simple = std::get_if<SimpleCommand>(&command)) {
    for (const Assignment& assignment : simple->assignments) walk(assignment);
    for (const auto& word : simple->words) {
      if (const auto* plain = std::get_if<Word>(&word)) {
        walk(*plain);
      } else {
        walk(std::get<Assignment>(word));
      }
    }
  } else if (const auto* pipeline = std::get_if<Pipeline>(&command)) {
    for (const Statement& stage : pipeline->commands) walk(stage);
  } else if (const auto* list = std::get_if<AndOr>(&command)) {
    walk(list->left);
    walk(list->right);
  } else if (const auto* negation = std::get_if<Negation>(&command)) {
    walk(negation->command);
  } else if (const auto* group = std::get_if<Group>(&command)) {
    walk(group->body);
  } else if (const auto* subshell = std::get_if<Subshell>(&command)) {
    walk(subshell->body);
  } else if (const auto* choice = std::get_if<If>(&command)) {
    for (const If::Branch& branch : choice->branches) {
      walk(branch.condition);
      walk(branch.body);
    }
    if (choice->otherwise) walk(*choice->otherwise);
  } else if (const auto* loop = std::get_if<Loop>(&command)) {
    walk(loop->condition);
    walk(loop->body);
  } else if (const auto* each = std::get_if<For>(&command)) {
    if (each->words) {
      for (const Word& word : *each->words) walk(word);
    }
    walk(each->body);
  } else if (const auto* counted = std::get_if<ArithmeticFor>(&command)) {
    walk(counted->initialize);
    walk(counted->condition);
    walk(counted->step);
    walk(counted->body);
  } else if (const auto* cases = std::get_if<Case>(&command)) {
    walk(cases->subject);
    for (const Case::Item& item : cases->items) {
      for (const Word& pattern : item.patterns) walk(pattern);
      walk(item.body);
    }
  } else if (const auto* conditional = std::get_if<Conditional>(&command)) {
    walk(conditional->expression);
  } else if (const auto* arithmetic = std::get_if<ArithmeticCommand>(&command)) {
    walk(arithmetic->expression);
  } else if (const auto* function = std::get_if<FunctionDefinition>(&command)) {
    if (function->body != nullptr) walk(*function->body);
  } else if (const auto* coprocess = std::get_if<Coprocess>(&command)) {
    walk(coprocess->command);
  }
}

}  // namespace recipelint::shell
