#include "analyzer/shell/skeleton.h"

#include <string>
#include <string_view>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace recipelint::shell {

namespace {

struct ParserDeleter {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

/// One parser per thread: making one costs more than parsing a small script.
TSParser& thread_parser() {
  thread_local const std::unique_ptr<TSParser, ParserDeleter> parser = [] {
    std::unique_ptr<TSParser, ParserDeleter> made(ts_parser_new());
    ts_parser_set_language(made.get(), tree_sitter_bash());
    return made;
  }();
  return *parser;
}

std::string_view text_of(const Token& token) {
  switch (token.symbol) {
    case Symbol::kNothing:
      return "";
    case Symbol::kCommand:
      return "w";
    case Symbol::kUnparsed:
      return "w;";
    case Symbol::kSeparator:
      return ";";
    case Symbol::kBackground:
      return "&";
    case Symbol::kAnd:
      return "&&";
    case Symbol::kOr:
      return "||";
    case Symbol::kPipe:
    case Symbol::kPipeBoth:
      return "|";
    case Symbol::kOpenParenthesis:
      return "(";
    case Symbol::kCloseParenthesis:
      return ")";
    case Symbol::kOpenBrace:
    case Symbol::kOpenLoop:
      return "{";
    case Symbol::kCloseBrace:
    case Symbol::kCloseLoop:
      return "}";
    case Symbol::kIf:
      return "if";
    case Symbol::kThen:
      return "then";
    case Symbol::kElif:
      return "elif";
    case Symbol::kElse:
      return "else";
    case Symbol::kFi:
      return "fi";
    case Symbol::kWhile:
    case Symbol::kUntil:
      return "while";
    case Symbol::kDo:
      return "do";
    case Symbol::kDone:
      return "done";
    case Symbol::kCase:
      return "case w in";
    case Symbol::kPattern:
      return "w)";
    case Symbol::kTerminator:
      return ";;";
    case Symbol::kEsac:
      return "esac";
  }
  return "";
}

std::string write_skeleton(std::span<const Token> tokens) {
  std::string text;
  text.reserve(tokens.size() * kSymbolWidth);
  for (const Token& token : tokens) {
    const std::string_view symbol = text_of(token);
    text += symbol;
    text.append(kSymbolWidth - symbol.size(), ' ');
  }
  return text;
}

/// How often the parser may report progress (every few hundred operations) before it is stopped.
/// Counted, not timed, so that the outcome is the same on every machine.
struct ProgressBudget {
  std::uint64_t left = 0;
};

bool stop_when_spent(TSParseState* state) {
  auto& budget = *static_cast<ProgressBudget*>(state->payload);
  if (budget.left == 0) return true;
  --budget.left;
  return false;
}

const char* read_skeleton(void* payload, std::uint32_t offset, TSPoint /*position*/,
                          std::uint32_t* size) {
  const auto& text = *static_cast<const std::string*>(payload);
  *size = offset < text.size() ? static_cast<std::uint32_t>(text.size()) - offset : 0;
  return text.data() + (offset < text.size() ? offset : text.size());
}

}  // namespace

TreePointer parse_skeleton(std::span<const Token> tokens) {
  constexpr std::uint64_t kFreeProgress = 10'000;
  std::string text = write_skeleton(tokens);
  ProgressBudget budget{kFreeProgress + tokens.size()};
  const TSInput input{&text, read_skeleton, TSInputEncodingUTF8, nullptr};
  const TSParseOptions options{&budget, stop_when_spent};
  TSParser& parser = thread_parser();
  ts_parser_reset(&parser);
  return TreePointer(ts_parser_parse_with_options(&parser, nullptr, input, options));
}

}  // namespace recipelint::shell
