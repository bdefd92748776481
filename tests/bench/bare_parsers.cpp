#include "tests/bench/bare_parsers.h"

#include <tree_sitter/api.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <cstdint>
#include <memory>
#include <sstream>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace recipelint::bench {
namespace {

class IgnoreEvents final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

}  // namespace

bool is_script(std::string_view path) {
  return path.ends_with(".sh");
}

std::size_t parse_bare_script(const std::string& bytes) {
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(),
                                                                      ts_parser_delete);
  ts_parser_set_language(parser.get(), tree_sitter_bash());
  const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
      ts_parser_parse_string(parser.get(), nullptr, bytes.data(),
                             static_cast<std::uint32_t>(bytes.size())),
      ts_tree_delete);
  return ts_node_descendant_count(ts_tree_root_node(tree.get()));
}

void read_bare_yaml(const std::string& bytes) {
  try {
    std::istringstream in(bytes);
    YAML::Parser parser(in);
    IgnoreEvents ignore;
    while (parser.HandleNextDocument(ignore)) {
    }
  } catch (const YAML::Exception&) {
    // Others have to live with it as well.
  }
}

}  // namespace recipelint::bench
