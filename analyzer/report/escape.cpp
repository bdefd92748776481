#include "analyzer/report/escape.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/report/visible.h"

namespace recipelint::report {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_unreserved(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

std::string percent_encoded(char c) {
  return fmt::format("%{:02X}", static_cast<unsigned char>(c));
}

std::string with_backslashes(std::string_view text, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (before.find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

/// "{0}" is a placeholder in a SARIF message, "{{0}}" is not.
std::string with_doubled_placeholders(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view digits =
        text.substr(1, std::min(text.find_first_not_of("0123456789", 1), text.size()) - 1);
    const std::size_t end = digits.size() + 1;
    if (text[0] == '{' && !digits.empty() && end < text.size() && text[end] == '}') {
      out += fmt::format("{{{{{}}}}}", digits);
      text.remove_prefix(end + 1);
    } else {
      out.push_back(text[0]);
      text.remove_prefix(1);
    }
  }
  return out;
}

/// GitHub decodes these and no others.
std::string github_escaped(std::string_view bytes, std::string_view special) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t plain = std::min(bytes.find_first_of(special), bytes.size());
    out += visible(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    out += percent_encoded(bytes[0]);
    bytes.remove_prefix(1);
  }
  return out;
}

}  // namespace

std::string path_to_uri(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '/' || is_unreserved(c)) {
      out.push_back(c);
    } else {
      out += percent_encoded(c);
    }
  }
  return out;
}

std::string markdown_text(std::string_view bytes) {
  // Not only what starts a construct in the middle of a line: ':' and '.' make addresses into
  // links, and the text may stand at the start of a line.
  constexpr std::string_view kBackslashed = "\\`*_{}[]()#+-.!|~$:";
  std::string out;
  for (const char c : with_backslashes(visible(bytes), kBackslashed)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

std::string sarif_text(std::string_view bytes) {
  std::string text = with_doubled_placeholders(visible(bytes));
  // Brackets are common in messages and harmless as long as no link destination follows.
  return text.find("](") == std::string::npos ? text : with_backslashes(text, "\\[]");
}

std::string sarif_link_text(std::string_view bytes) {
  return with_backslashes(with_doubled_placeholders(visible(bytes)), "\\[]");
}

std::string github_property(std::string_view bytes) {
  return github_escaped(bytes, "%\r\n:,");
}

std::string github_message(std::string_view bytes) {
  return github_escaped(bytes, "%\r\n");
}

std::string xml_text(std::string_view bytes) {
  std::string out;
  for (const char c : visible(bytes)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

}  // namespace recipelint::report
