#include <algorithm>

#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

std::string_view base_name(std::string_view path, std::string_view suffix) {
  path = without_trailing_slashes(path);
  if (path.size() > 1) path.remove_prefix(path.rfind('/') + 1);
  if (path.size() > suffix.size() && path.ends_with(suffix)) path.remove_suffix(suffix.size());
  return path;
}

std::string_view directory_name(std::string_view path) {
  path = without_trailing_slashes(path);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return without_trailing_slashes(path.substr(0, std::max<std::size_t>(slash, 1)));
}

}  // namespace

CommandResult run_basename(Arguments arguments, const TextCommandInput&) {
  static constexpr LongOption kLong[] = {{"multiple", 'a'}, {"suffix", 's'}};
  const auto parsed =
      parse_options("basename", arguments, "as:", kLong, OptionOrder::kBeforeOperands);
  if (!parsed.ok()) return parsed.error();
  std::vector<std::string> names = parsed->operands;
  std::string suffix = parsed->value('s').value_or("");
  const bool multiple = parsed->has('a') || parsed->has('s');
  if (names.empty() || (!multiple && names.size() > 2)) {
    return not_modelled("basename", "a wrong number of operands");
  }
  if (!multiple && names.size() == 2) {
    suffix = names.back();
    names.pop_back();
  }
  TextCommandResult result;
  for (const std::string& name : names) result.output.append(base_name(name, suffix)).append("\n");
  return result;
}

CommandResult run_dirname(Arguments arguments, const TextCommandInput&) {
  const auto parsed = parse_options("dirname", arguments, "");
  if (!parsed.ok()) return parsed.error();
  if (parsed->operands.empty()) return not_modelled("dirname", "no operand");
  TextCommandResult result;
  for (const std::string& path : parsed->operands) {
    result.output.append(directory_name(path)).append("\n");
  }
  return result;
}

}  // namespace recipelint::shell
