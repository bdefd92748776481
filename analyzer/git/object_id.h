#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recipelint::git {

/// The name of an object: 20 bytes of SHA-1, or 32 of SHA-256 in repositories that use it.
class ObjectId {
 public:
  static constexpr std::size_t kSha1 = 20;
  static constexpr std::size_t kSha256 = 32;

  ObjectId() = default;
  /// From 20 or 32 bytes; any other number gives an empty id.
  static ObjectId from_bytes(std::string_view bytes);
  /// From 40 or 64 hexadecimal digits, and nothing else.
  static std::optional<ObjectId> from_hex(std::string_view digits);

  bool empty() const { return size_ == 0; }
  std::string_view bytes() const { return {data_.data(), size_}; }
  std::string hex() const;

  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;

 private:
  std::array<char, kSha256> data_{};
  std::uint8_t size_ = 0;
};

/// The value of a hexadecimal digit in either case; -1 for anything else.
int hex_value(char digit);

}  // namespace recipelint::git
