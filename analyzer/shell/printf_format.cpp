#include "analyzer/shell/printf_format.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include "analyzer/shell/escapes.h"
#include "analyzer/text/utf8.h"

namespace recipelint::shell {
namespace {

using Source = PrintfPiece::Source;

constexpr std::size_t kMostOutput = 16u << 20u;
constexpr int kWidest = 1'000'000;

/// %[flags][width][.precision][modifier]conversion
struct Directive {
  std::string flags;
  int width = 0;
  std::optional<int> precision;
  char conversion = '\0';
};

/// A number as C reads it, and whether the whole text was one.
template <typename T>
struct Parsed {
  T value = 0;
  bool complete = true;
  bool in_range = true;
  const char* kind = "number";
};

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// The value of 'c: the code of the character behind the quote.
std::optional<char32_t> character_code(std::string_view text) {
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return std::nullopt;
  if (text.size() == 1) return 0;
  const text::Utf8Character character = text::decode_utf8(text.substr(1));
  return character.valid ? character.code_point : static_cast<unsigned char>(text[1]);
}

/// strtoimax and strtoumax with base 0, without the host's extensions.
struct Magnitude {
  std::uint64_t value = 0;
  bool negative = false;
  bool overflow = false;
  bool complete = true;
  int base = 10;
};

Magnitude read_integer(std::string_view text) {
  Magnitude number;
  std::size_t at = 0;
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) number.negative = text[at++] == '-';
  if (at < text.size() && text[at] == '0') {
    number.base = 8;
    if (at + 1 < text.size() && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
      number.base = 16;
      // Without a digit behind it the "x" is not part of the number.
      if (at + 2 < text.size() && digit_value(text[at + 2]) < 16) at += 2;
    }
  }
  const std::size_t begin = at;
  const auto base = static_cast<std::uint64_t>(number.base);
  for (; at < text.size() && digit_value(text[at]) < number.base; ++at) {
    const auto digit = static_cast<std::uint64_t>(digit_value(text[at]));
    if (number.value > (UINT64_MAX - digit) / base) number.overflow = true;
    number.value = number.value * base + digit;
  }
  number.complete = at == text.size() && (at > begin || text.empty());
  return number;
}

const char* kind_of(int base) {
  return base == 16 ? "hex number" : base == 8 ? "octal number" : "number";
}

Parsed<std::int64_t> read_signed(std::string_view text) {
  if (const auto code = character_code(text)) return {static_cast<std::int64_t>(*code)};
  const Magnitude number = read_integer(text);
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  Parsed<std::int64_t> result{0, number.complete, true, kind_of(number.base)};
  if (number.overflow || number.value > kMost + (number.negative ? 1 : 0)) {
    result.in_range = false;
    result.value = number.negative ? std::numeric_limits<std::int64_t>::min()
                                   : std::numeric_limits<std::int64_t>::max();
    return result;
  }
  result.value = static_cast<std::int64_t>(number.negative ? 0 - number.value : number.value);
  return result;
}

Parsed<std::uint64_t> read_unsigned(std::string_view text) {
  if (const auto code = character_code(text)) return {*code};
  const Magnitude number = read_integer(text);
  Parsed<std::uint64_t> result{0, number.complete, !number.overflow, kind_of(number.base)};
  if (number.overflow) {
    result.value = UINT64_MAX;
  } else {
    result.value = number.negative ? 0 - number.value : number.value;
  }
  return result;
}

/// Bash reads and prints with long double.
Parsed<long double> read_real(const std::string& text) {
  if (const auto code = character_code(text)) return {static_cast<long double>(*code)};
  if (text.empty()) return {};
  char* end = nullptr;
  const long double value = std::strtold(text.c_str(), &end);
  return {value, end == text.c_str() + text.size()};
}

bool is_one_of(char c, std::string_view set) {
  return c != '\0' && set.find(c) != std::string_view::npos;
}

template <typename T>
std::string print(const Directive& directive, const char* length, T value) {
  std::string format = "%" + directive.flags + "*";
  if (directive.precision) format += "." + std::to_string(*directive.precision);
  format.append(length).append(1, directive.conversion);
  // The format is made of checked parts only.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int size = std::snprintf(nullptr, 0, format.c_str(), directive.width, value);
  if (size < 0) return {};
  std::string out(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(out.data(), out.size(), format.c_str(), directive.width, value);
#pragma GCC diagnostic pop
  out.pop_back();
  return out;
}

/// Width and precision count bytes, as in bash.
std::string pad(const Directive& directive, std::string text) {
  if (directive.precision && *directive.precision >= 0) {
    text.resize(std::min(text.size(), static_cast<std::size_t>(*directive.precision)));
  }
  const bool left = directive.width < 0 || directive.flags.find('-') != std::string::npos;
  const auto width = static_cast<std::size_t>(std::abs(directive.width));
  if (text.size() < width) text.insert(left ? text.size() : 0, width - text.size(), ' ');
  return text;
}

class Printf {
 public:
  Printf(std::string_view format, std::span<const std::optional<std::string>> arguments)
      : format_(format), arguments_(arguments) {}

  text::Result<PrintfOutput> run() {
    do {
      const std::size_t before = next_;
      run_once();
      if (next_ == before) break;
    } while (next_ < arguments_.size() && !stopped_ && failure_.empty());
    if (!failure_.empty()) return text::Error{std::move(failure_), {}};
    return std::move(output_);
  }

 private:
  void run_once() {
    at_ = 0;
    while (at_ < format_.size() && !stopped_ && failure_.empty()) {
      const std::size_t percent = std::min(format_.find('%', at_), format_.size());
      // An escape never reaches over a "%".
      append({Source::kFormat,
              expand_escapes(format_.substr(at_, percent - at_), EscapeStyle::kPrintfFormat).text,
              0});
      at_ = percent;
      if (at_ == format_.size()) break;
      if (format_.substr(at_).starts_with("%%")) {
        append({Source::kFormat, "%", 0});
        at_ += 2;
      } else {
        run_directive();
      }
    }
  }

  // ------------------------------------------------------------------------------------- parsing

  void run_directive() {
    ++at_;
    Directive directive;
    while (at_ < format_.size() && is_one_of(format_[at_], "#'-+ 0")) {
      if (format_[at_] != '\'') directive.flags += format_[at_];
      ++at_;
    }
    directive.width = read_size().value_or(0);
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      directive.precision = read_size().value_or(0);
      if (*directive.precision < 0) directive.precision.reset();
    }
    while (at_ < format_.size() && is_one_of(format_[at_], "hjlLtz")) ++at_;
    if (!failure_.empty()) return;
    if (at_ == format_.size()) return stop("missing format character");
    directive.conversion = format_[at_++];
    convert(directive);
  }

  /// A number or "*" with its argument.
  std::optional<int> read_size() {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      return read_size_argument();
    }
    int size = 0;
    const std::size_t begin = at_;
    for (; at_ < format_.size() && std::isdigit(static_cast<unsigned char>(format_[at_])) != 0;
         ++at_) {
      size = std::min(size * 10 + (format_[at_] - '0'), kWidest + 1);
    }
    if (at_ == begin) return std::nullopt;
    return checked_size(size);
  }

  int read_size_argument() {
    if (next_ >= arguments_.size()) return 0;
    const std::optional<std::string>& argument = arguments_[next_++];
    if (!argument) {
      failure_ = "a printf width from an unknown argument";
      return 0;
    }
    return checked_size(checked(read_signed(*argument), *argument));
  }

  int checked_size(std::int64_t size) {
    if (size >= -kWidest && size <= kWidest) return static_cast<int>(size);
    failure_ = "a printf width of more than a million";
    return 0;
  }

  // ---------------------------------------------------------------------------------- conversion

  void convert(const Directive& directive) {
    switch (directive.conversion) {
      case 'n':
        failure_ = "printf %n";
        return;
      case '(':
        failure_ = "the date that printf %(...)T writes";
        return;
      case 's':
      case 'c':
      case 'b':
      case 'q':
      case 'Q':
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return convert_argument(directive);
      default:
        break;
    }
    stop(std::string("`") + directive.conversion + "': invalid format character");
  }

  void convert_argument(const Directive& directive) {
    if (directive.conversion == 'Q' && directive.precision) {
      failure_ = "printf %Q with a precision";
      return;
    }
    // Missing arguments are empty and count as part of the format.
    static const std::optional<std::string> kMissing("");
    const bool missing = next_ >= arguments_.size();
    const std::size_t index = next_;
    const std::optional<std::string>& argument = missing ? kMissing : arguments_[next_++];
    const Source source = missing ? Source::kFormat : Source::kArgument;
    const bool verbatim =
        directive.conversion == 's' && directive.width == 0 && !directive.precision && !missing;
    if (verbatim) return append({Source::kVerbatim, argument.value_or(""), index});
    if (!argument) return append({Source::kUnknown, "", index});
    append({source, converted(directive, *argument), missing ? 0 : index});
  }

  std::string converted(const Directive& directive, const std::string& argument) {
    switch (directive.conversion) {
      case 's':
        return pad(directive, argument);
      case 'c':
        return pad(without_precision(directive), first_byte(argument));
      case 'q':
      case 'Q':
        return pad(directive, quote_with_backslashes(argument));
      case 'b':
        return unescaped(directive, argument);
      case 'd':
      case 'i':
        return print(directive, "j", checked(read_signed(argument), argument));
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return print(directive, "j", checked(read_unsigned(argument), argument));
      default:
        return print(directive, "L", checked(read_real(argument), argument));
    }
  }

  std::string unescaped(const Directive& directive, const std::string& argument) {
    UnescapedText text = expand_escapes(argument, EscapeStyle::kPrintfB);
    if (text.stopped) {
      stopped_ = true;
      output_.status = 0;  // whatever went wrong before
    }
    return pad(directive, std::move(text.text));
  }

  static Directive without_precision(Directive directive) {
    directive.precision.reset();
    return directive;
  }

  static std::string first_byte(const std::string& text) {
    return text.empty() ? std::string(1, '\0') : text.substr(0, 1);
  }

  template <typename T>
  T checked(const Parsed<T>& number, const std::string& argument) {
    if (!number.complete) {
      output_.status = 1;
      output_.warnings.push_back(argument + ": invalid " + number.kind);
    } else if (!number.in_range) {
      output_.warnings.push_back("warning: " + argument + ": Numerical result out of range");
    }
    return number.value;
  }

  // -------------------------------------------------------------------------------------- output

  /// Bash gives up on the rest of the format.
  void stop(std::string warning) {
    output_.status = 1;
    output_.warnings.push_back(std::move(warning));
    stopped_ = true;
  }

  void append(PrintfPiece piece) {
    if (piece.text.empty() && piece.source != Source::kUnknown &&
        piece.source != Source::kVerbatim) {
      return;
    }
    size_ += piece.text.size();
    if (size_ > kMostOutput) failure_ = "printf output of more than 16 MiB";
    std::vector<PrintfPiece>& pieces = output_.pieces;
    const bool extends = !pieces.empty() && piece.source == Source::kFormat &&
                         pieces.back().source == Source::kFormat;
    if (extends) {
      pieces.back().text += piece.text;
    } else {
      pieces.push_back(std::move(piece));
    }
  }

  std::string_view format_;
  std::span<const std::optional<std::string>> arguments_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;
  std::size_t size_ = 0;
  bool stopped_ = false;
  std::string failure_;
  PrintfOutput output_;
};

}  // namespace

text::Result<PrintfOutput> format_printf(std::string_view format,
                                         std::span<const std::optional<std::string>> arguments) {
  return Printf(format, arguments).run();
}

EchoOptions parse_echo_options(std::span<const std::optional<std::string>> arguments) {
  EchoOptions options;
  for (const std::optional<std::string>& argument : arguments) {
    if (!argument || argument->size() < 2 || (*argument)[0] != '-') break;
    if (argument->find_first_not_of("neE", 1) != std::string::npos) break;
    for (const char letter : argument->substr(1)) {
      if (letter == 'n') {
        options.newline = false;
      } else {
        options.escapes = letter == 'e';
      }
    }
    ++options.first_argument;
  }
  return options;
}

}  // namespace recipelint::shell
