#include "analyzer/yaml/explain.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analyzer/yaml/scan.h"

namespace recipelint::yaml {
namespace {

namespace errors = YAML::ErrorMsg;

struct Explanation {
  std::string_view message;
  std::string_view sentence;
};

/// The cause behind a message of yaml-cpp; empty if none is known.
std::string_view likely_cause(std::string_view message) {
  const auto explanations = std::to_array<Explanation>({
      {errors::MAP_VALUE,
       "A ':' stands where no value can begin; quote the text before it if the colon belongs "
       "to it, and check the indentation."},
      {errors::MAP_KEY, "A '?' of a key stands where no key can begin."},
      {errors::END_OF_MAP,
       "This does not continue the mapping above: the ':' after a key is missing, or the "
       "indentation fits no enclosing block."},
      {errors::END_OF_SEQ,
       "This does not continue the sequence above: the '-' is missing, or the indentation "
       "fits no enclosing block."},
      {errors::BLOCK_ENTRY,
       "A '-' of a sequence stands where no item can begin; it belongs on a line of its own, "
       "outside of brackets."},
      {errors::FLOW_END, "This bracket closes nothing that is open."},
      {errors::UNKNOWN_TOKEN, "Text that starts with this character must be quoted."},
      {errors::UNKNOWN_ANCHOR, "This alias refers to an anchor that is not defined before it."},
      {errors::EOF_IN_SCALAR, "A string is never closed: the file ends inside of it."},
      {errors::DOC_IN_SCALAR, "A document marker stands inside a string that is not closed."},
      {errors::TAB_IN_INDENTATION, "A tab is used as indentation; YAML allows only spaces there."},
      {errors::CHAR_IN_BLOCK, "Text of a block scalar starts on the line after '|' or '>'."},
      {errors::BAD_FILE, "Collections are nested too deep."},
  });
  const auto known =
      std::find_if(explanations.begin(), explanations.end(),
                   [&](const Explanation& explanation) { return message == explanation.message; });
  return known == explanations.end() ? std::string_view() : known->sentence;
}

std::optional<std::uint32_t> tab_in_indentation(const text::SourceFile& file, std::uint32_t at) {
  const text::Span line = file.line(file.position(at).line);
  const std::string_view bytes = line.bytes();
  const std::size_t indentation = std::min(bytes.find_first_not_of(" \t"), bytes.size());
  const std::size_t tab = bytes.substr(0, indentation).find('\t');
  if (tab == std::string_view::npos) return std::nullopt;
  return line.begin + static_cast<std::uint32_t>(tab);
}

Failure unclosed_bracket(const text::SourceFile& file, std::uint32_t bracket, std::uint32_t at) {
  const char character = file.bytes()[bracket];
  if (at >= file.bytes().size()) {
    return {fmt::format("This '{}' is never closed.", character), bracket, bracket + 1};
  }
  return {fmt::format("The '{}' in line {} is not closed, or a ',' is missing before this.",
                      character, file.position(bracket).line),
          at, after_character(file.bytes(), at)};
}

}  // namespace

Failure explain_syntax_error(const text::SourceFile& file, std::string_view message,
                             std::uint32_t at, std::optional<std::uint32_t> open_bracket) {
  at = std::min(at, static_cast<std::uint32_t>(file.bytes().size()));
  if (const auto tab = tab_in_indentation(file, at)) {
    return {"A tab is used as indentation; YAML allows only spaces there.", *tab, *tab + 1};
  }
  if (message.starts_with(errors::INVALID_ESCAPE) && at >= 2) {
    return {
        "YAML knows no such escape; double the backslash or use single quotes if it is meant "
        "literally.",
        at - 2, at};
  }
  const bool in_flow = message == errors::END_OF_MAP_FLOW || message == errors::END_OF_SEQ_FLOW;
  if (in_flow && open_bracket) return unclosed_bracket(file, *open_bracket, at);
  std::string sentence(likely_cause(message));
  if (sentence.empty()) sentence = fmt::format("This is not valid YAML: {}.", message);
  return {std::move(sentence), at, after_character(file.bytes(), at)};
}

}  // namespace recipelint::yaml
