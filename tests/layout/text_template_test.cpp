#include "analyzer/layout/text_template.h"

#include <gtest/gtest.h>

#include <string>

namespace recipelint::layout {
namespace {

using Kind = TextTemplate::PartKind;

TEST(TextTemplate, SplitsLiteralsAndReferences) {
  const auto result = TextTemplate::parse("a_${B}-${C:-x${D}}");
  ASSERT_TRUE(result.ok());
  const auto& parts = result->parts();
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].text, "a_");
  EXPECT_EQ(parts[1].kind, Kind::kVariable);
  EXPECT_EQ(parts[2].text, "-");
  EXPECT_EQ(parts[3].kind, Kind::kDefault);
  ASSERT_EQ(parts[3].fallback->parts().size(), 2u);
  EXPECT_EQ(parts[3].fallback->parts()[1].text, "D");
}

TEST(TextTemplate, KnowsTheFormsOfReferences) {
  const struct {
    const char* text;
    Kind kind;
    const char* operand;
  } cases[] = {
      {"${EXP_NAME%%_*}", Kind::kBeforeFirst, "EXP_NAME"},
      {"${MODEL##*/}", Kind::kAfterLast, "MODEL"},
      {"${row:prefill.tp}", Kind::kRowField, "prefill.tp"},
      {"${json:router}", Kind::kRowJson, "router"},
      {"${words:conc}", Kind::kRowWords, "conc"},
      {"${joined:conc}", Kind::kRowJoined, "conc"},
      {"${mode:eval}", Kind::kMode, "eval"},
      {"${host:a, b}", Kind::kHost, "a, b"},
      {"${product:A,B}", Kind::kProduct, "A,B"},
      {"${indices:N}", Kind::kIndices, "N"},
  };
  for (const auto& test : cases) {
    const auto result = TextTemplate::parse(test.text);
    ASSERT_TRUE(result.ok()) << test.text;
    ASSERT_EQ(result->parts().size(), 1u) << test.text;
    EXPECT_EQ(result->parts()[0].kind, test.kind) << test.text;
    EXPECT_EQ(result->parts()[0].text, test.operand) << test.text;
  }
}

TEST(TextTemplate, RefusesWhatIsNoReference) {
  for (const char* text :
       {"${", "${A", "${}", "${A-b}", "${A%%_}", "${A##/*}", "${file:x}", "${row:}",
        "${mode:debug}", "${product:A,}", "${indices:A B}", "${A:-${B}"}) {
    EXPECT_FALSE(TextTemplate::parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace recipelint::layout
