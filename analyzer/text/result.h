#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "analyzer/text/span.h"

namespace recipelint::text {

/// Why something failed, in words a recipe author can act on.
struct Error {
  std::string message;
  /// Where it went wrong; invalid if no place in a source file is to blame.
  Span where;
};

/// A value, or the reason why there is none. Used for every failure that input can cause.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  /// Only when ok().
  const T& value() const& { return std::get<T>(state_); }
  T& value() & { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  /// Only when !ok().
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace recipelint::text
