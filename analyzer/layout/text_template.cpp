#include "analyzer/layout/text_template.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace recipelint::layout {
namespace {

using Part = TextTemplate::Part;
using PartKind = TextTemplate::PartKind;

struct Function {
  std::string_view name;
  PartKind kind;
};

constexpr std::array kFunctions = {
    Function{"row", PartKind::kRowField},    Function{"json", PartKind::kRowJson},
    Function{"words", PartKind::kRowWords},  Function{"joined", PartKind::kRowJoined},
    Function{"mode", PartKind::kMode},       Function{"host", PartKind::kHost},
    Function{"product", PartKind::kProduct}, Function{"indices", PartKind::kIndices},
};

bool is_name_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_byte);
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

text::Error bad_reference(std::string_view reference) {
  return {"'${" + std::string(reference) + "}' is not a reference that templates know", {}};
}

text::Result<Part> parse_function(std::string_view reference, std::size_t colon) {
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) {
    return f.name == reference.substr(0, colon);
  });
  const std::string_view operand = reference.substr(colon + 1);
  if (found == kFunctions.end() || operand.empty()) return bad_reference(reference);
  Part part;
  part.kind = found->kind;
  part.text = operand;
  if (part.kind == PartKind::kMode && operand != "eval") return bad_reference(reference);
  if (part.kind == PartKind::kIndices && !is_name(operand)) return bad_reference(reference);
  if (part.kind == PartKind::kProduct) {
    part.names = split_names(operand);
    if (!std::all_of(part.names.begin(), part.names.end(), is_name)) {
      return bad_reference(reference);
    }
  }
  return part;
}

/// `reference` is what stands between "${" and "}".
text::Result<Part> parse_reference(std::string_view reference) {
  const auto end_of_name = std::find_if_not(reference.begin(), reference.end(), is_name_byte);
  const auto length = static_cast<std::size_t>(end_of_name - reference.begin());
  const std::string_view operation = reference.substr(length);
  if (length == 0) return bad_reference(reference);
  if (operation.substr(0, 1) == ":" && operation.substr(0, 2) != ":-") {
    return parse_function(reference, length);
  }
  Part part;
  part.text = reference.substr(0, length);
  part.kind = PartKind::kVariable;
  if (operation.empty()) return part;
  if (operation.size() == 4 && operation.substr(0, 2) == "%%" && operation[3] == '*') {
    part.kind = PartKind::kBeforeFirst;
    part.separator = operation[2];
    return part;
  }
  if (operation.size() == 4 && operation.substr(0, 3) == "##*") {
    part.kind = PartKind::kAfterLast;
    part.separator = operation[3];
    return part;
  }
  if (operation.substr(0, 2) != ":-") return bad_reference(reference);
  text::Result<TextTemplate> fallback = TextTemplate::parse(operation.substr(2));
  if (!fallback) return fallback.error();
  part.kind = PartKind::kDefault;
  part.fallback = std::make_shared<const TextTemplate>(std::move(fallback).value());
  return part;
}

/// The index of the '}' that closes the "${" before `begin`, or npos.
std::size_t closing_brace(std::string_view text, std::size_t begin) {
  int depth = 1;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text.substr(i, 2) == "${") ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

text::Result<TextTemplate> TextTemplate::parse(std::string_view text) {
  TextTemplate result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = text.find("${", at);
    if (begin != at) {
      const std::string_view literal = text.substr(at, begin - at);
      result.parts_.push_back({PartKind::kLiteral, std::string(literal), '\0', {}, nullptr});
    }
    if (begin == std::string_view::npos) break;
    const std::size_t end = closing_brace(text, begin + 2);
    if (end == std::string_view::npos) return text::Error{"'${' without '}'", {}};
    text::Result<Part> part = parse_reference(text.substr(begin + 2, end - begin - 2));
    if (!part) return part.error();
    result.parts_.push_back(std::move(part).value());
    at = end + 1;
  }
  return result;
}

TextTemplate TextTemplate::literal(std::string text) {
  TextTemplate result;
  if (!text.empty()) {
    result.parts_.push_back({PartKind::kLiteral, std::move(text), '\0', {}, nullptr});
  }
  return result;
}

}  // namespace recipelint::layout
