#include <algorithm>
#include <cctype>
#include <cstdio>

#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

constexpr int kMostDecimals = 9;
// Such that every number fits when written with kMostDecimals more digits.
constexpr std::int64_t kLargest = 1'000'000'000;

/// A decimal number as written: digits * 10^-decimals.
struct Decimal {
  std::int64_t digits = 0;
  int decimals = 0;
  std::size_t width = 0;

  std::int64_t scaled(int to) const {
    std::int64_t value = digits;
    for (int i = decimals; i < to; ++i) value *= 10;
    return value;
  }
};

/// Gives nothing for exponents, hexadecimal numbers, infinities and what is too large to be exact.
std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal number;
  number.width = text.size();
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  bool fraction = false;
  bool any = false;
  for (const char c : text) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    any = true;
    number.digits = number.digits * 10 + (c - '0');
    number.decimals += fraction ? 1 : 0;
    if (number.digits > kLargest || number.decimals > kMostDecimals) return std::nullopt;
  }
  if (!any || text.ends_with('.') || text.starts_with('.')) return std::nullopt;
  if (negative) number.digits = -number.digits;
  return number;
}

std::string print_decimal(std::int64_t scaled, int decimals, std::size_t width) {
  std::string digits = std::to_string(scaled < 0 ? -scaled : scaled);
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  const std::size_t sign = scaled < 0 ? 1 : 0;
  if (digits.size() + sign < width) digits.insert(0, width - sign - digits.size(), '0');
  return (scaled < 0 ? "-" : "") + digits;
}

/// Whether a format has exactly one conversion of the kind that seq takes.
bool is_format(std::string_view format) {
  int conversions = 0;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    if (format.substr(at).starts_with("%%")) {
      ++at;
      continue;
    }
    const std::size_t end = format.find_first_not_of("-+#0 ", at + 1);
    const std::size_t width_end = format.find_first_not_of("0123456789.", end);
    if (width_end == std::string_view::npos || width_end - at > 8) return false;
    const std::string_view size = format.substr(end, width_end - end);
    if (std::count(size.begin(), size.end(), '.') > 1) return false;
    if (std::string_view("efgEFG").find(format[width_end]) == std::string_view::npos) return false;
    at = width_end;
    ++conversions;
  }
  return conversions == 1;
}

std::string print_formatted(std::string format, long double value) {
  std::size_t percent = 0;
  while (format[percent] != '%' || format[percent + 1] == '%')
    percent += format[percent] == '%' ? 2 : 1;
  format.insert(format.find_first_of("efgEFG", percent), "L");
  char buffer[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(buffer, sizeof buffer, format.c_str(), value);
#pragma GCC diagnostic pop
  const int most = static_cast<int>(sizeof buffer) - 1;
  return size < 0 || size > most ? std::string()
                                 : std::string(buffer, static_cast<std::size_t>(size));
}

struct Sequence {
  std::int64_t first = 1;
  std::int64_t step = 1;
  std::int64_t last = 0;
  int scale = 0;     // all three are times 10^scale
  int decimals = 0;  // to print
  std::size_t width = 0;

  std::string print(std::int64_t value, const std::optional<std::string>& format) const {
    std::int64_t unit = 1;
    for (int i = decimals; i < scale; ++i) unit *= 10;
    if (!format) return print_decimal(value / unit, decimals, width);
    long double divisor = 1;
    for (int i = 0; i < scale; ++i) divisor *= 10;
    return print_formatted(*format, static_cast<long double>(value) / divisor);
  }
};

text::Result<Sequence> read_sequence(const std::vector<std::string>& operands) {
  if (operands.empty() || operands.size() > 3)
    return not_modelled("seq", "a wrong number of operands");
  std::vector<Decimal> numbers;
  for (const std::string& operand : operands) {
    const std::optional<Decimal> number = read_decimal(operand);
    if (!number) return not_modelled("seq", operand);
    numbers.push_back(*number);
  }
  const Decimal one{1, 0, 1};
  const Decimal first = numbers.size() > 1 ? numbers.front() : one;
  const Decimal step = numbers.size() > 2 ? numbers[1] : one;
  const Decimal last = numbers.back();
  Sequence sequence;
  sequence.decimals = std::max(first.decimals, step.decimals);
  sequence.scale = std::max(sequence.decimals, last.decimals);
  sequence.first = first.scaled(sequence.scale);
  sequence.step = step.scaled(sequence.scale);
  sequence.last = last.scaled(sequence.scale);
  sequence.width = std::max(first.width, last.width);
  if (sequence.step == 0) return not_modelled("seq", "an increment of zero");
  return sequence;
}

}  // namespace

CommandResult run_seq(Arguments arguments, const TextCommandInput&) {
  static constexpr LongOption kLong[] = {{"separator", 's'}, {"equal-width", 'w'}, {"format", 'f'}};
  // A negative number is an operand and not an option.
  const auto operands =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& text) {
        return text.size() > 1 && text[0] == '-' &&
               (text[1] == '.' || std::isdigit(static_cast<unsigned char>(text[1])) != 0);
      });
  const auto options = static_cast<std::size_t>(operands - arguments.begin());
  auto parsed =
      parse_options("seq", arguments.first(options), "s:wf:", kLong, OptionOrder::kBeforeOperands);
  if (!parsed.ok()) return parsed.error();
  parsed->operands.insert(parsed->operands.end(), operands, arguments.end());
  auto sequence = read_sequence(parsed->operands);
  if (!sequence.ok()) return sequence.error();
  const std::optional<std::string> format = parsed->value('f');
  if (format && (!is_format(*format) || parsed->has('w'))) return not_modelled("seq", *format);
  if (!parsed->has('w')) sequence->width = 0;
  // seq may print one number more if the format rounds.
  if (format && sequence->scale > 0) return not_modelled("seq", "-f with decimals");
  if (parsed->has('w') && sequence->scale > 0) return not_modelled("seq", "-w with decimals");

  const std::string separator = parsed->value('s').value_or("\n");
  TextCommandResult result;
  const bool up = sequence->step > 0;
  for (std::int64_t value = sequence->first; up ? value <= sequence->last : value >= sequence->last;
       value += sequence->step) {
    if (!result.output.empty()) result.output += separator;
    result.output += sequence->print(value, format);
    if (result.output.size() > kMostCommandOutput) break;
  }
  if (!result.output.empty()) result.output += "\n";
  return result;
}

}  // namespace recipelint::shell
