#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/report.h"
#include "analyzer/text/source_file.h"

namespace recipelint::testing {

/// The `occurrence`-th place (from 1) of `needle` in a file; a test fails if there is none.
text::Span find_span(const text::SourceFile& file, std::string_view needle, int occurrence = 1);

/// A report with everything that a format has to cope with: several files, a byte order mark, CRLF,
/// tabs, wide and malformed characters, very long lines, terminal escapes, Markdown, HTML, workflow
/// commands, places in other files, steps, fixes, findings without a place.
class SampleReport {
 public:
  SampleReport();
  const report::Report& report() const { return report_; }

 private:
  const text::SourceFile& add_file(std::string path, std::string bytes);
  void add_findings();
  void add_rules();

  std::vector<std::unique_ptr<text::SourceFile>> files_;
  report::Report report_;
};

/// A run in which nothing was found.
report::Report clean_report();

}  // namespace recipelint::testing
