#include "analyzer/shell/structure_repair.h"

#include <utility>

#include "analyzer/shell/skeleton.h"

namespace recipelint::shell {

namespace {

/// A run of tokens [begin, end).
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Repair {
 public:
  Repair(Unit& unit, WordScanner& words)
      : unit_(unit), words_(words), work_left_(kWorkPerToken * unit.tokens.size() + kFreeWork) {}

  void repair_list(Range list);

 private:
  /// Tokens that may be parsed again. After that, statements are given up without a closer look.
  static constexpr std::size_t kWorkPerToken = 8;
  static constexpr std::size_t kFreeWork = 10'000;

  bool is_good(Range range);
  void repair_statement(Range statement);
  std::vector<Range> inner_lists(Range statement) const;
  void give_up(Range statement);

  Unit& unit_;
  WordScanner& words_;
  std::size_t work_left_;
};

/// Repairs each statement of a list: statements end where a separator stands in no compound
/// command.
void Repair::repair_list(Range list) {
  std::size_t depth = 0;
  std::size_t begin = list.begin;
  for (std::size_t i = list.begin; i < list.end; ++i) {
    const Symbol symbol = unit_.tokens[i].symbol;
    if (opens_compound(symbol)) ++depth;
    if (closes_compound(symbol)) --depth;
    const bool separates = symbol == Symbol::kSeparator || symbol == Symbol::kBackground;
    if (depth > 0 || !separates) continue;
    repair_statement({begin, i + 1});
    begin = i + 1;
  }
  repair_statement({begin, list.end});
}

void Repair::repair_statement(Range statement) {
  if (statement.begin == statement.end || is_good(statement)) return;
  for (const Range& list : inner_lists(statement)) repair_list(list);
  if (!is_good(statement)) give_up(statement);
}

bool Repair::is_good(Range range) {
  const std::size_t size = range.end - range.begin;
  if (size > work_left_) {
    work_left_ = 0;
    return false;
  }
  work_left_ -= size;
  const std::span<const Token> tokens(unit_.tokens);
  const TreePointer tree = parse_skeleton(tokens.subspan(range.begin, size));
  return tree != nullptr && !ts_node_has_error(ts_tree_root_node(tree.get()));
}

/// The lists of commands directly in the compound commands of a statement.
std::vector<Range> Repair::inner_lists(Range statement) const {
  std::vector<Range> lists;
  std::size_t depth = 0;
  std::size_t begin = statement.begin;
  for (std::size_t i = statement.begin; i < statement.end; ++i) {
    const Symbol symbol = unit_.tokens[i].symbol;
    const bool ends_list = (closes_compound(symbol) || continues_compound(symbol)) && depth == 1;
    if (ends_list && begin < i) lists.push_back({begin, i});
    if (closes_compound(symbol)) --depth;
    if (opens_compound(symbol)) ++depth;
    if (ends_list || (opens_compound(symbol) && depth == 1)) begin = i + 1;
  }
  return lists;
}

/// Puts one Unparsed statement in the place of all but the final separator.
void Repair::give_up(Range statement) {
  std::vector<Token>& tokens = unit_.tokens;
  std::size_t last = statement.end - 1;
  const Symbol final_symbol = tokens[last].symbol;
  const bool has_separator =
      final_symbol == Symbol::kSeparator || final_symbol == Symbol::kBackground;
  const bool keeps_separator = has_separator && last > statement.begin;
  if (keeps_separator) --last;
  Token merged;
  merged.symbol = keeps_separator ? Symbol::kCommand : Symbol::kUnparsed;
  merged.begin = tokens[statement.begin].begin;
  merged.end = tokens[last].end;
  merged.statement = static_cast<std::uint32_t>(unit_.statements.size());
  Statement unparsed;
  unparsed.command = Unparsed{};
  unparsed.span = words_.span(merged.begin, merged.end);
  words_.state().report(unparsed.span, "bash cannot parse this");
  unit_.statements.push_back(std::move(unparsed));
  for (std::size_t i = statement.begin; i <= last; ++i) tokens[i].symbol = Symbol::kNothing;
  tokens[statement.begin] = merged;
}

}  // namespace

void repair_structure(Unit& unit, WordScanner& words) {
  Repair(unit, words).repair_list({0, unit.tokens.size()});
}

}  // namespace recipelint::shell
