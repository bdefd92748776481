#include "analyzer/shell/line_ends.h"

namespace recipelint::shell {

void report_line_ends(Session& session, const World& world, const std::string& path) {
  const auto file = session.input.scripts->files().load(path);
  if (!file) return;
  const auto at = (*file)->bytes().find("\r\n");
  if (at == std::string_view::npos) return;
  const text::SourceFile& source = **file;
  const auto line = source.position(static_cast<std::uint32_t>(at)).line;
  session.report(world, DiagnosticKind::kUnmodelled, source.line(line),
                 "lines end in CRLF, and bash takes the carriage return as part of their last word",
                 kCrlfSubject);
}

}  // namespace recipelint::shell
