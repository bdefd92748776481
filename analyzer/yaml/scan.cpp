#include "analyzer/yaml/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "analyzer/text/utf8.h"
#include "analyzer/yaml/failure.h"

namespace recipelint::yaml {
namespace {

/// NUL stands for the end of the file: check_characters() refuses a real one.
bool is_break_or_end(char c) {
  return c == '\0' || c == '\n' || c == '\r';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_space_or_end(char c) {
  return is_blank(c) || is_break_or_end(c);
}
bool contains(std::string_view set, char c) {
  return set.find(c) != std::string_view::npos;
}

using ByteSet = std::array<bool, 256>;

constexpr ByteSet byte_set(std::string_view members) {
  ByteSet set{};
  for (const char c : members) set[static_cast<unsigned char>(c)] = true;
  return set;
}

bool contains(const ByteSet& set, char c) {
  return set[static_cast<unsigned char>(c)];
}

constexpr ByteSet kPlainStops = byte_set(std::string_view("\0 \t\r\n:", 6));
constexpr ByteSet kPlainStopsInFlow = byte_set(std::string_view("\0 \t\r\n:,?[]{}", 12));

std::uint32_t narrow(std::size_t size) {
  return static_cast<std::uint32_t>(size);
}

/// The end of the line without its break.
std::uint32_t line_end(std::string_view bytes, std::uint32_t at) {
  const std::uint32_t newline = narrow(std::min(bytes.find('\n', at), bytes.size()));
  const bool crlf = newline < bytes.size() && newline > at && bytes[newline - 1] == '\r';
  return crlf ? newline - 1 : newline;
}

std::uint32_t after_break(std::string_view bytes, std::uint32_t at) {
  const char c = byte_at(bytes, at);
  if (c == '\r') return at + 2;
  return c == '\n' ? at + 1 : at;
}

/// The end of the part of a plain scalar that has no spaces.
std::uint32_t plain_run(std::string_view bytes, std::uint32_t begin, Context context) {
  const bool flow = context == Context::kFlow;
  const ByteSet& stops = flow ? kPlainStopsInFlow : kPlainStops;
  for (std::uint32_t at = begin;; ++at) {
    const char c = byte_at(bytes, at);
    if (!contains(stops, c)) continue;
    if (c != ':') return at;
    const char next = byte_at(bytes, at + 1);
    if (is_space_or_end(next) || (flow && contains(",[]{}", next))) return at;
  }
}

/// Spaces and line breaks between two parts of a plain scalar.
struct Gap {
  std::uint32_t end = 0;
  std::uint32_t breaks = 0;
  /// Of the end; only known if there are breaks.
  std::int32_t column = 0;
  bool at_document_marker = false;
};

Gap plain_gap(std::string_view bytes, std::uint32_t at) {
  Gap gap;
  std::uint32_t line_begin = at;
  while (true) {
    const char c = byte_at(bytes, at);
    if (c == '\n' || c == '\r') {
      at = line_begin = after_break(bytes, at);
      ++gap.breaks;
      gap.at_document_marker = is_document_marker(bytes, at);
      if (gap.at_document_marker) break;
    } else if (c == ' ') {
      ++at;
    } else {
      break;
    }
  }
  gap.end = at;
  gap.column = static_cast<std::int32_t>(at - line_begin);
  return gap;
}

/// One break folds to a space, n of them to n - 1 line breaks.
void append_folded(std::string& out, std::uint32_t breaks) {
  if (breaks == 1) {
    out += ' ';
  } else {
    out.append(breaks - 1, '\n');
  }
}

/// Decodes a quoted scalar that has escapes or goes over several lines.
class QuotedDecoder {
 public:
  QuotedDecoder(std::string_view bytes, std::uint32_t begin, std::string& decoded)
      : bytes_(bytes), decoded_(decoded), begin_(begin), at_(begin + 1), pending_(begin + 1) {}

  /// The offset of the closing quote.
  std::uint32_t run() {
    const char quote = bytes_[begin_];
    const std::string_view stops = quote == '"' ? "\"\\\n" : "'\n";
    while (true) {
      const std::size_t stop = bytes_.find_first_of(stops, at_);
      if (stop == std::string_view::npos) {
        throw Failure{"The string that starts here is never closed.", begin_, begin_ + 1};
      }
      at_ = narrow(stop);
      if (bytes_[at_] == '\n') {
        fold_line();
      } else if (bytes_[at_] == '\\') {
        read_escape();
      } else if (quote == '\'' && byte_at(bytes_, at_ + 1) == '\'') {
        decoded_.append(bytes_, pending_, at_ + 1 - pending_);
        skip_to(at_ + 2);
      } else {
        decoded_.append(bytes_, pending_, at_ - pending_);
        return at_;
      }
    }
  }

 private:
  void skip_to(std::uint32_t offset) { at_ = pending_ = offset; }

  void fold_line() {
    std::uint32_t text_end = at_;
    while (text_end > pending_ && contains(" \t\r", bytes_[text_end - 1])) --text_end;
    decoded_.append(bytes_, pending_, text_end - pending_);
    append_folded(decoded_, 1 + skip_lines(at_ + 1));
  }

  /// Skips blank lines and the blanks before text, from the start of a line; gives how many lines.
  std::uint32_t skip_lines(std::uint32_t at) {
    for (std::uint32_t lines = 0;; ++lines) {
      if (is_document_marker(bytes_, at)) {
        throw Failure{"A document marker stands inside a string that is not closed.", at, at + 3};
      }
      while (is_blank(byte_at(bytes_, at))) ++at;
      const std::uint32_t next = after_break(bytes_, at);
      if (next == at) {
        skip_to(at);
        return lines;
      }
      at = next;
    }
  }

  void read_escape() {
    decoded_.append(bytes_, pending_, at_ - pending_);
    const char c = byte_at(bytes_, at_ + 1);
    if (c == '\n' || c == '\r') {
      decoded_.append(skip_lines(after_break(bytes_, at_ + 1)), '\n');
      return;
    }
    if (const std::uint32_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0; digits != 0) {
      read_code_point(digits);
      return;
    }
    // The characters after the backslash, each followed by what it stands for.
    using std::string_view_literals::operator""sv;
    constexpr std::string_view kSimple = "0\0a\ab\bt\t\t\tn\nv\vf\fr\re\x1B  \"\"\\\\//"sv;
    for (std::size_t i = 0; i < kSimple.size(); i += 2) {
      if (kSimple[i] != c) continue;
      decoded_ += kSimple[i + 1];
      skip_to(at_ + 2);
      return;
    }
    read_unicode_escape(c);
  }

  void read_unicode_escape(char c) {
    constexpr std::array<std::pair<char, char32_t>, 4> kSpaces = {
        {{'N', U'\u0085'}, {'_', U'\u00A0'}, {'L', U'\u2028'}, {'P', U'\u2029'}}};
    for (const auto& [letter, code_point] : kSpaces) {
      if (letter != c) continue;
      text::append_utf8(decoded_, code_point);
      skip_to(at_ + 2);
      return;
    }
    throw Failure{
        "YAML knows no such escape; double the backslash or use single quotes if it is meant "
        "literally.",
        at_, after_character(bytes_, at_ + 1)};
  }

  void read_code_point(std::uint32_t digits) {
    const std::uint32_t end = at_ + 2 + digits;
    char32_t code_point = 0;
    for (std::uint32_t i = at_ + 2; i < end; ++i) {
      const std::size_t value = hex_value(byte_at(bytes_, i));
      if (value > 15) {
        throw Failure{fmt::format("This escape needs {} hexadecimal digits.", digits), at_, i};
      }
      code_point = code_point * 16 + static_cast<char32_t>(value);
    }
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
      throw Failure{
          "This escape is not a Unicode character; one beyond U+FFFF is written as \\U and "
          "eight digits.",
          at_, end};
    }
    text::append_utf8(decoded_, code_point);
    skip_to(end);
  }

  static std::size_t hex_value(char c) {
    constexpr std::string_view kDigits = "00112233445566778899aAbBcCdDeEfF";
    return kDigits.find(c) / 2;
  }

  std::string_view bytes_;
  std::string& decoded_;
  std::uint32_t begin_;
  std::uint32_t at_;
  /// Bytes from here to at_ are text that is not yet in decoded_.
  std::uint32_t pending_;
};

enum class Chomp : std::uint8_t { kClip, kStrip, kKeep };

/// Reads `|` and `>` scalars.
class BlockReader {
 public:
  BlockReader(std::string_view bytes, std::uint32_t begin, std::int32_t indent,
              std::string& decoded)
      : bytes_(bytes), decoded_(decoded), begin_(begin), at_(begin + 1), line_begin_(begin) {
    least_indent_ = static_cast<std::uint32_t>(std::max(indent + 1, 1));
  }

  ScannedScalar run() {
    const auto text_begin = narrow(decoded_.size());
    read_header();
    if (increment_ == 0) {
      detect_indent();
    } else {
      indent_ = least_indent_ + increment_ - 1;
      skip_breaks();
    }
    read_lines();
    // Without a last line break the place is not on a line of its own.
    const std::uint32_t next = peek() == '\0' ? at_ : line_begin_;
    ScannedScalar scalar{.end = end_, .next = next, .text_begin = text_begin};
    scalar.text_size = narrow(decoded_.size()) - text_begin;
    scalar.is_decoded = true;
    return scalar;
  }

 private:
  char peek() const { return byte_at(bytes_, at_); }
  std::uint32_t column() const { return at_ - line_begin_; }
  bool in_text() const { return column() == indent_ && peek() != '\0'; }

  bool take_chomp() {
    if (peek() != '+' && peek() != '-') return false;
    chomp_ = peek() == '+' ? Chomp::kKeep : Chomp::kStrip;
    ++at_;
    return true;
  }

  void take_increment() {
    if (peek() < '0' || peek() > '9') return;
    increment_ = static_cast<std::uint32_t>(peek() - '0');
    if (increment_ == 0) {
      throw Failure{"The indentation of a block scalar is a digit from 1 to 9.", at_, at_ + 1};
    }
    ++at_;
  }

  void read_header() {
    const bool chomp_first = take_chomp();
    take_increment();
    if (!chomp_first) take_chomp();
    end_ = at_;
    const bool space = peek() == ' ';
    while (peek() == ' ') ++at_;
    if (space && peek() == '#') at_ = line_end(bytes_, at_);
    if (!is_break_or_end(peek())) {
      throw Failure{"Text of a block scalar starts on the line after '|' or '>'.", at_,
                    after_character(bytes_, at_)};
    }
    take_break();
  }

  bool take_break() {
    const std::uint32_t next = after_break(bytes_, at_);
    if (next == at_) return false;
    at_ = line_begin_ = next;
    return true;
  }

  /// The first line with text sets the indentation, but blank lines before it count too.
  void detect_indent() {
    indent_ = least_indent_;
    while (true) {
      if (peek() == ' ') {
        ++at_;
        indent_ = std::max(indent_, column());
      } else if (take_break()) {
        ++breaks_;
      } else {
        return;
      }
    }
  }

  void skip_breaks() {
    breaks_ = 0;
    skip_indent();
    while (take_break()) {
      ++breaks_;
      skip_indent();
    }
  }

  void skip_indent() {
    while (column() < indent_ && peek() == ' ') ++at_;
  }

  void read_lines() {
    const bool folded = bytes_[begin_] == '>';
    bool line_break = false;
    while (in_text()) {
      decoded_.append(breaks_, '\n');
      const bool starts_with_text = !is_blank(peek());
      const std::uint32_t text_end = line_end(bytes_, at_);
      decoded_.append(bytes_, at_, text_end - at_);
      end_ = at_ = text_end;
      line_break = take_break();
      skip_breaks();
      if (!in_text()) break;
      if (!folded || !starts_with_text || is_blank(peek())) {
        decoded_ += '\n';
      } else if (breaks_ == 0) {
        decoded_ += ' ';
      }
    }
    if (chomp_ != Chomp::kStrip && line_break) decoded_ += '\n';
    if (chomp_ == Chomp::kKeep) keep_breaks();
  }

  void keep_breaks() {
    decoded_.append(breaks_, '\n');
    if (breaks_ > 0) end_ = line_end(bytes_, line_begin_ - (crlf_before_line() ? 2 : 1));
  }

  bool crlf_before_line() const { return line_begin_ >= 2 && bytes_[line_begin_ - 2] == '\r'; }

  std::string_view bytes_;
  std::string& decoded_;
  std::uint32_t begin_;
  std::uint32_t at_;
  std::uint32_t line_begin_;
  std::uint32_t end_ = 0;
  std::uint32_t least_indent_ = 1;
  std::uint32_t indent_ = 0;
  std::uint32_t increment_ = 0;
  /// Line breaks since the last text.
  std::uint32_t breaks_ = 0;
  Chomp chomp_ = Chomp::kClip;
};

[[noreturn]] void refuse_character(const text::Utf8Character& character, unsigned char byte,
                                   std::uint32_t at) {
  const std::uint32_t end = at + character.size;
  if (!character.valid) {
    throw Failure{fmt::format("The byte 0x{:02X} is not part of valid UTF-8.", byte), at, end};
  }
  const auto code = static_cast<std::uint32_t>(character.code_point);
  if (code == '\r') {
    throw Failure{"A carriage return without a line feed is not supported as a line break.", at,
                  end};
  }
  if (code == 0x85 || code == 0x2028 || code == 0x2029) {
    throw Failure{
        fmt::format("PyYAML takes U+{:04X} as a line break, which is not supported; write "
                    "it as an escape in double quotes.",
                    code),
        at, end};
  }
  throw Failure{
      fmt::format("The character U+{:04X} is not allowed in YAML; write it as an escape in "
                  "double quotes.",
                  code),
      at, end};
}

bool is_allowed(char32_t code) {
  if (code < 0xA0 || code == 0x2028 || code == 0x2029) return false;
  return code != 0xFFFE && code != 0xFFFF;
}

}  // namespace

std::uint32_t after_character(std::string_view bytes, std::uint32_t offset) {
  if (offset >= bytes.size()) return narrow(bytes.size());
  return offset + text::decode_utf8(bytes.substr(offset)).size;
}

bool is_document_marker(std::string_view bytes, std::uint32_t offset) {
  if (offset + 3 > bytes.size()) return false;
  const std::string_view start = bytes.substr(offset, 3);
  return (start == "---" || start == "...") && is_space_or_end(byte_at(bytes, offset + 3));
}

bool ScalarScanner::starts_plain(std::uint32_t at, Context context) const {
  const char c = byte_at(bytes_, at);
  if (is_space_or_end(c) || contains(",[]{}#&*!|>'\"%@`", c)) return false;
  if (!contains("-?:", c)) return true;
  return !is_space_or_end(byte_at(bytes_, at + 1)) && (c == '-' || context == Context::kBlock);
}

ScannedScalar ScalarScanner::plain(std::uint32_t begin, Context context,
                                   std::int32_t indent) const {
  ScannedScalar scalar{.end = plain_run(bytes_, begin, context), .text_begin = begin};
  // Where the text begins that is not yet in decoded_.
  std::uint32_t pending = begin;
  while (true) {
    const Gap gap = plain_gap(bytes_, scalar.end);
    if (gap.end == scalar.end || byte_at(bytes_, gap.end) == '#') break;
    if (gap.breaks > 0) {
      if (gap.at_document_marker) break;
      if (context == Context::kBlock && gap.column <= indent) break;
    }
    const std::uint32_t run_end = plain_run(bytes_, gap.end, context);
    if (run_end == gap.end) break;
    if (gap.breaks > 0) {
      if (!scalar.is_decoded) scalar.text_begin = narrow(decoded_.size());
      scalar.is_decoded = true;
      decoded_.append(bytes_, pending, scalar.end - pending);
      append_folded(decoded_, gap.breaks);
      pending = gap.end;
    }
    scalar.end = run_end;
  }
  if (scalar.is_decoded) decoded_.append(bytes_, pending, scalar.end - pending);
  scalar.text_size =
      scalar.is_decoded ? narrow(decoded_.size()) - scalar.text_begin : scalar.end - begin;
  scalar.next = scalar.end;
  return scalar;
}

ScannedScalar ScalarScanner::quoted(std::uint32_t begin) const {
  const char quote = bytes_[begin];
  const std::size_t stop = bytes_.find_first_of(quote == '"' ? "\"\\\n" : "'\n", begin + 1);
  const bool simple = stop != std::string_view::npos && bytes_[stop] == quote &&
                      (quote == '"' || byte_at(bytes_, narrow(stop) + 1) != '\'');
  ScannedScalar scalar;
  if (simple) {
    scalar.text_begin = begin + 1;
    scalar.end = narrow(stop) + 1;
    scalar.text_size = narrow(stop) - scalar.text_begin;
  } else {
    scalar.text_begin = narrow(decoded_.size());
    scalar.is_decoded = true;
    scalar.end = QuotedDecoder(bytes_, begin, decoded_).run() + 1;
    scalar.text_size = narrow(decoded_.size()) - scalar.text_begin;
  }
  scalar.next = scalar.end;
  return scalar;
}

ScannedScalar ScalarScanner::block(std::uint32_t begin, std::int32_t indent) const {
  return BlockReader(bytes_, begin, indent, decoded_).run();
}

void check_characters(std::string_view bytes, std::uint32_t begin) {
  for (std::size_t at = begin; at < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if ((byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\t') {
      ++at;
      continue;
    }
    if (byte == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n') {
      at += 2;
      continue;
    }
    const text::Utf8Character character = text::decode_utf8(bytes.substr(at));
    if (!character.valid || !is_allowed(character.code_point)) {
      refuse_character(character, byte, narrow(at));
    }
    at += character.size;
  }
}

}  // namespace recipelint::yaml
