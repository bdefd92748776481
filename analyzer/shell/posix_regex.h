#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/pattern.h"
#include "analyzer/text/result.h"

namespace recipelint::shell {

enum class RegexSyntax : std::uint8_t { kBasic, kExtended };
enum class RegexCase : std::uint8_t { kSensitive, kIgnored };

/// A regular expression for regcomp and regexec, as the tools that recipes call use it, in a UTF-8
/// locale.
class PosixRegex {
 public:
  enum class Problem : std::uint8_t { kInvalid, kTooCostly };
  struct Failure {
    Problem problem = Problem::kInvalid;
    std::string message;
  };

  /// Fails for what is not a regular expression, and refuses what could take too much time or
  /// memory: long expressions, large repetition counts, many groups, back-references. Each thread
  /// remembers what it compiled last.
  static std::optional<PosixRegex> compile(const std::string& expression, RegexSyntax syntax,
                                           RegexCase letters, Failure& failure);

  PosixRegex(PosixRegex&&) noexcept;
  PosixRegex& operator=(PosixRegex&&) noexcept;
  ~PosixRegex();

  /// Number of groups in parentheses.
  std::size_t group_count() const;

  /// Searches from byte `from` on; "^" still means the beginning of the text. Element 0 of the
  /// result is the match, the others are the groups; groups that took no part are empty ranges at
  /// 0. Gives an empty list if there is no match, fails if the text is too long to try.
  text::Result<std::vector<TextRange>> search(std::string_view text, std::size_t from = 0) const;

 private:
  struct Compiled;
  explicit PosixRegex(std::shared_ptr<const Compiled> compiled);
  static std::shared_ptr<const Compiled> compile_anew(const std::string& expression,
                                                      RegexSyntax syntax, RegexCase letters,
                                                      Failure& failure);

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace recipelint::shell
