#include "analyzer/shell/text_commands/text_commands.h"

#include <algorithm>
#include <array>

#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

CommandResult succeed(Arguments, const TextCommandInput&) {
  return TextCommandResult{{}, 0};
}
CommandResult fail(Arguments, const TextCommandInput&) {
  return TextCommandResult{{}, 1};
}

struct Entry {
  std::string_view name;
  CommandModel model;
};

/// Sorted by name.
// clang-format off
constexpr auto kModels = std::to_array<Entry>({
    {"awk", run_awk},
    {"basename", run_basename},
    {"bc", run_bc},
    {"cut", run_cut},
    {"dirname", run_dirname},
    {"expr", run_expr},
    {"false", fail},
    {"gawk", run_awk},
    {"grep", run_grep},
    {"head", run_head},
    {"jq", run_jq},
    {"mawk", run_awk},
    {"paste", run_paste},
    {"rev", run_rev},
    {"sed", run_sed},
    {"seq", run_seq},
    {"sleep", succeed},
    {"sort", run_sort},
    {"tail", run_tail},
    {"tr", run_tr},
    {"true", succeed},
    {"uniq", run_uniq},
    {"wc", run_wc},
    {"xargs", run_xargs},
});
// clang-format on

CommandModel find_model(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  const auto* found = std::lower_bound(
      kModels.begin(), kModels.end(), name,
      [](const Entry& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != kModels.end() && found->name == name ? found->model : nullptr;
}

}  // namespace

bool is_text_command(std::string_view name) {
  return find_model(name) != nullptr;
}

CommandResult run_text_command(std::string_view name, Arguments arguments,
                               const TextCommandInput& input) {
  const CommandModel model = find_model(name);
  if (model == nullptr) return text::Error{"output of " + std::string(name), {}};
  CommandResult result = model(arguments, input);
  if (result.ok() && result->output.size() > kMostCommandOutput) {
    return not_modelled(name, "more than 16 MiB of output");
  }
  return result;
}

std::vector<std::string_view> text_command_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kModels) names.push_back(entry.name);
  return names;
}

}  // namespace recipelint::shell
