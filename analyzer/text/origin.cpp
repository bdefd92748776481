#include "analyzer/text/origin.h"

namespace recipelint::text {

Origin OriginPool::add(Span span, std::string_view note, Origin earlier) {
  if (used_in_last_block_ == kLinksPerBlock) {
    blocks_.push_back(std::make_unique<OriginLink[]>(kLinksPerBlock));
    used_in_last_block_ = 0;
  }
  // Elements of an unordered_set never move, so views of them stay valid.
  const std::string_view kept = *notes_.emplace(note).first;
  OriginLink& link = blocks_.back()[used_in_last_block_++];
  link = {span, kept, earlier.nearest()};
  return Origin(&link);
}

}  // namespace recipelint::text
