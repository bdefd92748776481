#include "analyzer/git/object_id.h"

#include <algorithm>

namespace recipelint::git {

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

ObjectId ObjectId::from_bytes(std::string_view bytes) {
  ObjectId id;
  if (bytes.size() != kSha1 && bytes.size() != kSha256) return id;
  std::copy(bytes.begin(), bytes.end(), id.data_.begin());
  id.size_ = static_cast<std::uint8_t>(bytes.size());
  return id;
}

std::optional<ObjectId> ObjectId::from_hex(std::string_view digits) {
  if (digits.size() != 2 * kSha1 && digits.size() != 2 * kSha256) return std::nullopt;
  ObjectId id;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_value(digits[i]);
    const int low = hex_value(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.data_[i / 2] = static_cast<char>(high * 16 + low);
  }
  id.size_ = static_cast<std::uint8_t>(digits.size() / 2);
  return id;
}

std::string ObjectId::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char c : bytes()) {
    const auto byte = static_cast<unsigned char>(c);
    digits.push_back(kDigits[byte >> 4u]);
    digits.push_back(kDigits[byte & 15u]);
  }
  return digits;
}

}  // namespace recipelint::git
