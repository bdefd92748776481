#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/app/commands.h"
#include "analyzer/app/configuration.h"
#include "analyzer/layout/discover.h"

namespace recipelint::app {
namespace {

/// Text for roff: no escapes, no control lines, and hyphens that can be copied.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out.push_back(c);
    }
  }
  const bool is_control = out.starts_with('.') || out.starts_with('\'');
  return is_control ? "\\&" + out : out;
}

/// "-q, --quiet", "--root DIR" with the value in italics.
std::string heading(const OptionUsage& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names)
    names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (option.positional) return fmt::format("\\fI{}\\fR", roff(option.names.front()));
  if (!option.value.empty()) text += fmt::format(" \\fI{}\\fR", roff(option.value));
  return text;
}

bool same(const OptionUsage& a, const OptionUsage& b) {
  return a.names == b.names && a.description == b.description;
}

bool is_known(const CommandUsage& known, const OptionUsage& option) {
  return std::any_of(known.options.begin(), known.options.end(),
                     [&option](const OptionUsage& each) { return same(each, option); });
}

/// The options of a command; those that it has in common with the first one are only named.
void write_command(const CommandUsage& command, const CommandUsage& first, std::ostream& out) {
  out << fmt::format(".SS {}\n{}.\n", roff(command.name), roff(command.description));
  std::vector<std::string> common;
  for (const OptionUsage& option : command.options) {
    if (&command != &first && is_known(first, option)) {
      common.push_back(fmt::format("\\fB{}\\fR", roff(option.names.back())));
      continue;
    }
    out << fmt::format(".TP\n{}\n{}.\n", heading(option), roff(option.description));
  }
  if (common.empty()) return;
  out << fmt::format(".PP\nAs \\fB{}\\fR has them: {}.\n", first.name, fmt::join(common, ", "));
}

}  // namespace

int run_man(const ManOptions& /*options*/, const Streams& streams) {
  std::ostream& out = streams.out;
  const std::vector<CommandUsage> commands = command_line_usage();
  out << ".TH RECIPELINT 1 \"\" \"recipelint " RECIPELINT_VERSION
         "\" \"User Commands\"\n"
         ".SH NAME\n"
         "recipelint \\- static analyzer and linter for LLM\\-inference benchmark recipes\n"
         ".SH SYNOPSIS\n"
         ".B recipelint\n[\\fICOMMAND\\fR] [\\fIOPTION\\fR]... [\\fIPATH\\fR]...\n"
         ".SH DESCRIPTION\n"
         "Works out what every run of a benchmark would launch, from its launch scripts and its "
         "search space, and judges that with the semantics of the engine version in use. Nothing "
         "is executed and nothing is fetched. Without a command,\n.B check\nis meant.\n"
         ".SH COMMANDS\n";
  for (const CommandUsage& command : commands) write_command(command, commands.front(), out);
  out << fmt::format(
      ".SH EXIT STATUS\n"
      ".TP\n{}\nNothing at or above the level of \\fB\\-\\-fail\\-on\\fR.\n"
      ".TP\n{}\nFindings.\n"
      ".TP\n{}\nWrong usage or configuration; one line on standard error says what to do.\n"
      ".TP\n{}\nSomething could not be read or analysed at all.\n"
      ".SH FILES\n.TP\n\\fI{}\\fR\nThe configuration, in the root of a repository.\n"
      ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf it is set and not empty, text has no colour "
      "unless \\fB\\-\\-color\\fR asks for it.\n",
      static_cast<int>(kClean), static_cast<int>(kFindings), static_cast<int>(kUsage),
      static_cast<int>(kUnreadable), roff(layout::kConfigurationName));
  return kClean;
}

}  // namespace recipelint::app
