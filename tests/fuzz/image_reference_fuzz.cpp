// Image references: what is understood is written back as it was, and an error points into the
// text.

#include <string>
#include <string_view>
#include <variant>

#include "analyzer/facts/catalog.h"
#include "analyzer/facts/image_reference.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

void image_reference(std::string_view input) {
  const auto parsed = facts::parse_image_reference(input);
  if (const auto* error = std::get_if<facts::ImageReferenceError>(&parsed)) {
    demand(!error->message.empty(), "an error has a message");
    demand(error->offset <= input.size(), "an error lies in the text");
    return;
  }
  const auto& reference = std::get<facts::ImageReference>(parsed);
  demand(facts::to_string(reference) == input, "a reference is written as it was read");
  demand(reference.tag_range.end <= input.size() && reference.digest_range.end <= input.size(),
         "parts lie in the text");
  const std::string canonical = facts::canonical_image(reference);
  const auto again = facts::parse_image_reference(canonical);
  demand(std::holds_alternative<facts::ImageReference>(again), "the canonical spelling is one");
  // Behind '#', a registry may be a bare name, which nobody takes for one before '/'.
  const bool bare = reference.registry.find_first_of(".:") == std::string::npos;
  demand(bare || facts::canonical_image(std::get<facts::ImageReference>(again)) == canonical,
         "the canonical spelling is its own");
  static const facts::Catalog catalog;
  for (const char* engine : {"vllm", "sglang", "trtllm", "atom"}) {
    static_cast<void>(catalog.version_of(input, engine));
  }
}

}  // namespace recipelint::fuzz
