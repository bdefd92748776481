#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/shell/value.h"

namespace recipelint::shell {

/// A shell variable: scalar or array, with its attributes. Declared variables without a value exist
/// but are not set.
class Variable {
 public:
  enum class Kind : std::uint8_t { kScalar, kIndexed, kAssociative };
  static constexpr std::uint32_t kNoAssignment = 0xffffffffu;

  Kind kind = Kind::kScalar;
  bool is_set = false;  // it has a value; for an array perhaps that of no elements
  bool exported = false;
  bool readonly = false;
  bool integer = false;
  bool lower_case = false;
  bool upper_case = false;
  bool reference = false;  // declare -n: the scalar is the name of the target
  Value scalar;
  /// Not empty if the number of elements is not known: the cause.
  std::string uncertain_count;
  /// The assignment that gave this value, in the evaluation's list of assignments.
  std::uint32_t assignment = kNoAssignment;

  bool is_array() const { return kind != Kind::kScalar; }

  // Indexed arrays: elements in order of their index.
  const std::vector<std::pair<std::int64_t, Value>>& elements() const { return elements_; }
  const Value* find(std::int64_t index) const;
  Value& element(std::int64_t index);
  void erase(std::int64_t index);
  /// One more than the highest index.
  std::int64_t next_index() const { return elements_.empty() ? 0 : elements_.back().first + 1; }

  // Associative arrays: entries in the order of their first assignment.
  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }
  const Value* find(std::string_view key) const;
  Value& entry(std::string_view key);
  void erase(std::string_view key);
  /// Entries in the order in which bash lists them (that of its hash table).
  std::vector<const std::pair<std::string, Value>*> listed_entries() const;

  void clear_elements();

  /// Whether both look the same to a script; origins do not count.
  bool same_as(const Variable& other) const;

 private:
  std::vector<std::pair<std::int64_t, Value>> elements_;
  std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace recipelint::shell
