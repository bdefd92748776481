// The parser of bash: words, expansions, redirections and the statements around them.

#include <string>
#include <string_view>

#include "analyzer/shell/parse.h"
#include "analyzer/shell/walk.h"
#include "analyzer/text/source_file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/script_printer.h"

namespace recipelint::fuzz {
namespace {

/// Every place must lie in the file.
class Places final : public shell::Walker {
 protected:
  void enter(const shell::Statement& statement) override {
    demand_inside(statement.span);
    for (const auto& redirection : statement.redirections) {
      demand_inside(redirection.span);
      demand_inside(redirection.target.span);
    }
    const auto* command = std::get_if<shell::SimpleCommand>(&statement.command);
    if (command == nullptr) return;
    for (const auto& word : command->words) {
      if (const auto* plain = std::get_if<shell::Word>(&word)) demand_inside(*plain);
    }
  }
  void on_assignment(const shell::Assignment& assignment) override {
    demand_inside(assignment.span);
    demand(!assignment.name.empty(), "an assignment has a name");
  }

 private:
  static void demand_inside(text::Span span) { fuzz::demand_inside(span); }
  static void demand_inside(const shell::Word& word) {
    demand_inside(word.span);
    for (const auto& part : word.parts) demand_inside(part.span);
  }
};

void demand_sense(const shell::Script& script) {
  Places().walk(script.body);
  static_cast<void>(testing::print_statements(script.body, testing::WordStyle::kFromParts));
  for (const auto& problem : script.problems) {
    demand_inside(problem.span);
    demand(!problem.message.empty(), "a problem has a message");
  }
}

}  // namespace

void words(std::string_view input) {
  const text::SourceFile file("run.sh", std::string(input));
  demand_sense(*shell::parse_script(file));
  demand_sense(*shell::parse_text(input, file.span(0, 0)));
}

}  // namespace recipelint::fuzz
