#pragma once

#include <memory>
#include <string>
#include <utility>

#include "analyzer/layout/workspace.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_store.h"

namespace recipelint::testing {

/// A small repository in memory and the workspace it gives.
class Repository {
 public:
  Repository& add(std::string path, std::string bytes) {
    tree_.add(std::move(path), std::move(bytes));
    return *this;
  }
  const layout::Workspace& load() {
    sources_ = std::make_unique<text::SourceStore>(tree_);
    workspace_ = std::make_unique<layout::Workspace>(layout::WorkspaceLoader(*sources_).load());
    return *workspace_;
  }
  text::MemoryTree& tree() { return tree_; }

 private:
  text::MemoryTree tree_;
  std::unique_ptr<text::SourceStore> sources_;
  std::unique_ptr<layout::Workspace> workspace_;
};

}  // namespace recipelint::testing
