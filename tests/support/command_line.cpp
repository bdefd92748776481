#include "tests/support/command_line.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace recipelint::testing {

CommandLine::CommandLine(std::string text) : file_("run.sh", std::move(text)) {
  const auto bytes = file_.bytes();
  for (std::size_t at = 0; at < bytes.size();) {
    if (bytes[at] == ' ') {
      ++at;
      continue;
    }
    shell::Value word;
    while (at < bytes.size() && bytes[at] != ' ') {
      if (bytes[at] == '\'') {
        at = read_quoted(word, at);
      } else if (bytes[at] == '$') {
        at = read_unknown(word, at);
      } else {
        const auto end = std::min(bytes.find_first_of(" '$", at), bytes.size());
        add_piece(word, at, end);
        at = end;
      }
    }
    argv_.push_back(std::move(word));
  }
}

void CommandLine::add_piece(shell::Value& word, std::size_t begin, std::size_t end) {
  const auto span = file_.span(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
  word.append(shell::Value::of(std::string(span.bytes()), origins_.add(span, "written here")));
}

std::size_t CommandLine::read_quoted(shell::Value& word, std::size_t at) {
  const auto end = std::min(file_.bytes().find('\'', at + 1), file_.bytes().size() - 1);
  add_piece(word, at + 1, end);
  return end + 1;
}

std::size_t CommandLine::read_unknown(shell::Value& word, std::size_t at) {
  const auto bytes = file_.bytes();
  std::size_t end = at + 1;
  while (end < bytes.size() && (std::isupper(static_cast<unsigned char>(bytes[end])) != 0)) ++end;
  const auto span = file_.span(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end));
  word.append(shell::Value::unknown(std::string(bytes.substr(at + 1, end - at - 1)),
                                    origins_.add(span, "read here")));
  return end;
}

}  // namespace recipelint::testing
