#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/yaml/document.h"

namespace recipelint::yaml {

/// A document and the file it was read from.
class Parsed {
 public:
  explicit Parsed(std::string bytes, const Limits& limits = {})
      : file_("recipe.yaml", std::move(bytes)), result_(Document::parse(file_, limits)) {}

  bool ok() const { return result_.ok(); }
  const Document& document() const { return *result_.value(); }
  Node root() const { return document().root(); }
  const text::SourceFile& file() const { return file_; }
  /// "line:column: message".
  std::string error() const {
    if (result_.ok()) return "no error";
    const text::Position at = file_.position(result_.error().where.begin);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
           result_.error().message;
  }
  /// The bytes that the error is about.
  std::string_view blamed() const { return result_.error().where.bytes(); }

 private:
  text::SourceFile file_;
  text::Result<std::shared_ptr<const Document>> result_;
};

inline std::string describe(const Scalar& scalar) {
  struct Visitor {
    std::string operator()(Null) const { return "null"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(const BigInteger& value) const { return value.digits; }
    std::string operator()(double value) const { return "float " + std::to_string(value); }
    std::string operator()(const Timestamp& value) const { return "date " + value.text; }
    std::string operator()(const std::string& value) const { return "'" + value + "'"; }
  };
  return std::visit(Visitor(), scalar);
}

/// A node in the manner of Python: {'a': [1, null], true: 'x'}.
inline std::string describe(Node node) {
  std::string text;
  if (node.is_sequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) {
      text += (i == 0 ? "" : ", ") + describe(node.item(i));
    }
    return "[" + text + "]";
  }
  if (!node.is_mapping()) return describe(node.scalar());
  for (const Node::Entry& entry : node.entries()) {
    text += (text.empty() ? "" : ", ") + describe(entry.key) + ": " + describe(entry.value);
  }
  return "{" + text + "}";
}

/// The value of a document, or its error.
inline std::string load(const std::string& bytes) {
  const Parsed parsed(bytes);
  return parsed.ok() ? describe(parsed.root()) : parsed.error();
}

}  // namespace recipelint::yaml
