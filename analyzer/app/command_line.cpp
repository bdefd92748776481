#include "analyzer/app/command_line.h"

#include <CLI/CLI.hpp>
#include <ostream>

namespace recipelint::app {

int run(std::span<const std::string> arguments, const Streams& streams) {
  CLI::App app("Static analyzer for LLM-inference benchmark recipes", "recipelint");
  app.set_version_flag("--version", "recipelint " RECIPELINT_VERSION);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    return app.exit(error, streams.out, streams.err) == 0 ? kClean : kUsage;
  }
  return kClean;
}

}  // namespace recipelint::app
