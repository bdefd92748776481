#include "analyzer/text/kind_cache.h"

namespace recipelint::text {

EntryKind KindCache::kind(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  const auto known = kinds_.find(path);
  if (known != kinds_.end()) return known->second;
  return kinds_.emplace(path, tree_.kind(path)).first->second;
}

}  // namespace recipelint::text
