#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/findings/finding.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/serving/servers.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/source_store.h"
#include "rules/rule.h"
#include "tests/support/paths.h"

namespace recipelint::rules::testing {

/// What one rule finds in a repository of fixtures/rules.
class FixtureFindings final : public findings::FindingSink {
 public:
  FixtureFindings(const Rule& rule, const std::string& fixture) {
    auto tree =
        text::DiskTree::open(recipelint::testing::source_dir() + "/fixtures/rules/" + fixture);
    if (!tree) return;
    tree_ = std::make_unique<text::DiskTree>(std::move(tree).value());
    sources_ = std::make_unique<text::SourceStore>(*tree_);
    workspace_ = std::make_unique<layout::Workspace>(layout::WorkspaceLoader(*sources_).load());
    const RuleOptions options;
    cells_ = std::make_unique<layout::CellResults>(*workspace_, facts_);
    const serving::Servers servers(*cells_, facts_);
    rule.run({*workspace_, *cells_, servers, facts_, options}, *this);
  }
  void report(findings::Finding finding) override { found.push_back(std::move(finding)); }
  void report_unevaluated(findings::Unevaluated each) override {
    unevaluated.push_back(std::move(each));
  }
  /// "file:line text" of a place.
  static std::string place(const text::Span& span) {
    return span.file->path() + ":" + std::to_string(span.file->position(span.begin).line) + " " +
           std::string(span.bytes());
  }
  const layout::Workspace& workspace() const { return *workspace_; }

  std::vector<findings::Finding> found;
  std::vector<findings::Unevaluated> unevaluated;

 private:
  std::unique_ptr<text::DiskTree> tree_;
  std::unique_ptr<text::SourceStore> sources_;
  std::unique_ptr<layout::Workspace> workspace_;
  facts::Catalog facts_;
  std::unique_ptr<layout::CellResults> cells_;
};

}  // namespace recipelint::rules::testing
