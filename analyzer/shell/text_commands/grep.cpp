#include <algorithm>

#include "analyzer/shell/posix_regex.h"
#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

/// The patterns of one grep: a line is selected if one of them is found.
class Searcher {
 public:
  static text::Result<Searcher> create(const ParsedOptions& parsed, std::string_view patterns) {
    Searcher searcher;
    char dialect = '\0';
    for (const ParsedOptions::Option& option : parsed.options) {
      const char letter = option.letter;
      if (letter != 'E' && letter != 'F' && letter != 'G') continue;
      if (dialect != '\0' && dialect != letter) return not_modelled("grep", "several dialects");
      dialect = letter;
    }
    searcher.whole_lines_ = parsed.has('x');
    const bool fixed = dialect == 'F';
    const RegexSyntax syntax = dialect == 'E' ? RegexSyntax::kExtended : RegexSyntax::kBasic;
    const RegexCase letters = parsed.has('i') ? RegexCase::kIgnored : RegexCase::kSensitive;
    while (true) {
      const std::size_t end = std::min(patterns.find('\n'), patterns.size());
      const std::string_view pattern = patterns.substr(0, end);
      PosixRegex::Failure failure;
      auto regex = PosixRegex::compile(fixed ? escape(pattern) : std::string(pattern), syntax,
                                       letters, failure);
      if (!regex) return not_modelled("grep", failure.message);
      searcher.regexes_.push_back(std::move(*regex));
      if (end == patterns.size()) return searcher;
      patterns.remove_prefix(end + 1);
    }
  }

  /// The leftmost match from byte `from` on, the longest of those; or nothing.
  text::Result<std::optional<TextRange>> find(std::string_view line, std::size_t from) const {
    std::optional<TextRange> best;
    for (const PosixRegex& regex : regexes_) {
      const auto found = regex.search(line, from);
      if (!found.ok()) return found.error();
      if (found->empty()) continue;
      const TextRange range = found->front();
      if (whole_lines_ && (range.begin != 0 || range.end != line.size())) continue;
      const bool better = !best || range.begin < best->begin ||
                          (range.begin == best->begin && range.end > best->end);
      if (better) best = range;
    }
    return best;
  }

 private:
  static std::string escape(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (std::string_view("\\^$.*[]").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
    return out;
  }

  std::vector<PosixRegex> regexes_;
  bool whole_lines_ = false;
};

class Grep {
 public:
  Grep(const ParsedOptions& parsed, const Searcher& searcher)
      : searcher_(searcher),
        inverted_(parsed.has('v')),
        only_matches_(parsed.has('o')),
        numbered_(parsed.has('n')) {}

  std::optional<text::Error> scan(std::string_view text, std::size_t most) {
    std::size_t number = 0;
    for (const std::string_view line : split_lines(text)) {
      ++number;
      if (selected_ == most) break;
      const auto match = searcher_.find(line, 0);
      if (!match.ok()) return match.error();
      if (match->has_value() == inverted_) continue;
      ++selected_;
      const std::string prefix = numbered_ ? std::to_string(number) + ":" : "";
      if (!only_matches_) {
        output_.append(prefix).append(line).append("\n");
      } else if (*match) {
        if (auto error = print_matches(line, prefix, **match)) return error;
      }
    }
    return std::nullopt;
  }

  std::size_t selected() const { return selected_; }
  std::string take_output() { return std::move(output_); }

 private:
  std::optional<text::Error> print_matches(std::string_view line, const std::string& prefix,
                                           TextRange range) {
    while (true) {
      if (range.end > range.begin) {
        output_.append(prefix).append(line, range.begin, range.end - range.begin).append("\n");
      }
      const std::size_t next = range.end > range.begin ? range.end : range.end + 1;
      if (next > line.size()) return std::nullopt;
      const auto match = searcher_.find(line, next);
      if (!match.ok()) return match.error();
      if (!*match) return std::nullopt;
      range = **match;
    }
  }

  const Searcher& searcher_;
  bool inverted_;
  bool only_matches_;
  bool numbered_;
  std::size_t selected_ = 0;
  std::string output_;
};

/// The patterns, separated by newlines, taken from -e or from the first operand.
std::optional<std::string> take_patterns(ParsedOptions& parsed) {
  std::string patterns;
  for (const ParsedOptions::Option& option : parsed.options) {
    if (option.letter == 'e') patterns += option.value + "\n";
  }
  if (!patterns.empty()) {
    patterns.pop_back();
    return patterns;
  }
  if (parsed.has('e')) return patterns;
  if (parsed.operands.empty()) return std::nullopt;
  patterns = parsed.operands.front();
  parsed.operands.erase(parsed.operands.begin());
  return patterns;
}

}  // namespace

CommandResult run_grep(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {
      {"extended-regexp", 'E'}, {"fixed-strings", 'F'}, {"basic-regexp", 'G'},
      {"ignore-case", 'i'},     {"invert-match", 'v'},  {"count", 'c'},
      {"only-matching", 'o'},   {"quiet", 'q'},         {"silent", 'q'},
      {"line-regexp", 'x'},     {"line-number", 'n'},   {"no-messages", 's'},
      {"max-count", 'm'},       {"regexp", 'e'},        {"no-filename", 'h'}};
  auto parsed = parse_options("grep", arguments, "EFGivcoqxnshm:e:", kLong);
  if (!parsed.ok()) return parsed.error();
  const std::optional<std::string> patterns = take_patterns(*parsed);
  const auto most = to_count(parsed->value('m').value_or("18446744073709551615"));
  if (!patterns || !most) return not_modelled("grep", "these arguments");
  if (parsed->operands.size() > 1) return not_modelled("grep", "several files");
  const auto searcher = Searcher::create(*parsed, *patterns);
  if (!searcher.ok()) return searcher.error();
  const auto text = read_input("grep", parsed->operands, input);
  if (!text.ok()) return text.error();
  if (text->find('\0') != std::string::npos) return not_modelled("grep", "binary input");

  Grep grep(*parsed, *searcher);
  if (auto error = grep.scan(*text, *most)) return *error;
  TextCommandResult result;
  result.status = grep.selected() > 0 ? 0 : 1;
  if (parsed->has('q')) return result;
  result.output = parsed->has('c') ? std::to_string(grep.selected()) + "\n" : grep.take_output();
  return result;
}

}  // namespace recipelint::shell
