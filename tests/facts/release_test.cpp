#include "analyzer/facts/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace recipelint::facts {
namespace {

TEST(Release, IsOrderedAsPep440Orders) {
  const std::vector<std::string> ascending = {"0.5.6",     "0.5.6.post2",    "0.9.0",     "0.10.0",
                                              "0.27.0rc1", "0.27.0rc2",      "0.27.0",    "0.27.1",
                                              "1.3.0rc5",  "1.3.0rc5.post1", "1.3.0rc23", "1.3.0"};
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i) {
    EXPECT_TRUE(*parse_release(ascending[i]) < *parse_release(ascending[i + 1])) << ascending[i];
  }
  for (const auto& text : ascending) EXPECT_EQ(to_string(*parse_release(text)), text);
}

TEST(Release, TakesTwoNumbersAndAVersionLetter) {
  EXPECT_EQ(to_string(*parse_release("v0.27.1")), "0.27.1");
  EXPECT_EQ(to_string(*parse_release("0.27")), "0.27.0");
}

TEST(Release, RefusesWhatIsNoRelease) {
  for (const char* text : {"", "v", "1", "1.", "1.2.", "1.2.3.4", "1.2.3rc", "1.2.3.post", "1.2.x",
                           "1.2.3-dev", "latest", "1234567.0.0"}) {
    EXPECT_FALSE(parse_release(text)) << text;
  }
}

}  // namespace
}  // namespace recipelint::facts
