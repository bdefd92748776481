// A user's file with facts: whatever it says, looking things up in it ends.

#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/text/source_file.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

void facts_file(std::string_view input) {
  const text::SourceFile file("facts.yaml", std::string(input));
  const auto catalog = facts::Catalog::with_overrides(file);
  if (!catalog) {
    demand(!catalog.error().message.empty(), "a failure has a message");
    return;
  }
  const facts::Catalog& facts = **catalog;
  static_cast<void>(facts.images());
  static_cast<void>(facts.memory());
  static_cast<void>(facts.vocabulary("vllm"));
  static_cast<void>(facts.models().find_gpu("b200"));
  static_cast<void>(facts.version_of("vllm/vllm-openai:v0.27.1", "vllm"));
}

}  // namespace recipelint::fuzz
