#include "analyzer/shell/text_commands/command.h"

#include <algorithm>
#include <charconv>

namespace recipelint::shell {
namespace {

/// Reads one argument after the other.
class OptionReader {
 public:
  OptionReader(std::string_view command, Arguments arguments, std::string_view letters,
               std::span<const LongOption> long_options)
      : command_(command), arguments_(arguments), letters_(letters), long_options_(long_options) {}

  text::Result<ParsedOptions> run(OptionOrder order) {
    while (next_ < arguments_.size() && unknown_.empty()) {
      const std::string& argument = arguments_[next_++];
      if (argument == "--") break;
      if (argument.starts_with("--")) {
        read_long(argument);
      } else if (argument.size() > 1 && argument[0] == '-') {
        read_letters(argument);
      } else {
        parsed_.operands.push_back(argument);
        if (order == OptionOrder::kBeforeOperands) break;
      }
    }
    if (!unknown_.empty()) return not_modelled(command_, unknown_);
    parsed_.operands.insert(parsed_.operands.end(),
                            arguments_.begin() + static_cast<std::ptrdiff_t>(next_),
                            arguments_.end());
    return std::move(parsed_);
  }

 private:
  bool takes_value(char letter) const {
    const std::size_t at = letters_.find(letter);
    return at + 1 < letters_.size() && letters_[at + 1] == ':';
  }

  void read_letters(const std::string& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const char letter = argument[i];
      if (letter == ':' || letters_.find(letter) == std::string_view::npos) {
        unknown_ = argument;
        return;
      }
      if (!takes_value(letter)) {
        parsed_.options.push_back({letter, {}});
        continue;
      }
      if (i + 1 < argument.size()) {
        parsed_.options.push_back({letter, argument.substr(i + 1)});
      } else {
        read_value(letter, argument);
      }
      return;
    }
  }

  void read_long(const std::string& argument) {
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string_view name = std::string_view(argument).substr(2, equals - 2);
    const auto found =
        std::find_if(long_options_.begin(), long_options_.end(),
                     [name](const LongOption& option) { return option.name == name; });
    const bool has_value = equals < argument.size();
    if (found == long_options_.end() || (has_value && !takes_value(found->letter))) {
      unknown_ = argument;
    } else if (has_value) {
      parsed_.options.push_back({found->letter, argument.substr(equals + 1)});
    } else if (takes_value(found->letter)) {
      read_value(found->letter, argument);
    } else {
      parsed_.options.push_back({found->letter, {}});
    }
  }

  void read_value(char letter, const std::string& argument) {
    if (next_ == arguments_.size()) {
      unknown_ = argument + " without its value";
      return;
    }
    parsed_.options.push_back({letter, arguments_[next_++]});
  }

  std::string_view command_;
  Arguments arguments_;
  std::string_view letters_;
  std::span<const LongOption> long_options_;
  std::size_t next_ = 0;
  std::string unknown_;
  ParsedOptions parsed_;
};

}  // namespace

text::Error not_modelled(std::string_view command, std::string_view what) {
  return {"a form of " + std::string(command) + " that is not modelled: " + std::string(what), {}};
}

bool ParsedOptions::has(char letter) const {
  return std::any_of(options.begin(), options.end(),
                     [letter](const Option& option) { return option.letter == letter; });
}

std::optional<std::string> ParsedOptions::value(char letter) const {
  for (auto option = options.rbegin(); option != options.rend(); ++option) {
    if (option->letter == letter) return option->value;
  }
  return std::nullopt;
}

text::Result<ParsedOptions> parse_options(std::string_view command, Arguments arguments,
                                          std::string_view letters,
                                          std::span<const LongOption> long_options,
                                          OptionOrder order) {
  return OptionReader(command, arguments, letters, long_options).run(order);
}

text::Result<std::vector<std::string>> read_files(std::string_view command,
                                                  std::span<const std::string> operands,
                                                  const TextCommandInput& input) {
  static const std::string kStandardInput = "-";
  if (operands.empty()) operands = std::span(&kStandardInput, 1);
  std::vector<std::string> texts;
  std::optional<std::string_view> standard_input = input.standard_input;
  for (const std::string& operand : operands) {
    std::optional<std::string> text;
    if (operand == kStandardInput) {
      if (standard_input) text = std::string(*standard_input);
      standard_input = std::string_view();  // it can be read only once
    } else if (input.read_file) {
      text = input.read_file(operand);
    }
    if (!text) {
      const std::string name = operand == kStandardInput ? "its standard input" : operand;
      return text::Error{"what " + std::string(command) + " reads from " + name, {}};
    }
    texts.push_back(std::move(*text));
  }
  return texts;
}

text::Result<std::string> read_input(std::string_view command,
                                     std::span<const std::string> operands,
                                     const TextCommandInput& input) {
  const text::Result<std::vector<std::string>> texts = read_files(command, operands, input);
  if (!texts.ok()) return texts.error();
  std::string all;
  for (const std::string& text : *texts) all += text;
  return all;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<std::uint64_t> to_count(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & '\x80') == 0; });
}

}  // namespace recipelint::shell
