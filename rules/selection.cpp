#include "rules/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "analyzer/facts/ascii.h"
#include "analyzer/space/nearest_name.h"

namespace recipelint::rules {
namespace {

constexpr std::array<std::string_view, 10> kGroups = {
    "",           "reading", "capacity", "images",     "labels",
    "references", "shell",   "contract", "vocabulary", "search-space",
};

constexpr std::array<std::string_view, 10> kGroupDigits = {
    "0xxx", "1xxx", "2xxx", "3xxx", "4xxx", "5xxx", "6xxx", "7xxx", "8xxx", "9xxx",
};

std::size_t group_index(const Rule& rule) {
  return static_cast<std::size_t>(rule.id[2] - '0');
}

std::vector<std::string_view> all_words() {
  std::vector<std::string_view> words;
  for (const Rule& rule : catalog()) {
    words.insert(words.end(),
                 {rule.id, rule.name, group_of(rule), kGroupDigits[group_index(rule)]});
  }
  return words;
}

bool means(std::string_view word, const Rule& rule) {
  return same_word(word, rule.id) || same_word(word, rule.name) ||
         same_word(word, group_of(rule)) || same_word(word, kGroupDigits[group_index(rule)]);
}

std::string lowered(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(), facts::to_lower);
  return out;
}

/// The nearest of `known` in any case; empty if none is near.
std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  std::vector<std::string> words;
  for (const std::string_view name : known) words.push_back(lowered(name));
  const std::vector<std::string_view> views(words.begin(), words.end());
  const std::string wanted = lowered(word);
  const std::string_view nearest = space::nearest_name(wanted, views);
  if (nearest.empty()) return {};
  return known[static_cast<std::size_t>(std::find(views.begin(), views.end(), nearest) -
                                        views.begin())];
}

std::optional<text::Error> first_unknown(const std::vector<std::string>& words) {
  const auto known = all_words();
  for (const std::string& word : words) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](std::string_view name) { return same_word(word, name); });
    if (is_known) continue;
    const std::string_view nearest = nearest_word(word, known);
    const std::string hint = nearest.empty() ? std::string("; see: recipelint rules")
                                             : fmt::format("; did you mean '{}'?", nearest);
    return text::Error{fmt::format("no rule or group is called '{}'{}", word, hint), {}};
  }
  return std::nullopt;
}

}  // namespace

std::string_view group_of(const Rule& rule) {
  return kGroups[group_index(rule)];
}

text::Result<Selection> Selection::make(const std::vector<std::string>& select,
                                        const std::vector<std::string>& ignore) {
  for (const auto* words : {&select, &ignore}) {
    if (auto error = first_unknown(*words)) return *error;
  }
  const auto any_means = [](const std::vector<std::string>& words, const Rule& rule) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return means(word, rule); });
  };
  Selection selection;
  for (const Rule& rule : catalog()) {
    const bool wanted = select.empty() || any_means(select, rule);
    if (wanted && !any_means(ignore, rule)) selection.rules_.push_back(&rule);
  }
  return selection;
}

bool Selection::contains(std::string_view rule_id) const {
  return std::any_of(rules_.begin(), rules_.end(),
                     [&](const Rule* rule) { return rule->id == rule_id; });
}

}  // namespace recipelint::rules
