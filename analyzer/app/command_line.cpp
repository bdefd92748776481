#include "analyzer/app/command_line.h"

#include <ostream>
#include <vector>

#include "analyzer/app/commands.h"
#include "analyzer/app/options.h"

namespace recipelint::app {
namespace {

/// One call for each kind of command.
struct Dispatch {
  const Streams& streams;

  int operator()(const CheckOptions& options) const { return run_check(options, streams); }
  int operator()(const CellsOptions& options) const { return run_cells(options, streams); }
  int operator()(const ArgvOptions& options) const { return run_argv(options, streams); }
  int operator()(const MemoryOptions& options) const { return run_memory(options, streams); }
  int operator()(const ExplainOptions& options) const { return run_explain(options, streams); }
  int operator()(const RulesOptions& options) const { return run_rules(options, streams); }
  int operator()(const FactsOptions& options) const { return run_facts(options, streams); }
  int operator()(const CompletionsOptions& options) const {
    return run_completions(options, streams);
  }
  int operator()(const ManOptions& options) const { return run_man(options, streams); }
  int operator()(const PrintText& text) const {
    streams.out << text.text;
    return kClean;
  }
};

}  // namespace

int run(std::span<const std::string> arguments, const Streams& streams) {
  const auto command = parse_command_line({arguments.begin(), arguments.end()});
  if (!command) return usage_failure(command.error(), streams);
  const int code = std::visit(Dispatch{streams}, *command);
  streams.out.flush();
  // A truncated document must not pass for a whole one.
  if (!streams.out) return usage_failure({"cannot write to standard output", {}}, streams);
  return code;
}

int usage_failure(const text::Error& error, const Streams& streams) {
  streams.err << "recipelint: " << error.message << '\n';
  return kUsage;
}

}  // namespace recipelint::app
