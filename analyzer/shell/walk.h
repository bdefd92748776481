#pragma once

#include "analyzer/shell/ast.h"

namespace recipelint::shell {

/// Goes through a script in the order of its text, into words, functions and command substitutions.
/// Text that becomes a script only when it runs (eval, trap) stays text.
class Walker {
 public:
  virtual ~Walker() = default;
  void walk(const StatementList& list);
  void walk(const Statement& statement);
  void walk(const Word& word);

 protected:
  /// Before and behind the parts of a statement.
  virtual void enter(const Statement& statement);
  virtual void leave(const Statement& statement);
  virtual void on_list(const StatementList& list);
  virtual void on_assignment(const Assignment& assignment);
  virtual void on_parameter(const ParameterExpansion& expansion);

 private:
  void walk_command(const Statement& statement);
  void walk(const Assignment& assignment);
  void walk(const Conditional::Expression& expression);
  void walk(const std::unique_ptr<Word>& word);
  void walk(const std::unique_ptr<Statement>& statement);
};

}  // namespace recipelint::shell
