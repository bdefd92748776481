#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/engine_version.h"
#include "analyzer/facts/release.h"
#include "analyzer/facts/table.h"

namespace recipelint::facts {

/// How long an engine knew a word, by release.
struct Lifetime {
  std::optional<Release> since;       // missing: older than the table
  std::optional<Release> deprecated;  // a warning is printed from here on
  std::optional<Release> removed;     // the first release without it
  std::string_view instead;           // what replaces it; empty if nothing does
};

/// What an option takes.
enum class FlagKind : std::uint8_t {
  kBool,            // --x and --no-x
  kSwitch,          // --x only
  kInt,             //
  kHumanInt,        // 1k is 1000, 1K is 1024
  kHumanIntOrAuto,  // the same, or "auto"
  kFloat,
  kString,
  kOptionalString,  // the value may be missing
  kEnum,
  kEnumOrString,  // the listed values are only the usual ones
  kStringList,
  kIntList,
  kAppend,  // one value; every use adds its own
  kJson,
  kJsonOrString,
  kUnknown,  // known only by name: anything may follow
};
/// "bool", "human-int" and so on, as in the tables.
std::string_view to_string(FlagKind kind);

/// The values that a number may have.
struct NumberRange {
  struct Bound {
    double value = 0;
    bool included = true;

    friend bool operator==(const Bound&, const Bound&) = default;
  };
  std::optional<Bound> lowest;
  std::optional<Bound> highest;

  bool contains(double number) const;
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};
/// ">=1", ">0 and <=1", or "" for any number.
std::string to_string(const NumberRange& range);

/// One option of an engine's command.
struct Flag {
  std::string_view name;                  // "--tensor-parallel-size"
  std::vector<std::string_view> aliases;  // "-tp"
  FlagKind kind = FlagKind::kUnknown;
  std::vector<std::string_view> values;  // of an enum
  std::string_view json_class;           // of json: whose keys it has; empty if they are not known
  NumberRange range;
  std::string_view default_text;  // empty if there is no plain one
  Lifetime lifetime;
  const Evidence* evidence = nullptr;

  /// Neither bool nor switch.
  bool takes_value() const { return kind != FlagKind::kBool && kind != FlagKind::kSwitch; }
};

/// One key of an object that an option takes.
struct ConfigKey {
  std::string_view object;  // the class
  std::string_view key;
  std::string_view type;  // see data/vllm_keys.tsv
  Lifetime lifetime;
  const Evidence* evidence = nullptr;
};

/// One variable of the environment that an engine reads.
struct EnvironmentVariable {
  std::string_view name;
  std::string_view type;
  std::string_view default_text;
  Lifetime lifetime;
  const Evidence* evidence = nullptr;
};

/// Whether a version knows a word: it does, it did, it will.
enum class Presence : std::uint8_t { kPresent, kMaybe, kNotYet, kRemoved };

/// The words that one engine understands.
class Vocabulary {
 public:
  // Columns of the tables, and how many of them make a row what it is.
  static constexpr std::size_t kFlagColumns = 10, kFlagKeys = 1;
  static constexpr std::size_t kKeyColumns = 6, kKeyKeys = 2;
  static constexpr std::size_t kVariableColumns = 6, kVariableKeys = 1;

  /// Takes the tables of data/<engine>_{flags,keys,envs}.tsv. The bytes behind them must outlive
  /// the vocabulary. Fails with the table and line of what is wrong.
  static text::Result<Vocabulary> read(std::string_view engine, Table flags, Table keys,
                                       Table environment);

  std::string_view engine() const { return engine_; }

  /// Sorted by name.
  const std::vector<Flag>& flags() const { return flags_; }
  /// By its name or an alias, in full; null if there is none.
  const Flag* find_flag(std::string_view spelling) const;

  /// A name, an alias, or the negation of a name ("--no-x").
  struct Spelling {
    std::string text;
    const Flag* flag = nullptr;
    bool negated = false;
  };
  /// All spellings of all options, sorted by text.
  const std::vector<Spelling>& spellings() const { return spellings_; }

  /// Sorted by class and key.
  const std::vector<ConfigKey>& keys() const { return keys_; }
  std::span<const ConfigKey> keys_of(std::string_view object) const;
  const ConfigKey* find_key(std::string_view object, std::string_view key) const;

  /// Sorted by name.
  const std::vector<EnvironmentVariable>& environment() const { return environment_; }
  const EnvironmentVariable* find_variable(std::string_view name) const;

  /// Does this version know a word with this lifetime? An unknown version may or may not, unless
  /// the word was never added nor removed.
  Presence presence(const Lifetime& lifetime, const EngineVersion& version,
                    const VersionFacts& versions) const;
  /// Is a warning printed? False if it is not certain.
  bool is_deprecated(const Lifetime& lifetime, const EngineVersion& version,
                     const VersionFacts& versions) const;

 private:
  Vocabulary() = default;
  std::optional<text::Error> read_flags();
  std::optional<text::Error> read_keys();
  std::optional<text::Error> read_environment();

  std::string_view engine_;
  // The tables own the evidence that the entries refer to.
  Table flag_table_;
  Table key_table_;
  Table environment_table_;
  std::vector<Flag> flags_;
  std::vector<Spelling> spellings_;  // refers to flags_
  std::vector<ConfigKey> keys_;
  std::vector<EnvironmentVariable> environment_;
};

}  // namespace recipelint::facts
