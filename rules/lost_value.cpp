#include "rules/lost_value.h"

#include <algorithm>

#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/text/source_file.h"

namespace recipelint::rules {
namespace {

bool ends_word(std::string_view rest) {
  return rest.empty() ||
         std::string_view(" \t\r\n\"');&|").find(rest.front()) != std::string_view::npos;
}

/// The option whose value the expansion is, if it is all of the value: --option $X, --option "$X",
/// --option=$X, be it in a command or in the text of one.
std::string option_before(const text::Span& expansion) {
  const std::string_view bytes = expansion.file->bytes();
  if (!ends_word(bytes.substr(expansion.end))) return {};
  std::string_view before = bytes.substr(0, expansion.begin);
  if (before.ends_with('"')) before.remove_suffix(before.ends_with("\\\"") ? 2 : 1);
  if (before.ends_with('=')) {
    before.remove_suffix(1);
  } else {
    const auto last = before.find_last_not_of(" \t\\\n");
    if (last == std::string_view::npos || last + 1 == before.size()) return {};
    before = before.substr(0, last + 1);
  }
  const auto start = before.find_last_of(" \t\n\"'(=;");
  const std::string_view word = start == std::string_view::npos ? before : before.substr(start + 1);
  const bool is_option =
      word.size() > 1 && word[0] == '-' &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
          std::string_view::npos;
  return is_option ? std::string(word) : std::string();
}

/// The engine that is started with this option by one of the cells, if the option takes a value.
std::string_view engine_taking(const RuleContext& context, const PlacedDiagnostic& placed,
                               const std::string& option) {
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    if (!std::binary_search(placed.cells.begin(), placed.cells.end(), cell.name())) continue;
    for (const launch::Launch& launch : cell.launches->launches) {
      const facts::Vocabulary* words = context.facts.vocabulary(launch::to_string(launch.engine));
      const facts::Flag* flag = words != nullptr ? words->find_flag(option) : nullptr;
      const bool is_given = flag != nullptr && std::any_of(launch.argv.begin(), launch.argv.end(),
                                                           [&](const shell::Value& word) {
                                                             return word.text().starts_with(option);
                                                           });
      if (is_given && flag->takes_value() && flag->kind != facts::FlagKind::kOptionalString) {
        return words->engine();
      }
    }
  }
  return {};
}

}  // namespace

std::optional<LostValue> lost_value(const RuleContext& context, const PlacedDiagnostic& placed) {
  std::string option = option_before(placed.diagnostic.span);
  if (option.empty()) return std::nullopt;
  const std::string_view engine = engine_taking(context, placed, option);
  if (engine.empty()) return std::nullopt;
  return LostValue{std::move(option), engine};
}

}  // namespace recipelint::rules
