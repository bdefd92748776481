#include "analyzer/findings/finding.h"

namespace recipelint::findings {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kNote:
      return "note";
    case Level::kWarning:
      return "warning";
    case Level::kError:
      return "error";
  }
  return "";
}

}  // namespace recipelint::findings
