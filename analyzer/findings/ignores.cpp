#include "analyzer/findings/ignores.h"

#include <algorithm>
#include <utility>

namespace recipelint::findings {
namespace {

constexpr std::string_view kMarker = "recipelint:";
constexpr std::string_view kIgnoreLine = "ignore[";
constexpr std::string_view kIgnoreFile = "ignore-file[";
constexpr std::string_view kBlanks = " \t\r";
constexpr std::uint32_t kLastLineOfFileIgnores = 20;
// Bounds for files that nobody wrote by hand: rules named in one file, comments above one line, and
// lines of one command.
constexpr std::size_t kMostIgnores = 1000;
constexpr std::uint32_t kMostStacked = 20;
constexpr std::uint32_t kMostCommandLines = 1000;

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// The lines of a file from its first to its last, as far as comments matter.
class Lines {
 public:
  explicit Lines(const text::SourceFile& file) : file_(file) {}

  std::uint32_t count() const { return file_.line_count(); }
  std::string_view at(std::uint32_t number) const { return file_.line(number).bytes(); }
  bool continues(std::uint32_t number) const {
    const std::string_view line = at(number);
    const auto last_other = line.find_last_not_of('\\');
    const std::size_t text_size = last_other == std::string_view::npos ? 0 : last_other + 1;
    return (line.size() - text_size) % 2 == 1;
  }
  /// The line where the command of a line begins, and the one where it ends.
  std::uint32_t command_begin(std::uint32_t number) const {
    const std::uint32_t first = number > kMostCommandLines ? number - kMostCommandLines : 1;
    while (number > first && continues(number - 1)) --number;
    return number;
  }
  std::uint32_t command_end(std::uint32_t number) const {
    const std::uint32_t last = std::min(count(), number + kMostCommandLines);
    while (number < last && continues(number)) ++number;
    return number;
  }

 private:
  const text::SourceFile& file_;
};

/// A comment of this program in one line.
struct Comment {
  std::size_t begin = 0;  // of its '#' in the line
  bool alone = false;
  bool whole_file = false;
  std::size_t list_begin = 0;  // of what is in the brackets
  std::size_t list_end = 0;
  std::string reason;
};

/// What stands behind a '#', if it is an ignore.
std::optional<Comment> comment_at(std::string_view line, std::size_t hash) {
  std::size_t at = line.find_first_not_of(kBlanks, hash + 1);
  if (at == std::string_view::npos || !line.substr(at).starts_with(kMarker)) return std::nullopt;
  at = line.find_first_not_of(kBlanks, at + kMarker.size());
  if (at == std::string_view::npos) return std::nullopt;
  Comment comment;
  comment.begin = hash;
  comment.whole_file = line.substr(at).starts_with(kIgnoreFile);
  if (!comment.whole_file && !line.substr(at).starts_with(kIgnoreLine)) return std::nullopt;
  comment.list_begin = at + (comment.whole_file ? kIgnoreFile : kIgnoreLine).size();
  comment.list_end = line.find(']', comment.list_begin);
  if (comment.list_end == std::string_view::npos) return std::nullopt;
  comment.reason = trimmed(line.substr(comment.list_end + 1));
  comment.alone = trimmed(line.substr(0, hash)).empty();
  return comment;
}

std::optional<Comment> find_comment(std::string_view line) {
  const auto last_bracket = line.rfind(']');
  if (last_bracket == std::string_view::npos) return std::nullopt;
  const std::string_view looked_at = line.substr(0, last_bracket);
  for (auto hash = looked_at.find('#'); hash != std::string_view::npos;
       hash = looked_at.find('#', hash + 1)) {
    const bool begins_comment = hash == 0 || kBlanks.find(line[hash - 1]) != std::string_view::npos;
    if (!begins_comment) continue;
    if (auto comment = comment_at(line, hash)) return comment;
  }
  return std::nullopt;
}

class Reader {
 public:
  explicit Reader(const text::SourceFile& file) : file_(file), lines_(file) {}

  std::vector<Ignore> read() {
    // Nearly no file has one.
    if (file_.bytes().find(kMarker) == std::string_view::npos) return {};
    for (std::uint32_t number = 1; number <= lines_.count() && ignores_.size() < kMostIgnores;
         ++number) {
      if (const auto comment = find_comment(lines_.at(number))) add(number, *comment);
    }
    return std::move(ignores_);
  }

 private:
  void add(std::uint32_t number, const Comment& comment) {
    if (comment.whole_file && number > kLastLineOfFileIgnores) return;
    Ignore ignore;
    const text::Span line = file_.line(number);
    ignore.comment = {&file_, line.begin + static_cast<std::uint32_t>(comment.begin), line.end};
    ignore.reason = comment.reason;
    set_lines(ignore, number, comment);
    std::size_t begin = comment.list_begin;
    while (begin <= comment.list_end) {
      const std::size_t end = std::min(lines_.at(number).find(',', begin), comment.list_end);
      add_rule(ignore, line, begin, end);
      begin = end + 1;
    }
  }

  void set_lines(Ignore& ignore, std::uint32_t number, const Comment& comment) const {
    if (comment.whole_file) {
      ignore.last_line = lines_.count();
      return;
    }
    std::uint32_t target = number;
    if (comment.alone) {
      const std::uint32_t last = std::min(lines_.count(), number + kMostStacked);
      while (target < last && is_alone(target)) ++target;
    }
    ignore.first_line = lines_.command_begin(target);
    ignore.last_line = lines_.command_end(target);
  }

  bool is_alone(std::uint32_t number) const {
    const auto comment = find_comment(lines_.at(number));
    return comment && comment->alone;
  }

  void add_rule(Ignore ignore, text::Span line, std::size_t begin, std::size_t end) {
    const std::string_view name = trimmed(line.bytes().substr(begin, end - begin));
    if (name.empty()) return;
    const auto at = static_cast<std::uint32_t>(name.data() - file_.bytes().data());
    ignore.rule = name;
    ignore.span = {&file_, at, at + static_cast<std::uint32_t>(name.size())};
    ignores_.push_back(std::move(ignore));
  }

  const text::SourceFile& file_;
  Lines lines_;
  std::vector<Ignore> ignores_;
};

}  // namespace

std::vector<Ignore> read_ignores(const text::SourceFile& file) {
  return Reader(file).read();
}

void IgnoreList::add(const text::SourceFile& file) {
  for (Ignore& ignore : read_ignores(file)) {
    std::string id = id_of_(ignore.rule);
    entries_.push_back({std::move(ignore), std::move(id)});
  }
}

const Ignore* IgnoreList::suppressing(const Finding& finding) {
  if (!finding.primary.valid()) return nullptr;
  const text::SourceFile* file = finding.primary.file;
  const Ignore* first = nullptr;
  for (Entry& entry : entries_) {
    if (entry.id != finding.rule || entry.ignore.comment.file != file) continue;
    const std::uint32_t line = file->position(finding.primary.begin).line;
    if (line < entry.ignore.first_line || line > entry.ignore.last_line) continue;
    entry.used = true;
    if (first == nullptr) first = &entry.ignore;
  }
  return first;
}

}  // namespace recipelint::findings
