#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analyzer/findings/finding.h"

namespace recipelint::rules {

/// One finding for each place, however many cells it concerns: that of the highest level and, among
/// equals, of the largest measure, with all cells of that level.
class WorstFindings {
 public:
  /// `finding.cells` is not used; `measure` says how bad it is.
  void add(findings::Finding finding, std::int64_t measure, std::string cell);
  /// The same with remedies that are only worked out for a finding that is reported; what
  /// `remedies` refers to must live until then.
  using Remedies = std::function<std::vector<std::string>()>;
  void add(findings::Finding finding, std::int64_t measure, std::string cell, Remedies remedies);
  /// Reports them, in the order of places.
  void report(findings::FindingSink& sink);

 private:
  struct Place {
    text::Span span;
    std::string identity;

    bool operator<(const Place& other) const;
  };
  struct Worst {
    findings::Finding finding;
    std::int64_t measure = 0;
    Remedies remedies;
  };

  std::map<Place, Worst> findings_;
};

}  // namespace recipelint::rules
