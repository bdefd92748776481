#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/text/source_file.h"
#include "rules/contract/contract.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::PullRequestContract;
using text::SourceFile;
using text::Span;

constexpr std::string_view kId = "RL9006";

// --- Languages ---

/// The code point at the front of a text in UTF-8, and the bytes that it takes; those of bytes that
/// are none do not matter here.
std::pair<std::uint32_t, std::size_t> code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC0 || length > text.size()) return {first, 1};
  std::uint32_t value = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = (value << 6u) | (byte(i) & 0x3Fu);
  return {value, length};
}

/// Whether it is a Chinese character: the blocks of unified ideographs.
bool is_chinese(std::uint32_t point) {
  return (point >= 0x3400 && point <= 0x4DBF) || (point >= 0x4E00 && point <= 0x9FFF) ||
         (point >= 0xF900 && point <= 0xFAFF) || (point >= 0x20000 && point <= 0x3134F);
}

bool has_chinese(std::string_view text) {
  while (!text.empty()) {
    const auto [point, length] = code_point(text);
    if (is_chinese(point)) return true;
    text.remove_prefix(length);
  }
  return false;
}

bool has_latin_letter(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  });
}

// --- Title ---

/// A part of the form of a title: a text, or a field.
struct FormPart {
  enum class Kind { kText, kEnglish, kChinese, kAny };
  Kind kind = Kind::kText;
  std::string_view text;
};

constexpr std::array<std::pair<std::string_view, FormPart::Kind>, 3> kFields = {{
    {"{english}", FormPart::Kind::kEnglish},
    {"{chinese}", FormPart::Kind::kChinese},
    {"{any}", FormPart::Kind::kAny},
}};

std::vector<FormPart> parts_of(std::string_view form) {
  std::vector<FormPart> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < form.size();) {
    const auto field = std::find_if(kFields.begin(), kFields.end(), [&](const auto& candidate) {
      return form.substr(i).starts_with(candidate.first);
    });
    if (field == kFields.end()) {
      ++i;
      continue;
    }
    if (i > begin) parts.push_back({FormPart::Kind::kText, form.substr(begin, i - begin)});
    parts.push_back({field->second, {}});
    i += field->first.size();
    begin = i;
  }
  if (begin < form.size()) parts.push_back({FormPart::Kind::kText, form.substr(begin)});
  return parts;
}

bool fits_field(FormPart::Kind kind, std::string_view text) {
  switch (kind) {
    case FormPart::Kind::kEnglish:
      return has_latin_letter(text) && !has_chinese(text);
    case FormPart::Kind::kChinese:
      return has_chinese(text);
    default:
      return !text.empty();
  }
}

/// By the places of the title that the parts so far can reach: work that grows with the square of
/// the length of the title at most, and titles are short.
bool fits_form(std::string_view title, const std::vector<FormPart>& parts) {
  constexpr std::size_t kLongestTitle = 300;
  title = title.substr(0, kLongestTitle);
  std::set<std::size_t> reached = {0};
  for (const FormPart& part : parts) {
    std::set<std::size_t> next;
    for (const std::size_t at : reached) {
      if (part.kind == FormPart::Kind::kText) {
        if (title.substr(at).starts_with(part.text)) next.insert(at + part.text.size());
        continue;
      }
      for (std::size_t end = at + 1; end <= title.size(); ++end) {
        if (!next.contains(end) && fits_field(part.kind, title.substr(at, end - at))) {
          next.insert(end);
        }
      }
    }
    reached = std::move(next);
  }
  return reached.contains(title.size());
}

std::string form_in_words(std::string_view form) {
  std::string text(form);
  for (const auto& [field, word] :
       std::array<std::pair<std::string_view, std::string_view>, 3>{
           {{"{english}", "<English>"}, {"{chinese}", "<中文>"}, {"{any}", "<text>"}}}) {
    for (auto at = text.find(field); at != std::string::npos; at = text.find(field)) {
      text.replace(at, field.size(), word);
    }
  }
  return text;
}

// --- Body ---

struct Line {
  std::string_view text;  // without its end
  std::uint32_t begin = 0;
};

std::vector<Line> lines_of(std::string_view bytes) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    std::string_view text = bytes.substr(begin, end - begin);
    if (text.ends_with('\r')) text.remove_suffix(1);
    lines.push_back({text, static_cast<std::uint32_t>(begin)});
    begin = end + 1;
  }
  return lines;
}

/// 1 to 6 for a heading, 0 for any other line.
std::size_t heading_level(std::string_view line) {
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level >= 1 && level <= 6 && level < line.size() && line[level] == ' ' ? level : 0;
}

bool is_fence(std::string_view line) {
  return line.starts_with("```") || line.starts_with("~~~");
}

/// A heading with everything up to the next one that is not below it.
struct Section {
  Line heading;
  std::string content;
};

/// The sections of which the heading has these words; code is no heading.
std::vector<Section> sections_with(const std::vector<Line>& lines, std::string_view words) {
  std::vector<Section> sections;
  bool in_code = false;
  std::size_t open_level = 0;
  for (const Line& line : lines) {
    if (is_fence(line.text)) in_code = !in_code;
    const std::size_t level = in_code ? 0 : heading_level(line.text);
    if (level > 0 && open_level > 0 && level <= open_level) open_level = 0;
    if (open_level > 0) {
      sections.back().content += line.text;
      sections.back().content += '\n';
    } else if (level > 0 && line.text.find(words) != std::string_view::npos) {
      sections.push_back({line, {}});
      open_level = level;
    }
  }
  return sections;
}

std::string without_comments(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto open = text.find("<!--");
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = text.find("-->", open);
    if (close == std::string_view::npos) break;
    text.remove_prefix(close + 3);
  }
  return result;
}

Finding finding_at(const Span& place, std::string_view identity) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kWarning;
  finding.primary = place;
  finding.identity = identity;
  return finding;
}

/// What states the demand, for the end of a message.
std::string stated_in(const PullRequestContract& contract) {
  return contract.stated_in.empty() ? "the configuration" : fmt::format("'{}'", contract.stated_in);
}

void check_title(const SourceFile& title, const PullRequestContract& contract,
                 findings::FindingSink& sink) {
  if (contract.title.empty() || fits_form(title.bytes(), parts_of(contract.title))) return;
  const std::string form = form_in_words(contract.title);
  Finding finding = finding_at(title.whole(), "title");
  finding.message = fmt::format(
      "The title of the pull request is not of the form '{}', which {} demands.", form,
      stated_in(contract));
  finding.remedies = {fmt::format("Write it as '{}'.", form)};
  sink.report(std::move(finding));
}

class Body {
 public:
  Body(const SourceFile& file, const PullRequestContract& contract, findings::FindingSink& sink)
      : file_(file), contract_(contract), sink_(sink), lines_(lines_of(file.bytes())) {}

  void check() {
    const Line* signoff = signoff_line();
    if (signoff != nullptr) return check_signoff(*signoff);
    for (const std::string& heading : contract_.headings) check_heading(heading);
    for (const std::string& phrase : contract_.phrases) check_phrase(phrase);
    if (!contract_.chinese_heading.empty()) check_chinese();
  }

 private:
  Span span_of(const Line& line) const {
    return {&file_, line.begin, line.begin + static_cast<std::uint32_t>(line.text.size())};
  }
  /// What is missing has no place: the first line stands for the text.
  Span start() const { return lines_.empty() ? file_.whole() : span_of(lines_.front()); }

  /// The first line that only a sign-off has; null if there is none. A sign-off is copied as it is
  /// and has no translation.
  const Line* signoff_line() const {
    if (contract_.signoff_phrase.empty()) return nullptr;
    const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) {
      return std::any_of(contract_.signoff_lines.begin(), contract_.signoff_lines.end(),
                         [&](const std::string& beginning) {
                           return line.text.starts_with(beginning);
                         });
    });
    return found == lines_.end() ? nullptr : &*found;
  }

  void check_signoff(const Line& line) {
    if (file_.bytes().find(contract_.signoff_phrase) != std::string_view::npos) return;
    Finding finding = finding_at(span_of(line), "sign-off");
    finding.message = fmt::format(
        "The sign-off does not have the phrase '{}' in these words, so nothing checks it.",
        contract_.signoff_phrase);
    finding.remedies = {fmt::format("Begin it with '{}:'.", contract_.signoff_phrase)};
    sink_.report(std::move(finding));
  }

  void check_heading(const std::string& heading) {
    if (!sections_with(lines_, heading).empty()) return;
    Finding finding = finding_at(start(), heading);
    finding.message =
        fmt::format("The description of the pull request has no section '{}', which {} demands.",
                    heading, stated_in(contract_));
    finding.remedies = {fmt::format("Add '## {}'.", heading)};
    sink_.report(std::move(finding));
  }

  void check_phrase(const std::string& phrase) {
    if (file_.bytes().find(phrase) != std::string_view::npos) return;
    Finding finding = finding_at(start(), phrase);
    finding.message =
        fmt::format("The description of the pull request does not say '{}', which {} demands.",
                    phrase, stated_in(contract_));
    finding.remedies = {"Add it, in these words."};
    sink_.report(std::move(finding));
  }

  void check_chinese() {
    const auto sections = sections_with(lines_, contract_.chinese_heading);
    if (sections.empty()) {
      Finding finding = finding_at(start(), "chinese");
      finding.message = fmt::format(
          "The description of the pull request has no Chinese section that mirrors the English "
          "text, which {} demands.",
          stated_in(contract_));
      finding.remedies = {fmt::format(
          "Add '## {}说明' with the same content in Chinese.", contract_.chinese_heading)};
      sink_.report(std::move(finding));
      return;
    }
    std::string chinese;
    for (const Section& section : sections) chinese += section.content;
    if (!has_chinese(without_comments(chinese))) {
      Finding finding = finding_at(span_of(sections.front().heading), "chinese");
      finding.message = "The Chinese section of the description has no Chinese text.";
      finding.remedies = {"Say there in Chinese what the English text says."};
      sink_.report(std::move(finding));
      return;
    }
    check_links(sections.front(), chinese);
  }

  /// Evidence that only the English text links.
  void check_links(const Section& section, const std::string& chinese) {
    const std::string all = without_comments(file_.bytes());
    std::vector<std::string> missing;
    for (const std::string& link : links_of(all)) {
      const bool is_mirrored = chinese.find(link) != std::string::npos;
      const bool is_listed = std::find(missing.begin(), missing.end(), link) != missing.end();
      if (!is_mirrored && !is_listed) missing.push_back(link);
    }
    if (missing.empty()) return;
    Finding finding = finding_at(span_of(section.heading), "links");
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "The Chinese section lacks {} of the English text: '{}'{}.",
        missing.size() == 1 ? "a link" : fmt::format("{} links", missing.size()), missing.front(),
        missing.size() == 1 ? "" : " and others");
    finding.remedies = {"Keep the evidence in both languages."};
    sink_.report(std::move(finding));
  }

  static std::vector<std::string> links_of(std::string_view text) {
    std::vector<std::string> links;
    for (auto at = text.find("https://"); at != std::string_view::npos;) {
      const auto end = std::min(text.find_first_of(" \t\r\n)>]\"'`|", at), text.size());
      std::string_view link = text.substr(at, end - at);
      while (!link.empty() && std::string_view(".,;:").find(link.back()) != std::string_view::npos) {
        link.remove_suffix(1);
      }
      links.emplace_back(link);
      at = text.find("https://", end);
    }
    return links;
  }

  const SourceFile& file_;
  const PullRequestContract& contract_;
  findings::FindingSink& sink_;
  std::vector<Line> lines_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  const RuleOptions& options = context.options;
  const PullRequestContract& contract = options.pull_request_contract;
  if (contract.empty()) return;
  if (options.pull_request_title != nullptr) {
    check_title(*options.pull_request_title, contract, sink);
  }
  if (options.pull_request_body != nullptr) {
    Body(*options.pull_request_body, contract, sink).check();
  }
}

}  // namespace

Rule pull_request_text() {
  return {kId,
          "pull-request-text",
          Level::kWarning,
          Precision::kHigh,
          "The title or the description of the pull request is not what the repository demands.",
          embedded_pages("pull_request_text.md"),
          run};
}

}  // namespace recipelint::rules
