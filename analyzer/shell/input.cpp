#include "analyzer/shell/input.h"

#include <algorithm>

namespace recipelint::shell {

Input::Input(std::string_view text, const text::SourceFile& file, std::uint32_t offset)
    : text_(text), file_(&file), runs_{{0, offset}} {}

Input::Input(std::string_view text, text::Span blame) : text_(text), blame_(blame) {}

std::uint32_t Input::source_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(runs_.begin() + 1, runs_.end(), offset,
                                      [](std::uint32_t at, const Run& run) { return at < run.at; });
  const Run& run = *(after - 1);
  return run.source + (offset - run.at);
}

text::Span Input::span(std::uint32_t begin, std::uint32_t end) const {
  if (file_ == nullptr) return blame_;
  if (begin >= end) return {file_, source_of(begin), source_of(begin)};
  // The end of a range belongs to its last byte, not to the byte after it.
  return {file_, source_of(begin), source_of(end - 1) + 1};
}

void DerivedText::keep(std::uint32_t begin, std::uint32_t end) {
  if (begin >= end) return;
  const auto at = static_cast<std::uint32_t>(text_.size());
  text_.append(original_.text_, begin, end - begin);
  if (original_.file_ == nullptr) return;
  runs_.push_back({at, original_.source_of(begin)});
  const auto& runs = original_.runs_;
  auto run = std::upper_bound(
      runs.begin(), runs.end(), begin,
      [](std::uint32_t offset, const Input::Run& candidate) { return offset < candidate.at; });
  for (; run != runs.end() && run->at < end; ++run) {
    runs_.push_back({at + (run->at - begin), run->source});
  }
}

Input DerivedText::input() const {
  Input result;
  result.text_ = text_;
  result.file_ = original_.file_;
  result.blame_ = original_.blame_;
  result.runs_ = runs_;
  if (result.runs_.empty())
    result.runs_.push_back({0, original_.runs_.empty() ? 0 : original_.source_of(0)});
  return result;
}

}  // namespace recipelint::shell
