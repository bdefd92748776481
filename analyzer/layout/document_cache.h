#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/text/result.h"
#include "analyzer/text/source_store.h"
#include "analyzer/yaml/document.h"

namespace recipelint::layout {

/// A file of one of several trees.
struct FilePlace {
  std::size_t root = 0;  // index in the list of sources
  std::string path;

  friend auto operator<=>(const FilePlace&, const FilePlace&) = default;
};

/// Parses YAML files, each once.
class DocumentCache {
 public:
  using ParseResult = text::Result<std::shared_ptr<const yaml::Document>>;

  /// The sources must outlive the documents. `threads` as for text::run_in_parallel().
  DocumentCache(std::vector<text::SourceStore*> sources, unsigned threads)
      : sources_(std::move(sources)), threads_(threads) {}

  /// Parses, several at a time, those that are not parsed yet.
  void prepare(const std::vector<FilePlace>& places);
  /// The document, or why there is none.
  const ParseResult& get(const FilePlace& place);

 private:
  ParseResult parse(const FilePlace& place) const;

  std::vector<text::SourceStore*> sources_;
  unsigned threads_;
  std::map<FilePlace, std::optional<ParseResult>> results_;
};

}  // namespace recipelint::layout
