#include "analyzer/shell/structure.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analyzer/shell/skeleton.h"
#include "analyzer/shell/structure_repair.h"

namespace recipelint::shell {

namespace {

using Nodes = std::vector<TSNode>;

Nodes children_of(TSNode node) {
  Nodes children;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do {
      children.push_back(ts_tree_cursor_current_node(&cursor));
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  return children;
}

std::string_view type_of(TSNode node) {
  return ts_node_type(node);
}

bool is_broken(const TreePointer& tree) {
  return tree == nullptr || ts_node_has_error(ts_tree_root_node(tree.get()));
}

bool is_pipeline_prefix(const Prefix& prefix) {
  return prefix.kind == Prefix::Kind::kNegation || prefix.kind == Prefix::Kind::kTime;
}

/// Lowers the tree of one unit's symbols.
class Builder {
 public:
  Builder(Unit unit, WordScanner& words) : unit_(std::move(unit)), words_(words) {}

  StatementList build();

 private:
  /// A command: the token it starts with and, unless it is one token, its node.
  struct Operand {
    std::uint32_t token = 0;
    TSNode node{};
  };
  /// A chain of && || | |&: its operands and, between them, the tokens of its operators.
  struct Chain {
    std::vector<Operand> operands;
    std::vector<std::uint32_t> operators;
  };
  using NodeIterator = Nodes::const_iterator;
  static constexpr std::size_t kLongestChain = 1000;

  StatementList lower_list(NodeIterator begin, NodeIterator end);
  Statement lower_statement(TSNode node);
  bool flatten(TSNode node, Chain& chain) const;
  Statement lower_chain(const Chain& chain);
  Statement lower_pipeline(const Chain& chain, std::size_t first, std::size_t last);
  Statement lower_command(const Operand& operand, std::vector<Prefix> prefixes);
  Statement lower_compound(TSNode node);
  Statement lower_loop(TSNode node, const Nodes& children);
  Statement lower_if(const Nodes& children);
  void lower_branch(const Nodes& children, If& result);
  Statement lower_case(TSNode node, const Nodes& children);
  Case::Item lower_case_item(TSNode node);

  void wrap(Statement& statement, Prefix prefix);
  std::vector<Prefix> take_prefixes(std::uint32_t token);
  void take_redirections(std::uint32_t token, Statement& statement);
  Statement unparsed(std::uint32_t first, std::uint32_t last);
  Statement unparsed(TSNode node) { return unparsed(first_token(node), last_token(node)); }

  const Token& token(std::uint32_t index) const { return unit_.tokens[index]; }
  std::uint32_t token_at(std::uint32_t position) const {
    return std::min(position / kSymbolWidth, static_cast<std::uint32_t>(unit_.tokens.size()) - 1);
  }
  std::uint32_t first_token(TSNode node) const { return token_at(ts_node_start_byte(node)); }
  std::uint32_t last_token(TSNode node) const {
    return token_at(std::max(ts_node_end_byte(node), 1u) - 1);
  }
  text::Span span_of(std::uint32_t first, std::uint32_t last) const {
    return words_.span(token(first).begin, std::max(token(first).begin, token(last).end));
  }

  Unit unit_;
  WordScanner& words_;
};

StatementList Builder::build() {
  StatementList list;
  if (unit_.tokens.empty()) return list;
  const auto count = static_cast<std::uint32_t>(unit_.tokens.size());
  const bool is_one_command = token(0).symbol == Symbol::kCommand &&
                              (count == 1 || (count == 2 && token(1).symbol == Symbol::kSeparator));
  if (is_one_command) {
    Chain chain;
    chain.operands.push_back({0, {}});
    list.push_back(lower_chain(chain));
    return list;
  }
  TreePointer tree = parse_skeleton(unit_.tokens);
  if (is_broken(tree)) {
    repair_structure(unit_, words_);
    tree = parse_skeleton(unit_.tokens);
  }
  if (is_broken(tree)) {
    list.push_back(unparsed(0, count - 1));
    return list;
  }
  const Nodes children = children_of(ts_tree_root_node(tree.get()));
  return lower_list(children.begin(), children.end());
}

StatementList Builder::lower_list(NodeIterator begin, NodeIterator end) {
  StatementList list;
  for (auto node = begin; node != end; ++node) {
    if (ts_node_is_named(*node)) {
      list.push_back(lower_statement(*node));
    } else if (type_of(*node) == "&" && !list.empty()) {
      list.back().background = true;
    }
  }
  return list;
}

Statement Builder::lower_statement(TSNode node) {
  Chain chain;
  if (!flatten(node, chain)) return unparsed(node);
  return lower_chain(chain);
}

/// The operands of a chain in the order of the text, however the grammar has nested them. False if
/// it is broken or too long.
bool Builder::flatten(TSNode node, Chain& chain) const {
  Nodes stack{node};
  while (!stack.empty()) {
    const TSNode next = stack.back();
    stack.pop_back();
    const std::string_view type = type_of(next);
    if (type == "list" || type == "pipeline") {
      const Nodes children = children_of(next);
      stack.insert(stack.end(), children.rbegin(), children.rend());
    } else if (ts_node_is_named(next)) {
      chain.operands.push_back({first_token(next), next});
    } else {
      chain.operators.push_back(first_token(next));
    }
    if (chain.operands.size() > kLongestChain) return false;
  }
  return chain.operands.size() == chain.operators.size() + 1;
}

Statement Builder::lower_chain(const Chain& chain) {
  Statement result;
  bool is_first = true;
  bool is_and = true;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= chain.operators.size(); ++i) {
    const bool is_last = i == chain.operators.size();
    const Symbol symbol = is_last ? Symbol::kSeparator : token(chain.operators[i]).symbol;
    if (!is_last && symbol != Symbol::kAnd && symbol != Symbol::kOr) continue;
    Statement right = lower_pipeline(chain, first, i);
    if (is_first) {
      result = std::move(right);
    } else {
      Statement joined;
      joined.span = result.span.joined_with(right.span);
      joined.command = AndOr{is_and, std::make_unique<Statement>(std::move(result)),
                             std::make_unique<Statement>(std::move(right))};
      result = std::move(joined);
    }
    is_first = false;
    is_and = symbol == Symbol::kAnd;
    first = i + 1;
  }
  return result;
}

/// The operands [first, last] of a chain, which only pipes connect, with the ! and time before
/// them.
Statement Builder::lower_pipeline(const Chain& chain, std::size_t first, std::size_t last) {
  std::vector<Prefix> prefixes = take_prefixes(chain.operands[first].token);
  const auto inner = std::find_if_not(prefixes.begin(), prefixes.end(), is_pipeline_prefix);
  std::vector<Prefix> own(std::make_move_iterator(inner), std::make_move_iterator(prefixes.end()));
  prefixes.erase(inner, prefixes.end());
  Statement result = lower_command(chain.operands[first], std::move(own));
  if (first != last) {
    Pipeline pipeline;
    pipeline.commands.push_back(std::move(result));
    for (std::size_t i = first; i < last; ++i) {
      pipeline.pipes_standard_error.push_back(token(chain.operators[i]).symbol ==
                                              Symbol::kPipeBoth);
      const Operand& next = chain.operands[i + 1];
      pipeline.commands.push_back(lower_command(next, take_prefixes(next.token)));
    }
    result = Statement{};
    result.span = pipeline.commands.front().span.joined_with(pipeline.commands.back().span);
    result.command = std::move(pipeline);
  }
  for (; !prefixes.empty(); prefixes.pop_back()) wrap(result, std::move(prefixes.back()));
  return result;
}

Statement Builder::lower_command(const Operand& operand, std::vector<Prefix> prefixes) {
  const Token& first = token(operand.token);
  Statement statement;
  std::uint32_t last = operand.token;
  if (first.symbol == Symbol::kCommand || first.symbol == Symbol::kUnparsed) {
    statement = std::move(unit_.statements[first.statement]);
  } else {
    last = last_token(operand.node);
    statement = lower_compound(operand.node);
    statement.span = span_of(operand.token, last);
  }
  if (!prefixes.empty() && prefixes.back().kind == Prefix::Kind::kFor) {
    wrap(statement, std::move(prefixes.back()));
    prefixes.pop_back();
  }
  take_redirections(last, statement);
  for (; !prefixes.empty(); prefixes.pop_back()) wrap(statement, std::move(prefixes.back()));
  return statement;
}

Statement Builder::lower_compound(TSNode node) {
  const Nesting nesting(words_.state());
  const Nodes children = children_of(node);
  if (nesting.too_deep() || children.size() < 2) return unparsed(node);
  const std::string_view type = type_of(node);
  Statement statement;
  if (type == "compound_statement") {
    statement.command = Group{lower_list(children.begin() + 1, children.end() - 1)};
  } else if (type == "subshell") {
    statement.command = Subshell{lower_list(children.begin() + 1, children.end() - 1)};
  } else if (type == "if_statement") {
    return lower_if(children);
  } else if (type == "while_statement") {
    return lower_loop(node, children);
  } else if (type == "case_statement") {
    return lower_case(node, children);
  } else {
    return unparsed(node);
  }
  return statement;
}

Statement Builder::lower_loop(TSNode node, const Nodes& children) {
  const Nodes body = children_of(children.back());
  if (type_of(children.back()) != "do_group" || body.size() < 2) return unparsed(node);
  Loop loop;
  loop.until = token(first_token(node)).symbol == Symbol::kUntil;
  loop.condition = lower_list(children.begin() + 1, children.end() - 1);
  loop.body = lower_list(body.begin() + 1, body.end() - 1);
  Statement statement;
  statement.command = std::move(loop);
  return statement;
}

Statement Builder::lower_if(const Nodes& children) {
  If result;
  const auto is_clause = [](TSNode child) {
    return type_of(child) == "elif_clause" || type_of(child) == "else_clause";
  };
  const auto clauses = std::find_if(children.begin(), children.end(), is_clause);
  lower_branch({children.begin(), clauses}, result);
  for (auto clause = clauses; clause != children.end(); ++clause) {
    const Nodes parts = children_of(*clause);
    if (type_of(*clause) == "elif_clause") lower_branch(parts, result);
    if (type_of(*clause) == "else_clause") {
      result.otherwise = lower_list(parts.begin() + 1, parts.end());
    }
  }
  Statement statement;
  statement.command = std::move(result);
  return statement;
}

/// "if" or "elif", the condition, "then", the body, and perhaps "fi".
void Builder::lower_branch(const Nodes& children, If& result) {
  const auto then = std::find_if(children.begin(), children.end(),
                                 [](TSNode child) { return type_of(child) == "then"; });
  If::Branch& branch = result.branches.emplace_back();
  if (children.empty()) return;
  branch.condition = lower_list(children.begin() + 1, then);
  if (then != children.end()) branch.body = lower_list(then + 1, children.end());
}

Statement Builder::lower_case(TSNode node, const Nodes& children) {
  const std::uint32_t header = token(first_token(node)).statement;
  if (header == Token::kNone) return unparsed(node);
  Case result = std::move(std::get<Case>(unit_.statements[header].command));
  for (const TSNode child : children) {
    if (type_of(child) == "case_item") result.items.push_back(lower_case_item(child));
  }
  Statement statement;
  statement.command = std::move(result);
  return statement;
}

Case::Item Builder::lower_case_item(TSNode node) {
  Case::Item item;
  const std::uint32_t first = first_token(node);
  const std::uint32_t last = last_token(node);
  item.span = span_of(first, last);
  if (token(first).patterns != Token::kNone) {
    item.patterns = std::move(unit_.patterns[token(first).patterns]);
  }
  if (token(last).symbol == Symbol::kTerminator) item.terminator = token(last).terminator;
  const Nodes children = children_of(node);
  const auto body = std::find_if(children.begin(), children.end(),
                                 [&](TSNode child) { return first_token(child) != first; });
  item.body = lower_list(body, children.end());
  return item;
}

// ------------------------------------------------------------------------------------- tokens

std::vector<Prefix> Builder::take_prefixes(std::uint32_t index) {
  const std::uint32_t attachment = token(index).attachment;
  if (attachment == Token::kNone) return {};
  return std::exchange(unit_.attachments[attachment].prefixes, {});
}

void Builder::take_redirections(std::uint32_t index, Statement& statement) {
  const std::uint32_t attachment = token(index).attachment;
  if (attachment == Token::kNone) return;
  statement.redirections = std::exchange(unit_.attachments[attachment].redirections, {});
  for (const Redirection& redirection : statement.redirections) {
    statement.span = statement.span.joined_with(redirection.span);
  }
}

/// Makes `statement` the body of the prefix.
void Builder::wrap(Statement& statement, Prefix prefix) {
  if (prefix.kind == Prefix::Kind::kTime) {
    statement.timed = true;
    statement.span = words_.span(prefix.begin, prefix.begin).joined_with(statement.span);
    return;
  }
  Statement outer = std::move(prefix.shell);
  outer.span = words_.span(prefix.begin, prefix.begin).joined_with(statement.span);
  if (prefix.kind == Prefix::Kind::kNegation) {
    outer.command = Negation{std::make_unique<Statement>(std::move(statement))};
  } else if (auto* function = std::get_if<FunctionDefinition>(&outer.command)) {
    function->body = std::make_shared<const Statement>(std::move(statement));
  } else if (auto* coprocess = std::get_if<Coprocess>(&outer.command)) {
    coprocess->command = std::make_unique<Statement>(std::move(statement));
  } else if (auto* group = std::get_if<Group>(&statement.command)) {
    if (auto* loop = std::get_if<For>(&outer.command)) loop->body = std::move(group->body);
    if (auto* loop = std::get_if<ArithmeticFor>(&outer.command))
      loop->body = std::move(group->body);
  } else {
    outer.command = Unparsed{};
  }
  statement = std::move(outer);
}

Statement Builder::unparsed(std::uint32_t first, std::uint32_t last) {
  Statement statement;
  statement.command = Unparsed{};
  statement.span = span_of(first, last);
  words_.state().report(statement.span, "bash cannot parse this");
  return statement;
}

}  // namespace

StatementList build_statements(Unit unit, WordScanner& words) {
  return Builder(std::move(unit), words).build();
}

}  // namespace recipelint::shell
