#include "analyzer/launch/recipe/python_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <variant>

namespace recipelint::launch::recipe {
namespace {

// Python writes an exponent outside of these powers of ten.
constexpr int kSmallestFixedExponent = -4;
constexpr int kLargestFixedExponent = 16;

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

std::string fixed_notation(const std::string& digits, int exponent) {
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto point = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= point) return digits + std::string(point - digits.size(), '0') + ".0";
  return digits.substr(0, point) + "." + digits.substr(point);
}

std::string exponent_notation(const std::string& digits, int exponent) {
  std::string text = digits.substr(0, 1);
  if (digits.size() > 1) text += "." + digits.substr(1);
  const std::string power = std::to_string(std::abs(exponent));
  text += exponent < 0 ? "e-" : "e+";
  return text + (power.size() < 2 ? "0" : "") + power;
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (byte == '\n') {
      out += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      out += "\\x";
      out += kHex[code >> 4u];
      out += kHex[code & 15u];
    } else {
      out += byte;
    }
  }
  return out + '"';
}

/// Whether a plain scalar of this text is read as the same string.
bool is_plain_word(std::string_view text) {
  if (text.empty()) return false;
  constexpr std::string_view kWordBytes =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-";
  if (text.find_first_not_of(kWordBytes) != std::string_view::npos || text[0] == '-') return false;
  return std::holds_alternative<std::string>(yaml::resolve_plain(text));
}

}  // namespace

std::string python_repr(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  if (number == 0) return std::signbit(number) ? "-0.0" : "0.0";
  std::array<char, 64> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                     std::fabs(number), std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t mark = text.find('e');
  std::string digits;
  for (const char byte : text.substr(0, mark)) {
    if (byte != '.') digits += byte;
  }
  std::string_view power = text.substr(mark + 1);
  if (power[0] == '+') power.remove_prefix(1);
  int exponent = 0;
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  const bool fixed = exponent >= kSmallestFixedExponent && exponent < kLargestFixedExponent;
  return std::string(number < 0 ? "-" : "") +
         (fixed ? fixed_notation(digits, exponent) : exponent_notation(digits, exponent));
}

std::string python_str(const yaml::Scalar& scalar) {
  return std::visit(Overloaded{[](yaml::Null) { return std::string("None"); },
                               [](bool value) { return std::string(value ? "True" : "False"); },
                               [](std::int64_t value) { return std::to_string(value); },
                               [](const yaml::BigInteger& value) { return value.digits; },
                               [](double value) { return python_repr(value); },
                               [](const yaml::Timestamp& value) { return value.text; },
                               [](const std::string& value) { return value; }},
                    scalar);
}

std::string flow_scalar(const yaml::Scalar& scalar) {
  if (std::holds_alternative<yaml::Null>(scalar)) return "null";
  if (const bool* truth = std::get_if<bool>(&scalar)) return *truth ? "true" : "false";
  if (const auto* text = std::get_if<std::string>(&scalar)) {
    return is_plain_word(*text) ? *text : quoted(*text);
  }
  if (const auto* number = std::get_if<double>(&scalar)) {
    if (std::isnan(*number)) return ".nan";
    if (std::isinf(*number)) return *number < 0 ? "-.inf" : ".inf";
    std::string text = python_repr(*number);
    // YAML 1.1 reads an exponent only behind a point.
    const std::size_t mark = text.find('e');
    if (mark != std::string::npos && text.find('.') == std::string::npos) text.insert(mark, ".0");
    return text;
  }
  return python_str(scalar);
}

std::string flow_yaml(const MergedNode& node) {
  if (node.is_mapping()) {
    std::string out = "{";
    for (const MergedNode::Entry& entry : node.entries()) {
      if (out.size() > 1) out += ", ";
      out += flow_scalar(entry.key.scalar()) + ": " + flow_yaml(entry.value);
    }
    return out + "}";
  }
  if (node.is_sequence()) {
    std::string out = "[";
    for (const MergedNode& item : node.items()) {
      if (out.size() > 1) out += ", ";
      out += flow_yaml(item);
    }
    return out + "]";
  }
  return flow_scalar(node.node().scalar());
}

}  // namespace recipelint::launch::recipe
