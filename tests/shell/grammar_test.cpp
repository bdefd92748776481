#include <gtest/gtest.h>
#include <tree_sitter/api.h>

#include <string_view>

extern "C" const TSLanguage* tree_sitter_bash(void);

namespace {

// The core refuses a grammar of another ABI; that must show at once, not in the first script.
TEST(Grammar, CoreAcceptsTheBashGrammar) {
  TSParser* parser = ts_parser_new();
  ASSERT_EQ(ts_language_abi_version(tree_sitter_bash()), 15u);
  ASSERT_TRUE(ts_parser_set_language(parser, tree_sitter_bash()));
  constexpr std::string_view kScript = "vllm serve \"$MODEL\" --port 8000 &\n";
  TSTree* tree = ts_parser_parse_string(parser, nullptr, kScript.data(), kScript.size());
  ASSERT_NE(tree, nullptr);
  const TSNode root = ts_tree_root_node(tree);
  EXPECT_FALSE(ts_node_has_error(root));
  EXPECT_STREQ(ts_node_type(ts_node_named_child(root, 0)), "command");
  ts_tree_delete(tree);
  ts_parser_delete(parser);
}

}  // namespace
