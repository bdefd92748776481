#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/text/span.h"

namespace recipelint::launch {

/// A document that a launch gives to its program and that the program cannot read.
struct InvalidDocument {
  enum class Kind { kArgument, kFile };
  Kind kind = Kind::kArgument;
  /// The option as written ("--speculative-config"), or the path of the file.
  std::string name;
  std::string_view language;  // "JSON" or "YAML"
  /// What is wrong with it, with the position in the document.
  std::string problem;
  /// Where that part of the text comes from; may be invalid.
  text::Span span;
  /// It begins with a quote that a shell would have removed if it stood in the command itself.
  bool keeps_quotes = false;
};

/// Looks at options of the engine that take JSON, and at files in JSON or YAML that the recipe
/// wrote. Documents of which a part is not known are left out.
std::vector<InvalidDocument> invalid_documents(const Launch& launch);

}  // namespace recipelint::launch
