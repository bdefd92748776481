#include "analyzer/report/markdown_page.h"

#include <utility>

namespace recipelint::report {
namespace {

constexpr std::string_view kFence = "```";

/// Removes and gives the first line, without its line break and white space around it.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  const auto first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

bool is_prose(std::string_view line) {
  return !line.empty() && std::string_view("#|>-*+<").find(line[0]) == std::string_view::npos;
}

void skip_code_block(std::string_view& page) {
  while (!page.empty() && !take_line(page).starts_with(kFence)) {
  }
}

std::string shortened(std::string text, std::size_t most_bytes) {
  constexpr std::string_view kEllipsis = "...";
  if (text.size() <= most_bytes) return text;
  const auto end = text.find_last_of(' ', most_bytes - kEllipsis.size());
  text.resize(end == std::string::npos ? 0 : end);
  return text.append(kEllipsis);
}

}  // namespace

std::string first_paragraph(std::string_view page, std::size_t most_bytes) {
  std::string paragraph;
  while (!page.empty()) {
    const std::string_view line = take_line(page);
    if (line.starts_with(kFence)) {
      if (!paragraph.empty()) break;
      skip_code_block(page);
    } else if (is_prose(line)) {
      if (!paragraph.empty()) paragraph.push_back(' ');
      paragraph += line;
    } else if (!paragraph.empty()) {
      break;
    }
  }
  return shortened(std::move(paragraph), most_bytes);
}

std::string_view below_heading(std::string_view page, std::string_view heading) {
  for (std::string_view rest = page; !rest.empty();) {
    if (take_line(rest) == heading) return rest;
  }
  return page;
}

}  // namespace recipelint::report
