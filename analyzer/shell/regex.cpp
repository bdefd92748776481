#include "analyzer/shell/regex.h"

#include <utility>

#include "analyzer/shell/posix_regex.h"

namespace recipelint::shell {
namespace {

using Outcome = RegexMatch::Outcome;

/// The expression as bash gives it to regcomp: special characters of quoted parts escaped.
std::string to_expression(std::span<const PatternPart> parts) {
  constexpr std::string_view kSpecial = "\\^$.|?*+()[]{}";
  std::string expression;
  bool in_bracket = false;
  for (const PatternPart& part : parts) {
    for (const char c : part.text) {
      // Inside of brackets a backslash is an ordinary character.
      if (part.quoted && !in_bracket && kSpecial.find(c) != std::string_view::npos) {
        expression += '\\';
      }
      expression += c;
    }
    if (!part.quoted) in_bracket = part.text.rfind('[') + 1 > part.text.rfind(']') + 1;
  }
  return expression;
}

}  // namespace

RegexMatch match_regex(std::string_view text, std::span<const PatternPart> expression,
                       PatternOptions options) {
  PosixRegex::Failure failure;
  const std::optional<PosixRegex> regex = PosixRegex::compile(
      to_expression(expression), RegexSyntax::kExtended,
      options.ignore_case ? RegexCase::kIgnored : RegexCase::kSensitive, failure);
  if (!regex) {
    const bool invalid = failure.problem == PosixRegex::Problem::kInvalid;
    return {invalid ? Outcome::kInvalid : Outcome::kRefused, {}, std::move(failure.message)};
  }
  text::Result<std::vector<TextRange>> groups = regex->search(text);
  if (!groups.ok()) return {Outcome::kRefused, {}, groups.error().message};
  if (groups->empty()) return {Outcome::kNotMatched, {}, {}};
  return {Outcome::kMatched, std::move(*groups), {}};
}

}  // namespace recipelint::shell
