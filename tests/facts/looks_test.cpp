#include "analyzer/facts/looks.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "analyzer/facts/catalog.h"

namespace recipelint::facts {
namespace {

TEST(Looks, LieAtTheEndsOfWhatNobodySaw) {
  const Catalog catalog;
  const std::vector<std::tuple<const char*, bool, bool>> cases = {
      {"v0.5.5", false, false}, {"v0.5.6.post1", false, false},
      {"v0.5.7", true, false},  {"v0.5.17", true, false},
      {"v0.5.18", false, true}, {"v0.5.21", false, true},
      {"kimi-k3", true, false}, {"nightly-dev-20260818-c0b6474b", true, false},
  };
  for (const auto& [tag, between, seen] : cases) {
    const auto version = catalog.version_of(std::string("lmsysorg/sglang:") + tag, "sglang");
    EXPECT_EQ(is_between_looks("sglang", version, catalog.versions()), between) << tag;
    EXPECT_EQ(has_seen_values("sglang", version, catalog.versions()), seen) << tag;
  }
  EXPECT_TRUE(is_second_look("sglang", *parse_release("0.5.18"), catalog.versions()));
  EXPECT_FALSE(is_second_look("sglang", *parse_release("0.5.17"), catalog.versions()));
}

TEST(Looks, AreManyWhereEveryReleaseWasRead) {
  const Catalog catalog;
  const auto version = catalog.version_of("vllm/vllm-openai:latest", "vllm");
  EXPECT_FALSE(is_between_looks("vllm", version, catalog.versions()));
  EXPECT_TRUE(has_seen_values("vllm", version, catalog.versions()));
  EXPECT_FALSE(is_second_look("vllm", *parse_release("0.28.0"), catalog.versions()));
}

}  // namespace
}  // namespace recipelint::facts
