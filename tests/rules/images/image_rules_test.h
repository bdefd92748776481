#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/findings/finding.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/servers.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/text/source_file.h"
#include "rules/rule.h"

namespace recipelint::rules::testing {

/// Files of which every line names an image, and what a rule finds in them.
class ImageLines final : public findings::FindingSink {
 public:
  using Kind = layout::ImageUse::Kind;

  /// Adds a file with one reference a line; the use on line N (from 1) belongs to the key "key-N".
  ImageLines& file(std::string path, const std::vector<std::string>& references,
                   Kind kind = Kind::kEntry) {
    std::string bytes;
    for (const auto& reference : references) bytes += reference + "\n";
    files_.push_back(std::make_unique<text::SourceFile>(std::move(path), std::move(bytes)));
    for (std::uint32_t i = 0; i < references.size(); ++i) {
      layout::ImageUse use;
      use.kind = kind;
      use.reference = references[i];
      use.span = files_.back()->line(i + 1);
      if (kind == Kind::kSetting) use.setting = "PREFILL_IMAGE";
      use.keys = {"key-" + std::to_string(i + 1)};
      uses_.push_back(std::move(use));
    }
    return *this;
  }

  /// Uses as they are, for what file() cannot make. Spans are invalid unless set.
  ImageLines& use(layout::ImageUse image_use) {
    uses_.push_back(std::move(image_use));
    return *this;
  }

  const std::vector<findings::Finding>& run(const Rule& rule, const RuleOptions& options = {}) {
    found_.clear();
    const layout::Workspace workspace(uses_);
    const layout::CellResults cells(workspace, facts_);
    const serving::Servers servers(cells, facts_);
    rule.run({workspace, cells, servers, facts_, options}, *this);
    return found_;
  }

  void report(findings::Finding finding) override { found_.push_back(std::move(finding)); }

  const text::SourceFile& source(std::size_t index) const { return *files_[index]; }

 private:
  facts::Catalog facts_;
  std::vector<std::unique_ptr<text::SourceFile>> files_;
  std::vector<layout::ImageUse> uses_;
  std::vector<findings::Finding> found_;
};

/// "warning: message" of every finding.
inline std::vector<std::string> messages(const std::vector<findings::Finding>& found) {
  std::vector<std::string> result;
  for (const auto& finding : found) {
    const auto level = finding.level == findings::Level::kError     ? "error"
                       : finding.level == findings::Level::kWarning ? "warning"
                                                                    : "note";
    result.push_back(std::string(level) + ": " + finding.message);
  }
  return result;
}

}  // namespace recipelint::rules::testing
