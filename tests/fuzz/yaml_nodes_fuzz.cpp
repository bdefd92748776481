// YAML as PyYAML has it: every node with its place and meaning.

#include <string>
#include <string_view>

#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {
namespace {

/// Aliases make many nodes of few bytes.
constexpr int kMostVisits = 20'000;

class Visit {
 public:
  void node(yaml::Node node) {
    if (left_-- <= 0) return;
    demand_inside(node.span());
    if (node.is_scalar()) {
      static_cast<void>(node.scalar());
      static_cast<void>(node.as_int());
    }
    if (node.is_sequence()) {
      for (std::size_t i = 0; i < node.size() && left_ > 0; ++i) this->node(node.item(i));
    }
    if (node.is_mapping()) mapping(node);
  }

 private:
  void mapping(yaml::Node node) {
    for (const auto& entry : node.written_entries()) this->node(entry.key);
    for (const auto& entry : node.entries()) {
      if (entry.key.is_scalar() && entry.key.as_string()) {
        demand(static_cast<bool>(node.find(*entry.key.as_string())), "a key is found");
      }
      this->node(entry.value);
    }
  }

  int left_ = kMostVisits;
};

}  // namespace

void yaml_nodes(std::string_view input) {
  const text::SourceFile file("x.yaml", std::string(input));
  const auto document = yaml::Document::parse(file);
  if (!document) {
    demand(!document.error().message.empty(), "a failure has a message");
    demand_inside(document.error().where);
    return;
  }
  Visit().node((*document)->root());
  for (const auto& duplicate : (*document)->duplicate_keys()) {
    demand_inside(duplicate.first.span());
    demand_inside(duplicate.repeated.span());
  }
}

}  // namespace recipelint::fuzz
