#include "analyzer/layout/document_cache.h"

#include "analyzer/text/parallel.h"

namespace recipelint::layout {

void DocumentCache::prepare(const std::vector<FilePlace>& places) {
  std::vector<std::pair<const FilePlace, std::optional<ParseResult>>*> missing;
  for (const FilePlace& place : places) {
    const auto [slot, is_new] = results_.try_emplace(place);
    if (is_new) missing.push_back(&*slot);
  }
  text::run_in_parallel(missing.size(), threads_,
                        [&](std::size_t i) { missing[i]->second = parse(missing[i]->first); });
}

const DocumentCache::ParseResult& DocumentCache::get(const FilePlace& place) {
  std::optional<ParseResult>& result = results_[place];
  if (!result) result = parse(place);
  return *result;
}

DocumentCache::ParseResult DocumentCache::parse(const FilePlace& place) const {
  const text::Result<const text::SourceFile*> file = sources_[place.root]->load(place.path);
  if (!file) return file.error();
  return yaml::Document::parse(**file);
}

}  // namespace recipelint::layout
