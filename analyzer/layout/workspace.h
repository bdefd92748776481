#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/text/span.h"

namespace recipelint::layout {

/// A place where a container image is named.
struct ImageUse {
  enum class Kind { kEntry, kSetting, kRecipeContainer };
  Kind kind = Kind::kEntry;
  /// The reference as written, without YAML quotes.
  std::string reference;
  /// The reference itself: without quotes, and without "PREFILL_IMAGE=" for a setting.
  text::Span span;
  /// For kSetting the name of the variable.
  std::string setting;
  /// Keys of the search-space entries that use it, sorted.
  std::vector<std::string> keys;
};

/// What was found below a root: the model that rules look at.
class Workspace {
 public:
  Workspace() = default;
  /// A workspace of which only the images are known.
  explicit Workspace(std::vector<ImageUse> image_uses) : image_uses_(std::move(image_uses)) {}

  const std::vector<ImageUse>& image_uses() const { return image_uses_; }

 private:
  friend class WorkspaceLoader;
  std::vector<ImageUse> image_uses_;
};

}  // namespace recipelint::layout
