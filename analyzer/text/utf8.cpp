#include "analyzer/text/utf8.h"

namespace recipelint::text {
namespace {

constexpr Utf8Character kMalformed{U'\uFFFD', 1, false};

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

}  // namespace

Utf8Character decode_utf8(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return {lead, 1, true};
  const std::uint8_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < size) return kMalformed;
  char32_t code_point = lead & (0xFFu >> (size + 1u));
  for (std::uint8_t i = 1; i < size; ++i) {
    if (!is_continuation(bytes[i])) return kMalformed;
    code_point = (code_point << 6u) | (static_cast<unsigned char>(bytes[i]) & 0x3Fu);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < kSmallest[size] || code_point > 0x10FFFF || surrogate) return kMalformed;
  return {code_point, size, true};
}

std::uint32_t count_characters(std::string_view bytes) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); ++count) {
    at += is_ascii(bytes[at]) ? 1u : decode_utf8(bytes.substr(at)).size;
  }
  return count;
}

std::uint32_t count_utf16(std::string_view bytes) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); ++count) {
    if (is_ascii(bytes[at])) {
      ++at;
      continue;
    }
    const Utf8Character character = decode_utf8(bytes.substr(at));
    if (character.code_point >= 0x10000) ++count;
    at += character.size;
  }
  return count;
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Character character = decode_utf8(bytes.substr(at));
    if (character.valid) {
      out.append(bytes, at, character.size);
    } else {
      append_utf8(out, character.code_point);
    }
    at += character.size;
  }
  return out;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto byte = [&out](char32_t value) { out.push_back(static_cast<char>(value)); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0u | (code_point >> 6u));
    byte(0x80u | (code_point & 0x3Fu));
  } else if (code_point < 0x10000) {
    byte(0xE0u | (code_point >> 12u));
    byte(0x80u | ((code_point >> 6u) & 0x3Fu));
    byte(0x80u | (code_point & 0x3Fu));
  } else {
    byte(0xF0u | (code_point >> 18u));
    byte(0x80u | ((code_point >> 12u) & 0x3Fu));
    byte(0x80u | ((code_point >> 6u) & 0x3Fu));
    byte(0x80u | (code_point & 0x3Fu));
  }
}

}  // namespace recipelint::text
