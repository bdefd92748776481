#include "analyzer/shell/regex.h"

#include <locale.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <clocale>
#include <optional>

namespace recipelint::shell {
namespace {

// Large enough for what people write; regcomp's memory grows with the product of nested repetition
// counts, and regexec's time with the product of pattern and text.
constexpr std::size_t kLongestExpression = 2'000;
constexpr std::size_t kLongestText = 64u << 10u;
constexpr std::size_t kMostCopies = 2'000;
constexpr std::size_t kMostGroups = 50;
constexpr std::size_t kLargestProduct = 4'000'000;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & '\x80') == 0; });
}

/// What a bracket expression or an escape takes of the expression, so that its inside is not
/// counted.
std::size_t opaque_size(std::string_view expression) {
  if (expression[0] == '\\') return std::min<std::size_t>(2, expression.size());
  if (expression[0] != '[') return 0;
  std::size_t at = 1;
  if (at < expression.size() && expression[at] == '^') ++at;
  if (at < expression.size() && expression[at] == ']') ++at;
  for (; at < expression.size() && expression[at] != ']'; ++at) {
    const bool named = expression[at] == '[' && at + 1 < expression.size() &&
                       std::string_view(":.=").find(expression[at + 1]) != std::string_view::npos;
    if (!named) continue;
    const std::size_t end = expression.find(std::string{expression[at + 1], ']'}, at + 2);
    if (end == std::string_view::npos) return expression.size();
    at = end + 1;
  }
  return std::min(at + 1, expression.size());
}

/// The factor of a repetition count like {2,5}; 1 for anything else.
std::size_t repetition(std::string_view expression) {
  std::size_t most = 1;
  std::size_t number = 0;
  for (const char c : expression.substr(0, expression.find('}'))) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(c - '0'), 1'000'000);
    } else {
      number = 0;
    }
    most = std::max(most, number);
  }
  return most;
}

/// Why compiling or running the expression could take too long.
std::optional<std::string> find_danger(std::string_view expression) {
  std::size_t copies = 1;
  std::size_t groups = 0;
  if (expression.size() > kLongestExpression) return "a regular expression that is too long";
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const char c = expression[at];
    const bool escape = c == '\\' && at + 1 < expression.size();
    if (escape && std::isdigit(static_cast<unsigned char>(expression[at + 1])) != 0) {
      return "a regular expression that refers back to its groups";
    }
    if (const std::size_t size = opaque_size(expression.substr(at)); size > 0) {
      at += size - 1;
    } else if (c == '{') {
      copies = std::min(copies * repetition(expression.substr(at + 1)), kMostCopies + 1);
    } else if (c == '(') {
      ++groups;
    }
  }
  if (copies > kMostCopies) return "a regular expression with too many repetitions";
  if (groups > kMostGroups) return "a regular expression with too many groups";
  return std::nullopt;
}

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

/// Makes a thread read bytes as UTF-8 while it lives.
class Utf8Locale {
 public:
  Utf8Locale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) previous_ = uselocale(locale_);
  }
  ~Utf8Locale() {
    if (locale_ == nullptr) return;
    uselocale(previous_);
    freelocale(locale_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

  bool available() const { return locale_ != nullptr; }

 private:
  locale_t locale_;
  locale_t previous_ = nullptr;
};

RegexMatch without_match(RegexMatch::Outcome outcome, std::string message) {
  return {outcome, {}, std::move(message)};
}

RegexMatch execute(const std::string& text, const std::string& expression, bool ignore_case) {
  regex_t compiled;
  const int flags = REG_EXTENDED | (ignore_case ? REG_ICASE : 0);
  if (const int error = regcomp(&compiled, expression.c_str(), flags); error != 0) {
    const auto outcome =
        error == REG_ESPACE ? RegexMatch::Outcome::kRefused : RegexMatch::Outcome::kInvalid;
    return without_match(outcome, "not a regular expression: " + expression);
  }
  std::vector<regmatch_t> offsets(compiled.re_nsub + 1);
  const int error = regexec(&compiled, text.c_str(), offsets.size(), offsets.data(), 0);
  regfree(&compiled);
  if (error == REG_NOMATCH) return without_match(RegexMatch::Outcome::kNotMatched, {});
  if (error != 0) return without_match(RegexMatch::Outcome::kRefused, "regexec gave up");
  RegexMatch match{RegexMatch::Outcome::kMatched, {}, {}};
  for (const regmatch_t& offset : offsets) {
    const bool used = offset.rm_so >= 0;
    match.groups.push_back(used ? TextRange{static_cast<std::size_t>(offset.rm_so),
                                            static_cast<std::size_t>(offset.rm_eo)}
                                : TextRange{});
  }
  return match;
}

}  // namespace

RegexMatch match_regex(std::string_view text, std::span<const PatternPart> parts,
                       PatternOptions options) {
  const std::string expression = to_expression(parts);
  if (std::optional<std::string> danger = find_danger(expression)) {
    return without_match(RegexMatch::Outcome::kRefused, std::move(*danger));
  }
  if (text.size() > kLongestText || text.size() * expression.size() > kLargestProduct) {
    return without_match(RegexMatch::Outcome::kRefused, "a text too long for a regular expression");
  }
  if (is_ascii(text) && is_ascii(expression)) {
    return execute(std::string(text), expression, options.ignore_case);
  }
  const Utf8Locale locale;
  if (!locale.available()) {
    return without_match(RegexMatch::Outcome::kRefused, "a text beyond ASCII");
  }
  return execute(std::string(text), expression, options.ignore_case);
}

}  // namespace recipelint::shell
