#include "analyzer/yaml/document.h"

#include <gtest/gtest.h>

namespace recipelint::yaml {
namespace {

TEST(Document, ReadsNestedCollections) {
  const text::SourceFile file("f.yaml", "a:\n  - 1\n  - {b: two}\n");
  const auto document = Document::parse(file);
  ASSERT_TRUE(document.ok()) << document.error().message;
  const Node list = (*document)->root().find("a");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.item(0).as_int(), 1);
  EXPECT_EQ(list.item(1).find("b").as_string(), "two");
}

}  // namespace
}  // namespace recipelint::yaml
