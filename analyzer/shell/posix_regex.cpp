#include "analyzer/shell/posix_regex.h"

#include <locale.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>
#include <utility>

namespace recipelint::shell {
namespace {

// Large enough for what people write; regcomp's memory grows with the product of nested repetition
// counts, and regexec's time with the product of pattern and text.
constexpr std::size_t kLongestExpression = 2'000;
constexpr std::size_t kLongestText = 64u << 10u;
constexpr std::size_t kMostCopies = 2'000;
constexpr std::size_t kMostGroups = 50;
constexpr std::size_t kLargestProduct = 4'000'000;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The size of a bracket expression, so that its inside is not counted; 0 if there is none.
std::size_t bracket_size(std::string_view expression) {
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
    number = is_digit(c)
                 ? std::min<std::size_t>(number * 10 + static_cast<std::size_t>(c - '0'), 1'000'000)
                 : 0;
    most = std::max(most, number);
  }
  return most;
}

/// Why compiling or running the expression could take too long.
std::optional<std::string> find_danger(std::string_view expression) {
  if (expression.size() > kLongestExpression) return "a regular expression that is too long";
  std::size_t copies = 1;
  std::size_t groups = 0;
  for (std::size_t at = 0; at < expression.size(); ++at) {
    // Braces and parentheses count with or without a backslash, whatever the syntax.
    if (expression[at] == '\\') {
      if (++at == expression.size()) break;
      if (is_digit(expression[at])) return "a regular expression that refers back to its groups";
    }
    if (expression[at] == '{') {
      copies = std::min(copies * repetition(expression.substr(at + 1)), kMostCopies + 1);
    } else if (expression[at] == '(') {
      ++groups;
    } else if (at == 0 || expression[at - 1] != '\\') {
      if (const std::size_t size = bracket_size(expression.substr(at)); size > 0) at += size - 1;
    }
  }
  if (copies > kMostCopies) return "a regular expression with too many repetitions";
  if (groups > kMostGroups) return "a regular expression with too many groups";
  return std::nullopt;
}

/// Makes the thread read bytes as UTF-8 while it lives.
class Utf8Locale {
 public:
  explicit Utf8Locale(locale_t locale) : previous_(uselocale(locale)) {}
  ~Utf8Locale() { uselocale(previous_); }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  locale_t previous_;
};

/// Kept for the whole run. Null where the C library has no such locale.
locale_t utf8_locale() {
  static const locale_t kLocale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return kLocale;
}

}  // namespace

struct PosixRegex::Compiled {
  Compiled() = default;
  ~Compiled() {
    if (valid) regfree(&regex);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  regex_t regex{};
  bool valid = false;
  std::size_t size = 0;
};

PosixRegex::PosixRegex(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
PosixRegex::PosixRegex(PosixRegex&&) noexcept = default;
PosixRegex& PosixRegex::operator=(PosixRegex&&) noexcept = default;
PosixRegex::~PosixRegex() = default;

std::optional<PosixRegex> PosixRegex::compile(const std::string& expression, RegexSyntax syntax,
                                              RegexCase letters, Failure& failure) {
  // Scripts try the same few expressions for each cell, and regcomp() is slow.
  constexpr std::size_t kMostRemembered = 64;
  // What regexec() learns stays with the expression, so it must not become too much.
  constexpr std::size_t kLongestRemembered = 100;
  using Key = std::tuple<std::string, RegexSyntax, RegexCase>;
  thread_local std::map<Key, std::shared_ptr<const Compiled>> remembered;
  const Key key{expression, syntax, letters};
  if (const auto known = remembered.find(key); known != remembered.end()) {
    return PosixRegex(known->second);
  }
  std::shared_ptr<const Compiled> compiled = compile_anew(expression, syntax, letters, failure);
  if (compiled == nullptr) return std::nullopt;
  if (expression.size() <= kLongestRemembered) {
    if (remembered.size() >= kMostRemembered) remembered.clear();
    remembered.emplace(key, compiled);
  }
  return PosixRegex(std::move(compiled));
}

std::shared_ptr<const PosixRegex::Compiled> PosixRegex::compile_anew(const std::string& expression,
                                                                     RegexSyntax syntax,
                                                                     RegexCase letters,
                                                                     Failure& failure) {
  if (std::optional<std::string> danger = find_danger(expression)) {
    failure = {Problem::kTooCostly, std::move(*danger)};
    return nullptr;
  }
  auto compiled = std::make_shared<Compiled>();
  compiled->size = expression.size();
  if (utf8_locale() == nullptr) {
    failure = {Problem::kTooCostly, "a regular expression, on a system without a UTF-8 locale"};
    return nullptr;
  }
  const Utf8Locale locale(utf8_locale());
  const int flags = (syntax == RegexSyntax::kExtended ? REG_EXTENDED : 0) |
                    (letters == RegexCase::kIgnored ? REG_ICASE : 0);
  const int error = regcomp(&compiled->regex, expression.c_str(), flags);
  if (error != 0) {
    failure = {error == REG_ESPACE ? Problem::kTooCostly : Problem::kInvalid,
               "not a regular expression: " + expression};
    return nullptr;
  }
  compiled->valid = true;
  return compiled;
}

std::size_t PosixRegex::group_count() const {
  return compiled_->regex.re_nsub;
}

text::Result<std::vector<TextRange>> PosixRegex::search(std::string_view text,
                                                        std::size_t from) const {
  if (text.size() > kLongestText || text.size() * compiled_->size > kLargestProduct) {
    return text::Error{"a text too long for a regular expression", {}};
  }
  const Utf8Locale locale(utf8_locale());
  std::vector<regmatch_t> offsets(compiled_->regex.re_nsub + 1);
  offsets[0].rm_so = static_cast<regoff_t>(from);
  offsets[0].rm_eo = static_cast<regoff_t>(text.size());
  const std::string copy(text);
  const int error =
      regexec(&compiled_->regex, copy.c_str(), offsets.size(), offsets.data(), REG_STARTEND);
  std::vector<TextRange> ranges;
  if (error == REG_NOMATCH) return ranges;
  if (error != 0) return text::Error{"a regular expression that takes too much memory", {}};
  for (const regmatch_t& offset : offsets) {
    const bool used = offset.rm_so >= 0;
    ranges.push_back(used ? TextRange{static_cast<std::size_t>(offset.rm_so),
                                      static_cast<std::size_t>(offset.rm_eo)}
                          : TextRange{});
  }
  return ranges;
}

}  // namespace recipelint::shell
