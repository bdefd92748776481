#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/shell/posix_regex.h"
#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

// ------------------------------------------------------------------------------------- program

struct Address {
  enum class Kind : std::uint8_t { kLine, kLastLine, kRegex };
  Kind kind = Kind::kLine;
  std::size_t line = 0;
  std::optional<PosixRegex> regex;
};

/// One part of the replacement of s///: text, or a group (0 is the whole match).
struct ReplacementPart {
  std::string text;
  std::optional<std::size_t> group;
};

struct Substitution {
  std::optional<PosixRegex> regex;
  std::vector<ReplacementPart> replacement;
  bool all = false;
  bool prints = false;
  std::size_t occurrence = 1;
};

struct Command {
  std::optional<Address> first;
  std::optional<Address> last;
  bool inverted = false;
  char letter = '\0';
  Substitution substitution;                // s
  std::array<char, 256> transliteration{};  // y
  // Whether the range has begun and not ended.
  bool in_range = false;
};

class ProgramReader {
 public:
  ProgramReader(std::string_view script, RegexSyntax syntax) : script_(script), syntax_(syntax) {}

  text::Result<std::vector<Command>> read() {
    std::vector<Command> commands;
    while (failure_.empty()) {
      skip(" \t\n;");
      if (at_ == script_.size()) break;
      if (peek() == '#') {
        at_ = std::min(script_.find('\n', at_), script_.size());
        continue;
      }
      commands.push_back(read_command());
    }
    if (!failure_.empty()) return not_modelled("sed", failure_);
    return commands;
  }

 private:
  char peek() const { return at_ < script_.size() ? script_[at_] : '\0'; }

  void skip(std::string_view set) {
    while (at_ < script_.size() && set.find(script_[at_]) != std::string_view::npos) ++at_;
  }

  void fail(std::string why) {
    if (failure_.empty()) failure_ = std::move(why);
    at_ = script_.size();
  }

  Command read_command() {
    Command command;
    command.first = read_address();
    skip(" \t");
    if (command.first && peek() == ',') {
      ++at_;
      skip(" \t");
      command.last = read_address();
      if (!command.last) fail("a range without its end");
      skip(" \t");
    }
    if (command.first && command.first->kind == Address::Kind::kLine && command.first->line == 0) {
      fail("line 0");
    }
    if (peek() == '!') {
      command.inverted = true;
      ++at_;
      skip(" \t!");
    }
    command.letter = peek();
    ++at_;
    read_operands(command);
    return command;
  }

  void read_operands(Command& command) {
    switch (command.letter) {
      case 's':
        command.substitution = read_substitution();
        break;
      case 'y':
        read_transliteration(command);
        break;
      case 'q':
        if (command.last) fail("q with two addresses");
        break;
      case 'd':
      case 'p':
        break;
      default:
        return fail(std::string("command ") + command.letter);
    }
    skip(" \t");
    if (at_ < script_.size() && std::string_view(";\n#").find(peek()) == std::string_view::npos) {
      fail("what follows a command");
    }
  }

  std::optional<Address> read_address() {
    Address address;
    if (peek() == '$') {
      ++at_;
      address.kind = Address::Kind::kLastLine;
      return address;
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0) {
      const std::size_t begin = at_;
      skip("0123456789");
      const auto line = to_count(script_.substr(begin, at_ - begin));
      if (!line || peek() == '~') fail("an address");
      address.line = line.value_or(0);
      return address;
    }
    if (peek() != '/' && peek() != '\\') return std::nullopt;
    if (peek() == '\\') ++at_;
    const char delimiter = peek();
    ++at_;
    address.kind = Address::Kind::kRegex;
    const std::string expression = read_delimited(delimiter, Inside::kRegex);
    RegexCase letters = RegexCase::kSensitive;
    if (peek() == 'I') {
      letters = RegexCase::kIgnored;
      ++at_;
    }
    address.regex = compile(expression, letters);
    return address;
  }

  enum class Inside : std::uint8_t { kRegex, kReplacement };

  /// Text up to the delimiter, which is consumed; "\" before the delimiter is dropped.
  std::string read_delimited(char delimiter, Inside inside) {
    if (delimiter == '\0' || delimiter == '\\' || delimiter == '\n') {
      fail("a delimiter");
      return {};
    }
    std::string text;
    bool in_bracket = false;
    for (; at_ < script_.size(); ++at_) {
      const char c = script_[at_];
      if (c == '\\' && at_ + 1 < script_.size()) {
        const char next = script_[++at_];
        // A special character as delimiter: versions of sed differ about its meaning when escaped.
        const bool special =
            std::string_view("^$.*[]+?(){}|&n").find(next) != std::string_view::npos;
        if (next == delimiter && special) fail("an escaped delimiter");
        if (next != delimiter) text += '\\';
        text += next;
        continue;
      }
      if (c == '\n') break;
      if (c == delimiter && !in_bracket) {
        ++at_;
        return text;
      }
      if (c == delimiter) {
        // GNU sed ends the expression even here; others do not.
        fail("the delimiter within brackets");
      }
      if (inside == Inside::kRegex) in_bracket = track_bracket(c, in_bracket, text);
      text += c;
    }
    fail("an unterminated expression");
    return {};
  }

  static bool track_bracket(char c, bool in_bracket, std::string_view before) {
    if (!in_bracket) return c == '[';
    const bool first = before.ends_with('[') || before.ends_with("[^");
    return c != ']' || first;
  }

  std::optional<PosixRegex> compile(const std::string& expression, RegexCase letters) {
    if (expression.empty()) {
      fail("an empty regular expression");
      return std::nullopt;
    }
    PosixRegex::Failure failure;
    auto regex = PosixRegex::compile(with_escapes(expression), syntax_, letters, failure);
    if (!regex) fail(failure.message);
    return regex;
  }

  /// \n, \t and \xHH stand for characters; the rest is for regcomp.
  std::string with_escapes(std::string_view expression) {
    std::string out;
    for (std::size_t at = 0; at < expression.size(); ++at) {
      if (expression[at] != '\\' || at + 1 == expression.size()) {
        out += expression[at];
        continue;
      }
      const char letter = expression[++at];
      if (letter == 'n') {
        out += '\n';
      } else if (letter == 't') {
        out += '\t';
      } else if (letter == 'x') {
        out += read_hexadecimal(expression, at);
      } else if (std::string_view("acdforv").find(letter) != std::string_view::npos) {
        fail(std::string("\\") + letter);
      } else {
        out.append(1, '\\').append(1, letter);
      }
    }
    return out;
  }

  /// `at` is at the "x" and moves to the last digit.
  char read_hexadecimal(std::string_view text, std::size_t& at) {
    int value = 0;
    int digits = 0;
    while (digits < 2 && at + 1 < text.size() &&
           std::isxdigit(static_cast<unsigned char>(text[at + 1])) != 0) {
      const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(text[++at])));
      value = value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
      ++digits;
    }
    const bool special = std::string_view("^$.*[]+?(){}|\\").find(static_cast<char>(value)) !=
                         std::string_view::npos;
    if (digits == 0 || value == 0 || value >= 0x80 || special) fail("\\x");
    return static_cast<char>(value);
  }

  Substitution read_substitution() {
    Substitution substitution;
    const char delimiter = peek();
    ++at_;
    const std::string expression = read_delimited(delimiter, Inside::kRegex);
    const std::string replacement = read_delimited(delimiter, Inside::kReplacement);
    RegexCase letters = RegexCase::kSensitive;
    while (at_ < script_.size() && failure_.empty()) {
      const char flag = peek();
      if (flag == 'g') {
        substitution.all = true;
      } else if (flag == 'p') {
        substitution.prints = true;
      } else if (flag == 'i' || flag == 'I') {
        letters = RegexCase::kIgnored;
      } else if (flag >= '1' && flag <= '9' && substitution.occurrence == 1) {
        substitution.occurrence = static_cast<std::size_t>(flag - '0');
      } else {
        break;
      }
      ++at_;
    }
    substitution.regex = compile(expression, letters);
    substitution.replacement = read_replacement(replacement);
    const std::size_t groups = substitution.regex ? substitution.regex->group_count() : 0;
    for (const ReplacementPart& part : substitution.replacement) {
      if (part.group.value_or(0) > groups) fail("a group that does not exist");
    }
    return substitution;
  }

  std::vector<ReplacementPart> read_replacement(std::string_view text) {
    std::vector<ReplacementPart> parts;
    std::string literal;
    const auto add_group = [&](std::size_t group) {
      parts.push_back({std::exchange(literal, {}), std::nullopt});
      parts.push_back({{}, group});
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '&') {
        add_group(0);
      } else if (c != '\\' || at + 1 == text.size()) {
        literal += c;
      } else {
        const char letter = text[++at];
        if (letter >= '0' && letter <= '9') {
          add_group(static_cast<std::size_t>(letter - '0'));
        } else if (letter == 'n') {
          literal += '\n';
        } else if (letter == 't') {
          literal += '\t';
        } else if (std::isalpha(static_cast<unsigned char>(letter)) != 0) {
          fail(std::string("\\") + letter);
        } else {
          literal += letter;
        }
      }
    }
    parts.push_back({std::move(literal), std::nullopt});
    return parts;
  }

  void read_transliteration(Command& command) {
    const char delimiter = peek();
    ++at_;
    const std::string from = read_delimited(delimiter, Inside::kReplacement);
    const std::string to = read_delimited(delimiter, Inside::kReplacement);
    if (from.size() != to.size() || (from + to).find('\\') != std::string::npos ||
        !is_ascii(from + to)) {
      fail("this transliteration");
      return;
    }
    for (std::size_t i = 0; i < 256; ++i) command.transliteration[i] = static_cast<char>(i);
    for (std::size_t i = from.size(); i-- > 0;) {
      command.transliteration[static_cast<unsigned char>(from[i])] = to[i];
    }
  }

  std::string_view script_;
  RegexSyntax syntax_;
  std::size_t at_ = 0;
  std::string failure_;
};

// --------------------------------------------------------------------------------------- running

class Editor {
 public:
  Editor(std::vector<Command> commands, bool quiet)
      : commands_(std::move(commands)), quiet_(quiet) {}

  CommandResult run(std::string_view text) {
    const std::vector<std::string_view> lines = split_lines(text);
    for (std::size_t i = 0; i < lines.size() && !quit_; ++i) {
      line_ = std::string(lines[i]);
      number_ = i + 1;
      is_last_ = i + 1 == lines.size();
      // A last line without newline stays without.
      ends_ = !is_last_ || text.ends_with('\n');
      edit();
      if (!failure_.empty()) return not_modelled("sed", failure_);
      if (output_.size() > kMostCommandOutput) break;
    }
    return TextCommandResult{std::move(output_), 0};
  }

 private:
  void edit() {
    for (Command& command : commands_) {
      if (selects(command) == command.inverted) continue;
      switch (command.letter) {
        case 'd':
          return;
        case 'p':
          print();
          break;
        case 'q':
          quit_ = true;
          break;
        case 's':
          substitute(command.substitution);
          break;
        default:
          for (char& c : line_) c = command.transliteration[static_cast<unsigned char>(c)];
      }
      if (quit_) break;
    }
    if (!quiet_) print();
  }

  void print() {
    // What follows a line that has no newline gets one in between.
    if (!output_.empty() && output_.back() != '\n') output_ += '\n';
    output_ += line_;
    if (ends_) output_ += '\n';
  }

  bool matches(const Address& address) {
    switch (address.kind) {
      case Address::Kind::kLine:
        return number_ == address.line;
      case Address::Kind::kLastLine:
        return is_last_;
      case Address::Kind::kRegex:
        return !search(*address.regex, 0).empty();
    }
    return false;
  }

  bool selects(Command& command) {
    if (!command.first) return true;
    if (!command.last) return matches(*command.first);
    const Address& last = *command.last;
    if (command.in_range) {
      const bool beyond = last.kind == Address::Kind::kLine && number_ >= last.line;
      command.in_range = !beyond && !matches(last);
      // A range that ended earlier, while another command had the lines, selects no more.
      return last.kind != Address::Kind::kLine || number_ <= last.line;
    }
    if (!matches(*command.first)) return false;
    const bool only_one = (last.kind == Address::Kind::kLine && last.line <= number_) ||
                          (last.kind == Address::Kind::kLastLine && is_last_);
    command.in_range = !only_one;
    return true;
  }

  std::vector<TextRange> search(const PosixRegex& regex, std::size_t from) {
    auto found = regex.search(line_, from);
    if (found.ok()) return std::move(*found);
    failure_ = found.error().message;
    return {};
  }

  void substitute(const Substitution& substitution) {
    std::string out;
    std::size_t copied = 0;
    std::size_t count = 0;
    bool replaced = false;
    std::optional<std::size_t> last_end;
    for (std::size_t from = 0; from <= line_.size();) {
      const std::vector<TextRange> groups = search(*substitution.regex, from);
      if (groups.empty()) break;
      const TextRange match = groups[0];
      // An empty match right behind another match does not count.
      const bool counts = match.begin < match.end || last_end != match.begin;
      if (counts && ++count >= substitution.occurrence) {
        out.append(line_, copied, match.begin - copied);
        append_replacement(out, substitution, groups);
        copied = match.end;
        replaced = true;
        if (!substitution.all) break;
      }
      last_end = match.end;
      from = match.end > match.begin ? match.end : match.end + character_size(match.end);
    }
    if (!replaced) return;
    line_ = out.append(line_, copied);
    if (substitution.prints) print();
  }

  /// So that the search does not go on within a character.
  std::size_t character_size(std::size_t at) const {
    std::size_t size = 1;
    while (at + size < line_.size() && (line_[at + size] & '\xC0') == '\x80') ++size;
    return size;
  }

  void append_replacement(std::string& out, const Substitution& substitution,
                          const std::vector<TextRange>& groups) const {
    for (const ReplacementPart& part : substitution.replacement) {
      out += part.text;
      if (!part.group) continue;
      const TextRange range = groups[*part.group];
      out.append(line_, range.begin, range.end - range.begin);
    }
  }

  std::vector<Command> commands_;
  bool quiet_;
  std::string line_;
  std::size_t number_ = 0;
  bool is_last_ = false;
  bool ends_ = true;
  bool quit_ = false;
  std::string output_;
  std::string failure_;
};

}  // namespace

CommandResult run_sed(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"quiet", 'n'},
                                         {"silent", 'n'},
                                         {"expression", 'e'},
                                         {"regexp-extended", 'E'},
                                         {"unbuffered", 'u'}};
  auto parsed = parse_options("sed", arguments, "ne:Eru", kLong);
  if (!parsed.ok()) return parsed.error();
  std::string script;
  for (const ParsedOptions::Option& option : parsed->options) {
    if (option.letter == 'e') script += option.value + "\n";
  }
  if (!parsed->has('e')) {
    if (parsed->operands.empty()) return not_modelled("sed", "no script");
    script = parsed->operands.front();
    parsed->operands.erase(parsed->operands.begin());
  }
  const bool extended = parsed->has('E') || parsed->has('r');
  auto commands =
      ProgramReader(script, extended ? RegexSyntax::kExtended : RegexSyntax::kBasic).read();
  if (!commands.ok()) return commands.error();
  const auto text = read_input("sed", parsed->operands, input);
  if (!text.ok()) return text.error();
  return Editor(std::move(*commands), parsed->has('n')).run(*text);
}

}  // namespace recipelint::shell
