// The examples of docs/facts.md are files that a user can copy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/paths.h"

namespace recipelint::facts {
namespace {

/// The YAML blocks of a page.
std::vector<std::string> yaml_blocks(const std::string& page) {
  const std::string open = "```yaml\n";
  std::vector<std::string> blocks;
  for (auto at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    blocks.push_back(page.substr(at, page.find("```", at) - at));
  }
  return blocks;
}

TEST(FactsPage, ItsExamplesAreAccepted) {
  std::ifstream in(std::string(testing::source_dir()) + "/docs/facts.md");
  const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto blocks = yaml_blocks(page);
  ASSERT_EQ(blocks.size(), 3U);
  for (const std::string& block : blocks) {
    const text::SourceFile file("own.yaml", block);
    const auto catalog = Catalog::with_overrides(file);
    EXPECT_TRUE(catalog.ok()) << (catalog.ok() ? "" : catalog.error().message);
  }
  const text::SourceFile file("own.yaml", blocks[1]);
  const auto catalog = Catalog::with_overrides(file);
  const Model* model = (*catalog)->models().find_model("acme/Model-Q-FP8");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->family->number("num_hidden_layers"), 94);
  const text::SourceFile memory_file("own.yaml", blocks[2]);
  const auto with_memory = Catalog::with_overrides(memory_file);
  EXPECT_NE((*with_memory)->memory().find_format("fp6"), nullptr);
  EXPECT_EQ((*with_memory)->memory().measurements().front().family, "Model-Q");
}

}  // namespace
}  // namespace recipelint::facts
