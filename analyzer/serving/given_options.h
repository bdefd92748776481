#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/serving/argument_parser.h"
#include "analyzer/serving/json.h"
#include "analyzer/serving/problem.h"
#include "analyzer/serving/setting.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving {

/// One option with the value that counts.
struct Argument {
  const facts::Flag* flag = nullptr;
  bool negated = false;
  Place name;                 // the option as written
  std::vector<Token> values;  // empty if the value was put together from several words
  std::optional<Json> json;   // of JSON options, if it could be read
  std::size_t occurrences = 1;
};

/// The options of a command line, read in the way of one engine.
class GivenOptions {
 public:
  /// `title` names the engine in reasons: "vLLM".
  explicit GivenOptions(std::string_view title) : title_(title) {}

  const Words& words() const { return words_; }
  /// The option with this full name ("--max-num-seqs"); null if it is not given.
  const Argument* find(std::string_view name) const;
  const std::vector<Argument>& all() const { return arguments_; }
  /// Why there may be further options: the cause of a word that could hold any; empty if there is
  /// none.
  const std::string& open() const { return open_; }
  /// In the order of the command line.
  const std::vector<Problem>& problems() const { return problems_; }

  // The value of an option. Without the option: a setting without value, by default or, if there
  // may be further options, unknown. A value that the engine refuses is unknown, too.
  Setting<std::int64_t> integer(std::string_view name) const;
  Setting<double> number(std::string_view name) const;
  Setting<std::string> string(std::string_view name) const;
  Setting<bool> boolean(std::string_view name) const;
  Setting<std::vector<std::int64_t>> integers(std::string_view name) const;

  /// A value inside a JSON option, by its keys; the option itself without keys. Null if it is not
  /// there, or not readable.
  const Json* json(std::string_view name, std::initializer_list<std::string_view> keys = {}) const;
  /// The same as settings.
  Setting<std::int64_t> json_integer(std::string_view name, std::string_view key) const;
  Setting<double> json_number(std::string_view name, std::string_view key) const;
  Setting<std::string> json_string(std::string_view name, std::string_view key) const;

 protected:
  Words words_;
  std::vector<Argument> arguments_;  // in the order of their first occurrence
  std::string open_;
  std::vector<Problem> problems_;

 private:
  std::string refused() const;
  template <typename T>
  Setting<T> setting_of(const Argument* argument) const;
  template <typename T, typename Convert>
  Setting<T> convert(std::string_view name, Convert convert_text) const;
  template <typename T>
  Setting<T> json_setting(std::string_view name, std::string_view key,
                          std::optional<T> (*read)(const Json&)) const;

  std::string_view title_;
};

/// The setting, or the default if it has no value.
template <typename T>
Setting<T> or_default(Setting<T> setting, T value, std::string reason = {}) {
  if (setting.value || !setting.known()) return setting;
  return Setting<T>::by_default(std::move(value), std::move(reason));
}

/// The first of two settings that has a value or is unknown.
template <typename T>
Setting<T> either(Setting<T> first, Setting<T> second) {
  return first.value || !first.known() ? first : second;
}

}  // namespace recipelint::serving
