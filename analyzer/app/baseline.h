#pragma once

#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/findings/finding.h"
#include "analyzer/text/result.h"

namespace recipelint::app {

/// Findings that are known and not reported again, by their fingerprints. The file is a JSON
/// object: {"schema":"recipelint-baseline/1","findings":{FINGERPRINT:"RULE PATH", ...}}.
class Baseline {
 public:
  /// Fails, with a message that names `path`, on anything else than such a file.
  static text::Result<Baseline> parse(std::string_view bytes, std::string_view path);
  /// Those of a run.
  static Baseline of(std::span<const findings::Finding> findings);

  bool contains(const findings::Finding& finding) const {
    return known_.contains(finding.fingerprint);
  }
  std::size_t size() const { return known_.size(); }
  /// What is in both: a baseline only loses findings.
  Baseline tightened_to(const Baseline& found) const;
  /// One finding a line, sorted, so that a change of the file shows what came and went.
  void write(std::ostream& out) const;

 private:
  std::map<std::string, std::string, std::less<>> known_;  // "RULE PATH" by fingerprint
};

}  // namespace recipelint::app
