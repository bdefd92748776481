#include <algorithm>

#include "analyzer/shell/text_commands/command.h"

/// cut and paste.
namespace recipelint::shell {
namespace {

/// Positions counted from 1; `last` is SIZE_MAX for "N-".
struct Range {
  std::size_t first = 1;
  std::size_t last = SIZE_MAX;
};

std::optional<Range> read_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) {
    const auto only = to_count(text);
    if (!only || *only == 0) return std::nullopt;
    return Range{*only, *only};
  }
  Range range;
  if (text.size() == 1) return std::nullopt;
  if (dash > 0) {
    const auto first = to_count(text.substr(0, dash));
    if (!first || *first == 0) return std::nullopt;
    range.first = *first;
  }
  if (dash + 1 < text.size()) {
    const auto last = to_count(text.substr(dash + 1));
    if (!last || *last < range.first) return std::nullopt;
    range.last = *last;
  }
  return range;
}

std::optional<std::vector<Range>> read_ranges(std::string_view text) {
  std::vector<Range> ranges;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::optional<Range> range = read_range(text.substr(0, end));
    if (!range) return std::nullopt;
    ranges.push_back(*range);
    if (end == text.size()) return ranges;
    text.remove_prefix(end + 1);
  }
}

bool contains(const std::vector<Range>& ranges, std::size_t position) {
  return std::any_of(ranges.begin(), ranges.end(), [position](const Range& range) {
    return range.first <= position && position <= range.last;
  });
}

std::string cut_bytes(std::string_view line, const std::vector<Range>& ranges) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (contains(ranges, i + 1)) out += line[i];
  }
  return out;
}

std::string cut_fields(std::string_view line, const std::vector<Range>& ranges, char delimiter,
                       const std::string& output_delimiter) {
  std::string out;
  bool first = true;
  std::size_t at = 0;
  for (std::size_t number = 1; at <= line.size(); ++number) {
    const std::size_t end = std::min(line.find(delimiter, at), line.size());
    if (contains(ranges, number)) {
      if (!first) out += output_delimiter;
      out += line.substr(at, end - at);
      first = false;
    }
    at = end + 1;
  }
  return out;
}

/// The characters that paste puts between columns; an empty one for \0.
std::optional<std::vector<std::string>> read_delimiters(std::string_view text) {
  std::vector<std::string> delimiters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      delimiters.emplace_back(1, text[i]);
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    switch (text[i]) {
      case 'n':
        delimiters.emplace_back("\n");
        break;
      case 't':
        delimiters.emplace_back("\t");
        break;
      case '0':
        delimiters.emplace_back("");
        break;
      case '\\':
        delimiters.emplace_back("\\");
        break;
      default:
        return std::nullopt;
    }
  }
  if (delimiters.empty()) delimiters.emplace_back("");
  return delimiters;
}

std::string paste_serially(std::string_view text, const std::vector<std::string>& delimiters) {
  std::string out;
  std::size_t next = 0;
  bool first = true;
  for (const std::string_view line : split_lines(text)) {
    if (!first) out += delimiters[next++ % delimiters.size()];
    out += line;
    first = false;
  }
  return out + "\n";
}

/// `columns` lines of the input make one line of the output.
std::string paste_lines(std::string_view text, std::size_t columns,
                        const std::vector<std::string>& delimiters) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::string out;
  for (std::size_t row = 0; row < lines.size(); row += columns) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) out += delimiters[(column - 1) % delimiters.size()];
      if (row + column < lines.size()) out += lines[row + column];
    }
    out += "\n";
  }
  return out;
}

}  // namespace

CommandResult run_cut(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"delimiter", 'd'},      {"fields", 'f'},
                                         {"characters", 'c'},     {"bytes", 'b'},
                                         {"only-delimited", 's'}, {"output-delimiter", '\1'}};
  const auto parsed = parse_options("cut", arguments, "d:f:c:b:s\1:", kLong);
  if (!parsed.ok()) return parsed.error();
  const std::optional<std::string> fields = parsed->value('f');
  const std::optional<std::string> bytes =
      parsed->has('c') ? parsed->value('c') : parsed->value('b');
  const std::string delimiter = parsed->value('d').value_or("\t");
  const auto ranges = read_ranges(fields ? *fields : bytes.value_or(""));
  const bool misplaced =
      bytes && (parsed->has('\1') || parsed->has('d') || parsed->has('s') || parsed->has('f'));
  if (fields.has_value() == bytes.has_value() || !ranges || delimiter.size() != 1 || misplaced) {
    return not_modelled("cut", "these fields");
  }
  const auto text = read_input("cut", parsed->operands, input);
  if (!text.ok()) return text.error();
  if (bytes && parsed->has('c') && !is_ascii(*text)) {
    return not_modelled("cut", "characters beyond ASCII");
  }
  TextCommandResult result;
  for (const std::string_view line : split_lines(*text)) {
    if (bytes) {
      result.output += cut_bytes(line, *ranges);
    } else if (line.find(delimiter[0]) != std::string_view::npos) {
      result.output +=
          cut_fields(line, *ranges, delimiter[0], parsed->value('\1').value_or(delimiter));
    } else if (parsed->has('s')) {
      continue;
    } else {
      result.output += line;
    }
    result.output += "\n";
  }
  return result;
}

CommandResult run_paste(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"serial", 's'}, {"delimiters", 'd'}};
  const auto parsed = parse_options("paste", arguments, "sd:", kLong);
  if (!parsed.ok()) return parsed.error();
  const auto delimiters = read_delimiters(parsed->value('d').value_or("\t"));
  if (!delimiters) return not_modelled("paste", "these delimiters");
  const std::vector<std::string>& operands = parsed->operands;
  TextCommandResult result;
  if (parsed->has('s')) {
    const auto texts = read_files("paste", operands, input);
    if (!texts.ok()) return texts.error();
    for (const std::string& text : *texts) result.output += paste_serially(text, *delimiters);
    return result;
  }
  if (std::any_of(operands.begin(), operands.end(),
                  [](const std::string& operand) { return operand != "-"; })) {
    return not_modelled("paste", "several files");
  }
  const auto text = read_input("paste", {}, input);
  if (!text.ok()) return text.error();
  result.output = paste_lines(*text, std::max<std::size_t>(operands.size(), 1), *delimiters);
  return result;
}

}  // namespace recipelint::shell
