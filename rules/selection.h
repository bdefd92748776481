#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// The group of a rule in one word ("images"), from the first digit of its id.
std::string_view group_of(const Rule& rule);

/// Which rules report. Words are ids ("RL3001"), names ("mutable-image-tag") or groups ("images",
/// "3xxx"), in any case.
class Selection {
 public:
  /// All rules, or only those of `select` if it has words, less those of `ignore`. Fails on a word
  /// that means nothing, with the nearest one that does.
  static text::Result<Selection> make(const std::vector<std::string>& select,
                                      const std::vector<std::string>& ignore);

  bool contains(std::string_view rule_id) const;
  /// Ordered by id.
  const std::vector<const Rule*>& rules() const { return rules_; }

 private:
  std::vector<const Rule*> rules_;
};

}  // namespace recipelint::rules
