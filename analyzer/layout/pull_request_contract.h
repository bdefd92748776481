#pragma once

#include <string>
#include <vector>

namespace recipelint::layout {

/// What a repository demands of the title and the body of a pull request. Empty members demand
/// nothing.
struct PullRequestContract {
  /// The file of the repository that demands it, and words of it that do; a tree without them
  /// demands nothing.
  std::string stated_in;
  std::string marker;

  /// The form of the title: text stands for itself, {english} for text with a Latin letter and
  /// without Chinese characters, {chinese} for text with a Chinese character, {any} for any text.
  std::string title;
  /// Words that a heading of the body must have.
  std::vector<std::string> headings;
  /// The one of them whose section says in Chinese what stands above it.
  std::string chinese_heading;
  /// Texts that the body must have.
  std::vector<std::string> phrases;
  /// Whoever signs off writes this phrase, in exactly these words; the beginnings of lines by which
  /// a body shows that it is meant to be a sign-off.
  std::string signoff_phrase;
  std::vector<std::string> signoff_lines;

  bool empty() const {
    return title.empty() && headings.empty() && chinese_heading.empty() && phrases.empty() &&
           signoff_phrase.empty();
  }
};

}  // namespace recipelint::layout
