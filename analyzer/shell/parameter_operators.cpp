#include "analyzer/shell/parameter_operators.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/shell/escapes.h"
#include "analyzer/text/utf8.h"

namespace recipelint::shell {
namespace {

Value unknown_result(const Value& value, std::string_view cause) {
  return Value::unknown(std::string(cause.empty() ? value.cause() : cause), value.origin());
}

bool is_removal_of_prefix(ParameterOperator op) {
  return op == ParameterOperator::kRemoveShortestPrefix ||
         op == ParameterOperator::kRemoveLongestPrefix;
}

bool is_longest(ParameterOperator op) {
  return op == ParameterOperator::kRemoveLongestPrefix ||
         op == ParameterOperator::kRemoveLongestSuffix;
}

// A known end of a value whose other end is unknown can still lose a literal prefix or suffix.
std::optional<Value> remove_literal(const Value& value, const PatternText& pattern, bool prefix) {
  std::string literal;
  for (const auto& [text, quoted] : pattern.runs) literal += text;
  const Piece& piece = prefix ? value.pieces().front() : value.pieces().back();
  if (!piece.known || piece.text.get().size() < literal.size()) return std::nullopt;
  const bool found =
      prefix ? piece.text.get().starts_with(literal) : piece.text.get().ends_with(literal);
  if (!found) return value;
  Value out = value;
  std::string& text = prefix ? out.pieces().front().text.write() : out.pieces().back().text.write();
  text.erase(prefix ? 0 : text.size() - literal.size(), literal.size());
  std::erase_if(out.pieces(), [](const Piece& p) { return p.known && p.text.empty(); });
  return out;
}

std::vector<TextRange> matches_to_replace(const Pattern& pattern, std::string_view text,
                                          ParameterOperator op, std::string& failure) {
  const auto single = [&](const auto& result, const auto& range) -> std::vector<TextRange> {
    if (!result) {
      failure = result.error().message;
      return {};
    }
    return *result ? std::vector<TextRange>{range(**result)} : std::vector<TextRange>{};
  };
  switch (op) {
    case ParameterOperator::kReplacePrefix:
      return single(pattern.prefix_length(text, Extent::kLongest), [](std::size_t length) {
        return TextRange{0, length};
      });
    case ParameterOperator::kReplaceSuffix:
      return single(pattern.suffix_length(text, Extent::kLongest), [&](std::size_t length) {
        return TextRange{text.size() - length, text.size()};
      });
    case ParameterOperator::kReplaceAll: {
      const auto all = pattern.find_all(text);
      if (!all) failure = all.error().message;
      return all ? *all : std::vector<TextRange>();
    }
    default:
      return single(pattern.find_first(text), [](const TextRange& range) { return range; });
  }
}

char swap_ascii(char c, bool upper) {
  if (upper) return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

Value remove_pattern(const Value& value, const PatternText& pattern, ParameterOperator op,
                     PatternOptions options) {
  if (!pattern.cause.empty()) return unknown_result(value, pattern.cause);
  const Pattern compiled(pattern.parts(), options);
  const bool prefix = is_removal_of_prefix(op);
  if (!value.is_known()) {
    if (compiled.is_literal()) {
      if (auto rest = remove_literal(value, pattern, prefix)) return *std::move(rest);
    }
    return unknown_result(value, {});
  }
  std::string buffer;
  const std::string_view text = value.view(buffer);
  const Extent extent = is_longest(op) ? Extent::kLongest : Extent::kShortest;
  const auto length =
      prefix ? compiled.prefix_length(text, extent) : compiled.suffix_length(text, extent);
  if (!length) return unknown_result(value, length.error().message);
  if (!*length) return value;
  return prefix ? value.slice(**length, text.size()) : value.slice(0, text.size() - **length);
}

Value replace_pattern(const Value& value, const PatternText& pattern, const Value& replacement,
                      ParameterOperator op, PatternOptions options) {
  if (!pattern.cause.empty()) return unknown_result(value, pattern.cause);
  if (!value.is_known()) return unknown_result(value, {});
  std::string buffer;
  const std::string_view text = value.view(buffer);
  const bool anchored =
      op == ParameterOperator::kReplacePrefix || op == ParameterOperator::kReplaceSuffix;
  const bool empty_pattern = std::all_of(pattern.runs.begin(), pattern.runs.end(),
                                         [](const auto& run) { return run.first.empty(); });
  if (empty_pattern && !anchored) return value;
  std::string failure;
  const auto ranges = matches_to_replace(Pattern(pattern.parts(), options), text, op, failure);
  if (!failure.empty()) return unknown_result(value, failure);
  Value out;
  std::size_t from = 0;
  for (const TextRange& range : ranges) {
    out.append(value.slice(from, range.begin));
    out.append(replacement);
    from = range.end;
  }
  out.append(value.slice(from, text.size()));
  return out;
}

Value change_case(const Value& value, const PatternText& pattern, ParameterOperator op,
                  PatternOptions options) {
  if (!pattern.cause.empty()) return unknown_result(value, pattern.cause);
  if (!value.is_known()) return unknown_result(value, {});
  const bool upper = op == ParameterOperator::kUpperFirst || op == ParameterOperator::kUpperAll;
  const bool all = op == ParameterOperator::kUpperAll || op == ParameterOperator::kLowerAll;
  const Pattern compiled(pattern.parts(), options);
  const bool any = pattern.runs.empty();
  Value out = value;
  for (Piece& piece : out.pieces()) {
    for (char& c : piece.text.write()) {
      if (static_cast<unsigned char>(c) > 0x7f) {
        return unknown_result(value, "letters whose case depends on the locale");
      }
      const auto matches = any ? text::Result<bool>(true) : compiled.matches({&c, 1});
      if (!matches) return unknown_result(value, matches.error().message);
      if (*matches) c = swap_ascii(c, upper);
      if (!all) return out;
    }
  }
  return out;
}

Value substring_of(const Value& value, std::int64_t offset, const std::int64_t* length) {
  if (!value.is_known()) return unknown_result(value, {});
  std::string buffer;
  const std::string_view text = value.view(buffer);
  // Byte offsets of characters, so that positions count characters as bash does.
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at += text::decode_utf8(text.substr(at)).size) {
    starts.push_back(at);
  }
  starts.push_back(text.size());
  const auto count = static_cast<std::int64_t>(starts.size() - 1);
  if (offset < 0) offset += count;
  if (offset < 0 || offset > count) return {};
  std::int64_t end = count;
  if (length != nullptr) {
    end = *length < 0 ? count + *length : offset + std::min(*length, count - offset);
    if (end < offset) return unknown_result(value, "substring expression < 0");
  }
  return value.slice(starts[static_cast<std::size_t>(offset)],
                     starts[static_cast<std::size_t>(end)]);
}

Value transform_value(const Value& value, char letter) {
  if (!value.is_known()) return unknown_result(value, {});
  const PatternText any;
  std::string buffer;
  switch (letter) {
    case 'U':
      return change_case(value, any, ParameterOperator::kUpperAll, {});
    case 'L':
      return change_case(value, any, ParameterOperator::kLowerAll, {});
    case 'u':
      return change_case(value, any, ParameterOperator::kUpperFirst, {});
    case 'Q':
      return Value::of(quote_with_single_quotes(value.view(buffer)), value.origin());
    case 'E':
      return Value::of(expand_escapes(value.view(buffer), EscapeStyle::kAnsiC).text,
                       value.origin());
    default:
      return value;
  }
}

}  // namespace recipelint::shell
