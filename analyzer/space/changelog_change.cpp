#include "analyzer/space/changelog_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzer/space/read_support.h"

namespace recipelint::space {
namespace {

constexpr std::string_view kEntryStart = "- config-keys:";
constexpr std::string_view kPlaceholder = "XXX";
constexpr std::string_view kPullFolder = "/pull/";

/// The lines of an entry that are not empty, without blanks at their ends: what makes two entries
/// equal.
std::string text_of(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    if (!line.empty()) text.append(line).push_back('\n');
  }
  return text;
}

std::string text_of(const ChangelogEntry& entry) {
  return text_of(entry.span().bytes());
}

/// The same without the value of pr-link.
std::string without_link(const ChangelogEntry& entry) {
  const std::string_view bytes = entry.span().bytes();
  const text::Span link = entry.pr_link.span();
  if (!link.valid()) return text_of(bytes);
  const std::size_t begin = link.begin - entry.span().begin;
  const std::size_t end = std::min<std::size_t>(begin + link.length(), bytes.size());
  return text_of(std::string(bytes.substr(0, begin)) + std::string(bytes.substr(end)));
}

std::string first_key(const ChangelogEntry& entry) {
  return entry.config_keys.empty() ? std::string() : std::string(*entry.config_keys.front());
}

text::Span head_of(const ChangelogEntry& entry) {
  const text::SourceFile& file = *entry.span().file;
  return file.line(file.position(entry.span().begin).line);
}

/// How often each text occurs among entries that are still to come.
class Remaining {
 public:
  explicit Remaining(const std::vector<ChangelogEntry>& entries) {
    for (const ChangelogEntry& entry : entries) ++counts_[text_of(entry)];
  }
  bool has(const ChangelogEntry& entry) const {
    const auto found = counts_.find(text_of(entry));
    return found != counts_.end() && found->second > 0;
  }
  void pass(const ChangelogEntry& entry) { --counts_[text_of(entry)]; }

 private:
  std::unordered_map<std::string, int> counts_;
};

/// "https://github.com/OWNER/REPO/pull/12" -> all before the number; empty for anything else.
std::string_view pull_request_base(std::string_view link) {
  const auto folder = link.rfind(kPullFolder);
  if (!link.starts_with("https://") || folder == std::string_view::npos) return {};
  const std::string_view number = link.substr(folder + kPullFolder.size());
  const bool is_number =
      !number.empty() && number.front() != '0' &&
      std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? link.substr(0, folder + kPullFolder.size()) : std::string_view();
}

/// What most pull requests of the history have in common.
std::string_view usual_base(const Changelog& changelog) {
  std::map<std::string_view, std::size_t> counts;
  for (const ChangelogEntry& entry : changelog.entries) {
    const auto base = entry.pr_link ? pull_request_base(*entry.pr_link) : std::string_view();
    if (!base.empty()) ++counts[base];
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::string_view() : most->first;
}

class Comparison {
 public:
  Comparison(const Changelog& before, const Changelog& now)
      : before_(before), now_(now), old_rest_(before.entries), new_rest_(now.entries) {}

  ChangelogChange run() {
    compare_entries();
    check_corrections();
    if (change_.problems.empty()) compare_bytes();
    for (const ChangelogEntry* entry : change_.added) check_link(*entry);
    sort_from(change_.problems, 0);
    return std::move(change_);
  }

 private:
  /// Walks through both lists at once: what is next in one and does not come any more in the other
  /// was added or is gone.
  void compare_entries() {
    std::size_t i = 0;
    std::size_t j = 0;
    const auto& old_entries = before_.entries;
    const auto& new_entries = now_.entries;
    while (i < old_entries.size() && j < new_entries.size()) {
      const ChangelogEntry& old_entry = old_entries[i];
      const ChangelogEntry& entry = new_entries[j];
      const bool is_new = !old_rest_.has(entry);
      const bool is_gone = !new_rest_.has(old_entry);
      const bool is_moved = !is_new && !is_gone && text_of(old_entry) != text_of(entry);
      if (is_moved) {
        report_moved(entry, j);
        return;
      }
      if (is_new && !is_gone) {
        report_inserted(entry);
      } else if (is_gone && !is_new) {
        report_gone(old_entry, head_of(entry));
      } else if (is_gone) {
        compare_pair(old_entry, entry);
      }
      const bool passes_old = is_gone || !is_new;
      const bool passes_new = is_new || !is_gone;
      if (passes_old) old_rest_.pass(old_entries[i++]);
      if (passes_new) new_rest_.pass(new_entries[j++]);
    }
    for (; i < old_entries.size(); ++i) report_gone(old_entries[i], end_of_file());
    for (; j < new_entries.size(); ++j) change_.added.push_back(&new_entries[j]);
  }

  /// From here on the two lists say nothing about each other any more.
  void report_moved(const ChangelogEntry& entry, std::size_t first) {
    report(head_of(entry), "Older entries of the changelog have changed places.", "moved",
           "Restore their order; the log runs from the oldest to the newest.");
    for (std::size_t j = first; j < now_.entries.size(); ++j) {
      if (!old_rest_.has(now_.entries[j])) change_.added.push_back(&now_.entries[j]);
    }
  }

  void compare_pair(const ChangelogEntry& old_entry, const ChangelogEntry& entry) {
    if (without_link(old_entry) == without_link(entry) && old_entry.pr_link && entry.pr_link) {
      corrections_.push_back(&entry);
      return;
    }
    report(head_of(entry),
           fmt::format("An older entry of the changelog, for '{}', was changed; the changelog only "
                       "grows.",
                       first_key(old_entry)),
           "changed", "Restore it, and append a new entry at the end.");
  }

  void report_inserted(const ChangelogEntry& entry) {
    change_.added.push_back(&entry);
    report(head_of(entry),
           fmt::format("This new entry, for '{}', stands before older ones.", first_key(entry)),
           "inserted", "Move it to the end of the file.");
    change_.problems.back().severity = Severity::kWarning;
  }

  void report_gone(const ChangelogEntry& old_entry, text::Span where) {
    report(
        where,
        fmt::format("An older entry of the changelog, for '{}', is gone from here; the changelog "
                    "only grows.",
                    first_key(old_entry)),
        "gone", "Restore it.");
  }

  void check_corrections() {
    const bool mixed = !corrections_.empty() && !change_.added.empty();
    for (const ChangelogEntry* entry : corrections_) {
      if (mixed) {
        report(entry->pr_link.span(),
               "A change must not correct the 'pr-link' of an older entry and add entries at once.",
               "mixed", "Correct it in a change of its own.");
      }
      check_link(*entry);
    }
  }

  /// Only what is added behind the bytes of the history, or lines with a pr-link, may differ.
  void compare_bytes() {
    const std::string_view old_bytes = before_.document->file().bytes();
    const std::string_view bytes = now_.document->file().bytes();
    if (!corrections_.empty() || old_bytes == bytes) return;
    if (!bytes.starts_with(old_bytes)) {
      const auto differ =
          std::mismatch(old_bytes.begin(), old_bytes.end(), bytes.begin(), bytes.end());
      report_bytes(static_cast<std::size_t>(differ.second - bytes.begin()),
                   "Blank space or a comment of older entries was changed here.", "history",
                   "Restore the older bytes, and append at the end.");
      return;
    }
    if (change_.added.empty()) return;
    const std::string_view expected = old_bytes.ends_with("\n\n") || old_bytes.empty() ? "" : "\n";
    check_separator(bytes, old_bytes.size(), expected);
    for (std::size_t i = 1; i < change_.added.size(); ++i) {
      const std::size_t begin = change_.added[i]->span().begin - 2;
      const std::string_view above = bytes.substr(0, begin);
      if (above.ends_with("\n\n") && !above.ends_with("\n\n\n")) continue;
      report_bytes(begin, "A new entry needs exactly one empty line before it.", "separator",
                   "Write one empty line between two entries.");
    }
  }

  void check_separator(std::string_view bytes, std::size_t end, std::string_view expected) {
    const std::string start = std::string(expected) + std::string(kEntryStart);
    if (bytes.substr(end).starts_with(start)) return;
    report_bytes(end, "The first new entry needs exactly one empty line before it.", "separator",
                 "Write one empty line between two entries.");
  }

  void check_link(const ChangelogEntry& entry) {
    const std::string_view base = usual_base(before_);
    if (!entry.pr_link || base.empty()) return;
    const std::string_view link = *entry.pr_link;
    const bool placeholder = link == kPlaceholder || link == std::string(base) + "XXX";
    if (placeholder || pull_request_base(link) == base) return;
    report(entry.pr_link.span(),
           fmt::format("'{}' is no pull request of this repository, whose links begin with '{}'.",
                       link, base),
           fmt::format("pr-link/{}", link), fmt::format("Write '{}<number>'.", base));
    change_.problems.back().severity = Severity::kWarning;
  }

  text::Span end_of_file() const {
    const text::SourceFile& file = now_.document->file();
    const auto end = static_cast<std::uint32_t>(file.bytes().size());
    return file.span(end, end);
  }

  void report_bytes(std::size_t at, std::string message, std::string identity, std::string remedy) {
    const text::SourceFile& file = now_.document->file();
    const auto begin = static_cast<std::uint32_t>(std::min(at, file.bytes().size()));
    report(file.span(begin, begin), std::move(message), std::move(identity), std::move(remedy));
    change_.problems.back().severity = Severity::kWarning;
  }

  void report(text::Span span, std::string message, std::string identity, std::string remedy) {
    Problem problem;
    problem.rule = kChangelogRule;
    problem.message = std::move(message);
    problem.span = span;
    problem.identity = fmt::format("history/{}", identity);
    problem.remedies = {std::move(remedy)};
    change_.problems.push_back(std::move(problem));
  }

  const Changelog& before_;
  const Changelog& now_;
  Remaining old_rest_;
  Remaining new_rest_;
  std::vector<const ChangelogEntry*> corrections_;
  ChangelogChange change_;
};

}  // namespace

ChangelogChange compare_changelogs(const Changelog& before, const Changelog& now) {
  return Comparison(before, now).run();
}

}  // namespace recipelint::space
