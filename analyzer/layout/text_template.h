#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"

namespace recipelint::layout {

/// A text with references to variables and fields: "${SCRIPT}_b200${SPEC_SUFFIX}.sh". The forms
/// are those that the head of inferencex_layout.yaml lists.
class TextTemplate {
 public:
  enum class PartKind {
    kLiteral,
    kVariable,     // ${NAME}
    kBeforeFirst,  // ${NAME%%C*}: what stands before the first C
    kAfterLast,    // ${NAME##*C}: what stands after the last C
    kDefault,      // ${NAME:-text}: the text if NAME is unset or empty
    kRowField,     // ${row:field}
    kRowJson,      // ${json:field}
    kRowWords,     // ${words:field}
    kRowJoined,    // ${joined:field}: the list joined by "x"
    kMode,         // ${mode:eval}
    kHost,         // ${host:cause}
    kProduct,      // ${product:A,B}
    kIndices,      // ${indices:N}: 0,1,..,N-1
  };

  struct Part {
    PartKind kind = PartKind::kLiteral;
    /// The literal, the name of the variable or field, or the cause.
    std::string text;
    char separator = '\0';                         // kBeforeFirst, kAfterLast
    std::vector<std::string> names;                // kProduct
    std::shared_ptr<const TextTemplate> fallback;  // kDefault
  };

  TextTemplate() = default;
  /// Fails with the reason on a reference that is none of the forms.
  static text::Result<TextTemplate> parse(std::string_view text);
  /// A template without references.
  static TextTemplate literal(std::string text);

  const std::vector<Part>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }

 private:
  std::vector<Part> parts_;
};

}  // namespace recipelint::layout
